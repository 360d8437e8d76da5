# SPDX-License-Identifier: Apache-2.0
# apps/judge: feasibility of trajectories (library heft_judge, for the command and the tests; not installed).
include_guard(GLOBAL)
include(HeftSweep)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/judge/*.c")
add_library(heft_judge STATIC ${_sources})
target_link_libraries(heft_judge PUBLIC heft_sweep heft_static PRIVATE heft_flags)
target_compile_options(heft_judge PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_judge PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
