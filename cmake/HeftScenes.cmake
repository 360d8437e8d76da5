# SPDX-License-Identifier: Apache-2.0
# scenes/*.c: named scenes for tests, benchmarks, the command and the viewer. Include "scenes/x.h".
# HEFT_PROGRAM_LIBRARIES is what a program of ours links: scenes, file formats where they exist, and devices.
include_guard(GLOBAL)

set(HEFT_PROGRAM_LIBRARIES heft_identify heft_static)
if(TARGET heft_link)
  list(PREPEND HEFT_PROGRAM_LIBRARIES heft_link heft_device_static heft_plugin_static)
endif()
if(TARGET heft_io_static)
  list(PREPEND HEFT_PROGRAM_LIBRARIES heft_io_static)
endif()
file(GLOB _scenes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scenes/*.c")
if(_scenes)
  add_library(heft_scenes STATIC ${_scenes})
  target_link_libraries(heft_scenes PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_flags)
  target_include_directories(heft_scenes PUBLIC "${PROJECT_SOURCE_DIR}")
  list(PREPEND HEFT_PROGRAM_LIBRARIES heft_scenes)
endif()
