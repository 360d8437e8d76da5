# SPDX-License-Identifier: Apache-2.0
# apps/sweep: plans of many runs, their computation and their results (library heft_sweep, for the command and
# the tests; not installed).
include_guard(GLOBAL)

file(GLOB _sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/sweep/*.c")
add_library(heft_sweep STATIC ${_sources})
target_link_libraries(heft_sweep PUBLIC heft_identify heft_io_static heft_plugin_static heft_static Threads::Threads
                      PRIVATE heft_flags)
target_compile_options(heft_sweep PRIVATE ${HEFT_STRICT_WARNINGS})
target_compile_definitions(heft_sweep PRIVATE _DEFAULT_SOURCE)

# apps/sweep/bits.c tells builds apart that compute different results.
set(_golden "")
foreach(_file tests/world/golden_scenes.txt tests/world/golden_models.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${_file}")
  file(SHA256 "${PROJECT_SOURCE_DIR}/${_file}" _hash)
  string(APPEND _golden "${_hash}")
endforeach()
string(SHA256 _golden "${_golden}")
string(SUBSTRING "${_golden}" 0 16 _golden)
set_source_files_properties("${PROJECT_SOURCE_DIR}/apps/sweep/bits.c" PROPERTIES COMPILE_DEFINITIONS
                            "HEFT_GOLDEN_HASH=\"${_golden}\"")
target_include_directories(heft_sweep PUBLIC "${PROJECT_SOURCE_DIR}/apps" PRIVATE "${PROJECT_SOURCE_DIR}/src")
