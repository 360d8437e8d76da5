# SPDX-License-Identifier: Apache-2.0
# The plug-in of heft run --ros2: apps/ros2, a module of its own, so that only it needs Cyclone DDS. Where that is not
# installed the command prints what is missing.
#   Debian: cyclonedds-dev cyclonedds-tools
include_guard(GLOBAL)
include(HeftModule)

option(HEFT_BUILD_ROS2 "Build heft run --ros2 where Cyclone DDS is installed" ON)
set(HEFT_HAVE_ROS2 OFF)
find_program(HEFT_IDLC idlc)
mark_as_advanced(HEFT_IDLC)
if(HEFT_BUILD_ROS2 AND HEFT_IDLC)
  heft_find_module(HEFT_HAVE_ROS2 CycloneDDS 0.10 "heft run --ros2")
elseif(HEFT_BUILD_ROS2)
  message(STATUS "heft: no heft run --ros2, missing: idlc (cyclonedds-tools)")
endif()
if(NOT HEFT_HAVE_ROS2)
  return()
endif()

set(_idl "${PROJECT_SOURCE_DIR}/apps/ros2/messages.idl")
set(_made "${PROJECT_BINARY_DIR}/ros2")
file(MAKE_DIRECTORY "${_made}")
add_custom_command(OUTPUT "${_made}/messages.c" "${_made}/messages.h"
  COMMAND ${HEFT_IDLC} "${_idl}" WORKING_DIRECTORY "${_made}" DEPENDS "${_idl}" VERBATIM)
set_source_files_properties("${_made}/messages.c" PROPERTIES COMPILE_OPTIONS "-w")
file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/ros2/*.c")
find_package(Threads REQUIRED)
add_library(heft_ros2 MODULE ${_sources} "${_made}/messages.c" "${_made}/messages.h")
target_include_directories(heft_ros2 SYSTEM PRIVATE "${_made}")
target_include_directories(heft_ros2 PRIVATE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/apps")
target_link_libraries(heft_ros2 PRIVATE heft_flags PkgConfig::HEFT_CycloneDDS Threads::Threads m)
target_compile_options(heft_ros2 PRIVATE ${HEFT_STRICT_WARNINGS} "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
set_target_properties(heft_ros2 PROPERTIES PREFIX "" OUTPUT_NAME heft_ros2 SUFFIX ".so"
  LIBRARY_OUTPUT_DIRECTORY "${HEFT_MODULE_DIR}")
install(TARGETS heft_ros2 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heft)
