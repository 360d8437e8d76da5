# SPDX-License-Identifier: Apache-2.0
# apps/why: what gave way in a run, and why (library heft_why, for the command and the tests; not installed).
include_guard(GLOBAL)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/why/*.c")
add_library(heft_why STATIC ${_sources})
target_link_libraries(heft_why PUBLIC heft_io_static heft_static PRIVATE heft_flags)
target_compile_options(heft_why PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_why PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
