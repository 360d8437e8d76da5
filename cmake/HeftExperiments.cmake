# SPDX-License-Identifier: Apache-2.0
# experiments/*.c: what `heft experiment` runs, which the command and the tests share. Needs the file formats.
include_guard(GLOBAL)
include(HeftScenes)

if(TARGET heft_io_static)
  file(GLOB _experiments CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/experiments/*.c")
  add_library(heft_experiments STATIC ${_experiments})
  target_link_libraries(heft_experiments PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_flags)
  target_include_directories(heft_experiments PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(heft_experiments PUBLIC HEFT_MODEL_DIR="${PROJECT_SOURCE_DIR}/models")
endif()
