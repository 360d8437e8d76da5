# SPDX-License-Identifier: Apache-2.0
# Devices that are not there: src/emulate (library heft_emulate, for the command and the tests), and apps/emulated, a
# module each, that stand for the libraries of device makers. The modules are installed in lib/heft.
include_guard(GLOBAL)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/emulate/*.c")
add_library(heft_emulate STATIC ${_sources})
target_link_libraries(heft_emulate PUBLIC heft_device_static PRIVATE heft_flags)
target_compile_options(heft_emulate PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_emulate PUBLIC "${PROJECT_SOURCE_DIR}/src")

set(HEFT_MODULE_DIR "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heft")
set(HEFT_MODULES "")
foreach(maker dhd hd sdl2 spnav)
  set(target heft_emulated_${maker})
  add_library(${target} MODULE "${PROJECT_SOURCE_DIR}/apps/emulated/${maker}.c")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PRIVATE heft_flags heft_device_static m)
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so"
    LIBRARY_OUTPUT_DIRECTORY "${HEFT_MODULE_DIR}")
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  list(APPEND HEFT_MODULES ${target})
  if(HEFT_BUILD_APPS)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heft)
  endif()
endforeach()
file(RELATIVE_PATH HEFT_MODULE_PATH "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/heft")
