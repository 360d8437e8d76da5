# SPDX-License-Identifier: Apache-2.0
# validation/*.c: the cases of `heft validate`, which the command and the tests share. Needs the file formats.
include_guard(GLOBAL)
include(HeftScenes)

if(TARGET heft_io_static)
  file(GLOB _validation CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/validation/*.c")
  if(NOT TARGET heft_link)  # WebAssembly has no devices
    list(FILTER _validation EXCLUDE REGEX "/(soak|lateness|poke)\\.c$")
  endif()
  add_library(heft_validation STATIC ${_validation})
  target_link_libraries(heft_validation PUBLIC ${HEFT_PROGRAM_LIBRARIES} PRIVATE heft_flags)
  target_include_directories(heft_validation PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(heft_validation PUBLIC HEFT_SCENE_DIR="${PROJECT_SOURCE_DIR}/scenes")
  if(TARGET heft_link)
    include(HeftEmulate)
    target_link_libraries(heft_validation PUBLIC heft_emulate)
    target_compile_definitions(heft_validation PRIVATE HEFT_VALIDATION_DEVICES)
  endif()
endif()
