# SPDX-License-Identifier: Apache-2.0
# validation/*.c: the cases of `heft validate`, which the command and the tests share. Needs the file formats.
include_guard(GLOBAL)
include(HeftScenes)

if(TARGET heft_io_static)
  file(GLOB _validation CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/validation/*.c")
  add_library(heft_validation STATIC ${_validation})
  target_link_libraries(heft_validation PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_flags)
  target_include_directories(heft_validation PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(heft_validation PUBLIC HEFT_SCENE_DIR="${PROJECT_SOURCE_DIR}/scenes")
endif()
