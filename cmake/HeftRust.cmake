# SPDX-License-Identifier: Apache-2.0
# examples/rust: the C interface from Rust, by declarations that examples/rust/rust_bindings.py makes from the description of the headers. It
# shows that the description is complete: no other fact is used.
#   Debian: rustc
include_guard(GLOBAL)
include(HeftApi)
if(NOT HEFT_BUILD_TESTS OR HEFT_SANITIZE OR NOT TARGET heft_io OR NOT HEFT_PYTHON)
  return()
endif()
find_program(HEFT_RUSTC rustc)
mark_as_advanced(HEFT_RUSTC)
if(NOT HEFT_RUSTC)
  add_test(NAME examples/rust COMMAND sh -c "echo 'skipped: rustc is not installed'; exit 77")
  set_tests_properties(examples/rust PROPERTIES LABELS examples SKIP_RETURN_CODE 77)
  return()
endif()

set(_made "${PROJECT_BINARY_DIR}/rust")
set(_writer "${PROJECT_SOURCE_DIR}/examples/rust/rust_bindings.py")
set(_program "${PROJECT_SOURCE_DIR}/examples/rust/golden.rs")
add_custom_command(OUTPUT "${_made}/heft.rs" "${_made}/sizes.c"
  COMMAND "${HEFT_PYTHON}" -B "${_writer}" "${HEFT_API_JSON}" "${_made}"
  DEPENDS "${_writer}" "${HEFT_API_TOOL}" "${HEFT_API_JSON}")
add_library(heft_rust_sizes STATIC "${_made}/sizes.c")
target_link_libraries(heft_rust_sizes PRIVATE heft_flags heft heft_io)
add_custom_command(OUTPUT "${_made}/golden"
  COMMAND "${HEFT_RUSTC}" --edition 2021 --crate-type rlib --crate-name heft "${_made}/heft.rs" -o "${_made}/libheft.rlib"
  COMMAND "${HEFT_RUSTC}" --edition 2021 -D warnings "${_program}" --extern "heft=${_made}/libheft.rlib"
    -L "$<TARGET_FILE_DIR:heft>" -l heft_io -l heft -L "$<TARGET_FILE_DIR:heft_rust_sizes>" -l static=heft_rust_sizes
    -C "link-arg=-Wl,-rpath,$<TARGET_FILE_DIR:heft>" -o "${_made}/golden"
  DEPENDS "${_made}/heft.rs" "${_program}" heft_rust_sizes heft heft_io)
add_custom_target(rust_golden ALL DEPENDS "${_made}/golden")
add_dependencies(rust_golden heft_api)
add_test(NAME examples/rust COMMAND "${_made}/golden" "${PROJECT_SOURCE_DIR}/scenes"
  "${PROJECT_SOURCE_DIR}/tests/world/golden_models.txt")
set_tests_properties(examples/rust PROPERTIES LABELS examples TIMEOUT 100)
