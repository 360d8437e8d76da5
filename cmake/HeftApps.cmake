# SPDX-License-Identifier: Apache-2.0
# The heft command (apps/heft) and the list of named scenes that it shares with tests and benchmarks.
include(HeftScenes)
include(HeftValidation)
include(HeftExperiments)
include(HeftEmulate)
include(HeftCounted)
include(HeftGenerate)
include(HeftJudge)
include(HeftSweep)
include(HeftQueue)
include(HeftRos2)
include(HeftWhy)

# The module that goes into FMUs: apps/fmu and the core.
add_library(heft_fmu MODULE "${PROJECT_SOURCE_DIR}/apps/fmu/fmu.c")
target_include_directories(heft_fmu PRIVATE "${PROJECT_SOURCE_DIR}/apps")
target_link_libraries(heft_fmu PRIVATE heft_flags heft_static m)
target_compile_options(heft_fmu PRIVATE ${HEFT_STRICT_WARNINGS})
set_target_properties(heft_fmu PROPERTIES PREFIX "" OUTPUT_NAME fmu SUFFIX ".so"
  LIBRARY_OUTPUT_DIRECTORY "${HEFT_MODULE_DIR}")
target_link_options(heft_fmu PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -s)
install(TARGETS heft_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heft)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/heft/*.c")
if(_sources)
  add_executable(heft_command ${_sources})
  set_target_properties(heft_command PROPERTIES OUTPUT_NAME heft)
  target_link_libraries(heft_command PRIVATE heft_flags heft_validation heft_experiments heft_counted heft_emulate heft_counted heft_generate heft_judge heft_sweep heft_queue heft_why
    ${HEFT_PROGRAM_LIBRARIES} m)
  # From the folder of the program that was built: two builds in two folders have the same bytes.
  get_target_property(_bin heft_command RUNTIME_OUTPUT_DIRECTORY)
  if(NOT _bin)
    set(_bin "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  file(RELATIVE_PATH _source "${_bin}" "${PROJECT_SOURCE_DIR}")
  string(REGEX REPLACE "/$" "" _source "${_source}")
  target_compile_definitions(heft_command PRIVATE HEFT_SOURCE_PATH="${_source}" HEFT_MODULE_PATH="${HEFT_MODULE_PATH}")
  add_dependencies(heft_command ${HEFT_MODULES} heft_fmu)
  target_compile_options(heft_command PRIVATE ${HEFT_STRICT_WARNINGS})
  heft_host_plugins(heft_command)
  if(TARGET heft_ros2)
    add_dependencies(heft_command heft_ros2)
    target_compile_definitions(heft_command PRIVATE HEFT_HAVE_ROS2)
  endif()
  heft_use_zstd(heft_command)
  if(TARGET heft_view)
    target_link_libraries(heft_command PRIVATE heft_view_static)
    target_compile_definitions(heft_command PRIVATE HEFT_HAVE_VIEW)
  endif()
  if(TARGET heft_serve)
    target_link_libraries(heft_command PRIVATE heft_serve)
  endif()
  # The assert hook names files as seen from the source folder, as in the installed libraries: a path of the
  # build would make the command differ between two folders (packaging/check_reproducible.sh).
  foreach(_room heft_command heft_identify heft_link heft_serve heft_emulate heft_counted heft_generate heft_judge heft_sweep heft_queue heft_why)
    if(TARGET ${_room})
      target_compile_options(${_room} PRIVATE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
    endif()
  endforeach()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/scenes/" DESTINATION ${CMAKE_INSTALL_DATADIR}/heft/scenes
    PATTERN "*.[ch]" EXCLUDE)  # scenes with their meshes and grids; the C files there belong to the tests
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION ${CMAKE_INSTALL_DATADIR}/heft/models)
  # The page of heft serve, where it was built (web/README.md).
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/build/web/" DESTINATION ${CMAKE_INSTALL_DATADIR}/heft/web OPTIONAL)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/controller" DESTINATION ${CMAKE_INSTALL_DATADIR}/heft)
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completions/heft.bash" RENAME heft
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES "${PROJECT_SOURCE_DIR}/apps/completions/_heft"
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(TARGETS heft_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# heft-check, which recomputes steps: plain C17 and libm, nothing of Heft (docs/manual/how-to-check.md).
file(GLOB _check CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/check/*.c")
add_executable(heft_check ${_check})
set_target_properties(heft_check PROPERTIES OUTPUT_NAME heft-check)
target_link_libraries(heft_check PRIVATE heft_flags m)
target_compile_options(heft_check PRIVATE ${HEFT_STRICT_WARNINGS})
install(TARGETS heft_check RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# heft-fclib-convert, for contact problems in HDF5; where libhdf5 is installed.
find_library(HEFT_HDF5_LIBRARY NAMES hdf5_serial hdf5)
find_path(HEFT_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HEFT_HDF5_LIBRARY HEFT_HDF5_INCLUDE_DIR)
if(HEFT_HDF5_LIBRARY AND HEFT_HDF5_INCLUDE_DIR)
  add_executable(heft_fclib_convert "${PROJECT_SOURCE_DIR}/apps/converters/fclib_convert.c")
  set_target_properties(heft_fclib_convert PROPERTIES OUTPUT_NAME heft-fclib-convert)
  target_link_libraries(heft_fclib_convert PRIVATE heft_flags heft_io_static heft_static ${HEFT_HDF5_LIBRARY} m)
  target_include_directories(heft_fclib_convert SYSTEM PRIVATE "${HEFT_HDF5_INCLUDE_DIR}")
  target_compile_definitions(heft_fclib_convert PRIVATE _DEFAULT_SOURCE)
  install(TARGETS heft_fclib_convert RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
else()
  message(STATUS "libhdf5 was not found: heft solve will not read FCLIB's HDF5 files")
endif()

# heft-mesh-convert, for meshes that the library does not read; where assimp is installed.
find_library(HEFT_ASSIMP_LIBRARY assimp)
find_path(HEFT_ASSIMP_INCLUDE_DIR assimp/cimport.h)
mark_as_advanced(HEFT_ASSIMP_LIBRARY HEFT_ASSIMP_INCLUDE_DIR)
if(HEFT_ASSIMP_LIBRARY AND HEFT_ASSIMP_INCLUDE_DIR)
  add_executable(heft_mesh_convert "${PROJECT_SOURCE_DIR}/apps/converters/mesh_convert.c")
  set_target_properties(heft_mesh_convert PROPERTIES OUTPUT_NAME heft-mesh-convert)
  target_link_libraries(heft_mesh_convert PRIVATE heft_flags ${HEFT_ASSIMP_LIBRARY} m)
  target_include_directories(heft_mesh_convert SYSTEM PRIVATE "${HEFT_ASSIMP_INCLUDE_DIR}")
  target_compile_definitions(heft_mesh_convert PRIVATE _DEFAULT_SOURCE)
  install(TARGETS heft_mesh_convert RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
