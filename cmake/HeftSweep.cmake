# SPDX-License-Identifier: Apache-2.0
# apps/sweep: plans of many runs, their computation and their results (library heft_sweep, for the command and
# the tests; not installed).
include_guard(GLOBAL)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/sweep/*.c")
add_library(heft_sweep STATIC ${_sources})
target_link_libraries(heft_sweep PUBLIC heft_io_static heft_plugin_static heft_static PRIVATE heft_flags)
target_compile_options(heft_sweep PRIVATE ${HEFT_STRICT_WARNINGS})
target_compile_definitions(heft_sweep PRIVATE _DEFAULT_SOURCE)
target_include_directories(heft_sweep PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
