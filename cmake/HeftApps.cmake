# SPDX-License-Identifier: Apache-2.0
# The heft command (apps/heft) and the list of named scenes that it shares with tests and benchmarks.
include(HeftScenes)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/heft/*.c")
if(_sources)
  add_executable(heft_command ${_sources})
  set_target_properties(heft_command PROPERTIES OUTPUT_NAME heft)
  target_link_libraries(heft_command PRIVATE heft_flags ${HEFT_PROGRAM_LIBRARIES})
  target_compile_options(heft_command PRIVATE ${HEFT_STRICT_WARNINGS})
  if(TARGET heft_view)
    target_link_libraries(heft_command PRIVATE heft_view)
    target_compile_definitions(heft_command PRIVATE HEFT_HAVE_VIEW)
  endif()
  install(TARGETS heft_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
