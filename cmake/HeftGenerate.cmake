# SPDX-License-Identifier: Apache-2.0
# apps/generate: C for the dynamics of one model (library heft_generate, for the command and the tests; not
# installed).
include_guard(GLOBAL)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/generate/*.c")
add_library(heft_generate STATIC ${_sources})
target_link_libraries(heft_generate PUBLIC heft_static PRIVATE heft_flags)
target_compile_options(heft_generate PRIVATE ${HEFT_STRICT_WARNINGS})
target_include_directories(heft_generate PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
