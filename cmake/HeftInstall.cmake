# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. The result may be moved: neither the CMake package nor the
# pkg-config files hold an absolute path.
include(CMakePackageConfigHelpers)

set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/heft")
set(_destinations
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(_not_installed "")
foreach(part io view)
  if(NOT TARGET heft_${part})
    list(APPEND _not_installed PATTERN "${part}.h" EXCLUDE PATTERN "${part}_*.h" EXCLUDE)
  endif()
endforeach()
if(NOT TARGET heft_io)
  list(APPEND _not_installed PATTERN "run_log.h" EXCLUDE PATTERN "replay.h" EXCLUDE)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/heft" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" ${_not_installed})
install(TARGETS heft heft_static heft_device heft_device_static
  heft_plugin heft_plugin_static EXPORT heftTargets ${_destinations})
install(EXPORT heftTargets NAMESPACE heft:: DESTINATION ${_package})
foreach(part io view)
  if(TARGET heft_${part})
    install(TARGETS heft_${part} heft_${part}_static EXPORT heft_${part}Targets ${_destinations})
    install(EXPORT heft_${part}Targets NAMESPACE heft:: DESTINATION ${_package})
  endif()
endforeach()

if(HEFT_BUILD_APPS)
  foreach(_page heft heft-mesh-convert heft-fclib-convert)
    install(FILES "${PROJECT_SOURCE_DIR}/docs/man/${_page}.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endforeach()
  if(UNIX AND NOT APPLE AND TARGET heft_view)  # the window in menus, and by a click on a file
    install(FILES "${PROJECT_SOURCE_DIR}/apps/desktop/heft.desktop" DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES "${PROJECT_SOURCE_DIR}/apps/desktop/heft.xml" DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES "${PROJECT_SOURCE_DIR}/web/public/icon.svg" RENAME heft.svg
      DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  endif()
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/heftConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/heftConfig.cmake" INSTALL_DESTINATION ${_package})
# Until 1.0 a new minor version may break programs.
set(_compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(_compatible SameMinorVersion)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/heftConfigVersion.cmake"
  COMPATIBILITY ${_compatible})
install(FILES "${PROJECT_BINARY_DIR}/heftConfig.cmake"
  "${PROJECT_BINARY_DIR}/heftConfigVersion.cmake" DESTINATION ${_package})

# pkg-config finds the prefix from its own place.
function(heft_install_pc name)
  set(libdir "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(pcdir "${libdir}/pkgconfig")
  foreach(what PREFIX LIBDIR INCLUDEDIR)
    if(what STREQUAL "PREFIX")
      set(path "${CMAKE_INSTALL_PREFIX}")
    else()
      set(path "${CMAKE_INSTALL_FULL_${what}}")
    endif()
    file(RELATIVE_PATH HEFT_PC_${what} "${pcdir}" "${path}")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
string(REPLACE ";" " " HEFT_VIEW_REQUIRES "${HEFT_VIEW_MODULES}")
heft_install_pc(heft)
heft_install_pc(heft_device)
heft_install_pc(heft_plugin)
foreach(part io view)
  if(TARGET heft_${part})
    heft_install_pc(heft_${part})
  endif()
endforeach()
