# SPDX-License-Identifier: Apache-2.0
# The npm package: the folder npm of the build, which `npm pack` takes. It holds js/lib, heft.wasm and what
# js/js_bindings.py writes from the description of the public headers. Its tests run by node.
find_program(HEFT_PYTHON python3 REQUIRED)
include(HeftApi)
set(_js "${PROJECT_SOURCE_DIR}/js")
set(_npm "${PROJECT_BINARY_DIR}/npm")
set(_made "${PROJECT_BINARY_DIR}/js")
set(_bindings "${PROJECT_SOURCE_DIR}/js/js_bindings.py")
file(GLOB _lib CONFIGURE_DEPENDS "${_js}/lib/*.js" "${_js}/lib/*.d.ts")

set(_tables "${_made}/tables.c" "${_made}/tables.js" "${_made}/types.d.ts" "${_made}/exports.txt")
add_custom_command(OUTPUT ${_tables} "${_made}/stamp"
  COMMAND "${HEFT_PYTHON}" "${_bindings}" "${HEFT_API_JSON}" "${_made}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${_made}/stamp" ${_tables}
  DEPENDS "${_bindings}" "${HEFT_API_TOOL}" "${HEFT_API_JSON}" ${_lib})

# A page loads sooner if its code is small. What runs once for each model, readers and the making of models, what composes
# a step, collision, Newton's method, controllers and deformable bodies: -Oz, some of it without inlining by force. Dynamics, sweeps and math are as fast with -Os as with -O2 and -O3
# (js/bench/steps.mjs).
target_compile_options(heft_objects PRIVATE -Os)
file(GLOB _once CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/model/*.c"
  "${PROJECT_SOURCE_DIR}/src/interact/*.c" "${PROJECT_SOURCE_DIR}/src/base/*.c"
  "${PROJECT_SOURCE_DIR}/src/control/*.c" "${PROJECT_SOURCE_DIR}/src/dynamics/deform/*.c" "${PROJECT_SOURCE_DIR}/src/math/cone_program.c"
  "${PROJECT_SOURCE_DIR}/src/math/block_*.c" "${PROJECT_SOURCE_DIR}/src/dynamics/delassus_*.c"
  "${PROJECT_SOURCE_DIR}/src/dynamics/energy.c" "${PROJECT_SOURCE_DIR}/src/dynamics/tendon.c" "${PROJECT_SOURCE_DIR}/src/dynamics/*_derivatives.c"
  "${PROJECT_SOURCE_DIR}/src/dynamics/static_stiffness.c" "${PROJECT_SOURCE_DIR}/src/dynamics/aba.c"
  "${PROJECT_SOURCE_DIR}/src/collision/*.c" "${PROJECT_SOURCE_DIR}/src/contact/*.c" "${PROJECT_SOURCE_DIR}/src/contact/c*/*.c"
  "${PROJECT_SOURCE_DIR}/src/contact/newton/*.c" "${PROJECT_SOURCE_DIR}/src/contact/sweep/float_*.c"
  "${PROJECT_SOURCE_DIR}/src/contact/sweep/anderson.c" "${PROJECT_SOURCE_DIR}/src/contact/sweep/heap_order.c"
  "${PROJECT_SOURCE_DIR}/src/world/*.c" "${PROJECT_SOURCE_DIR}/src/world/*/*.c")
set_source_files_properties(${_once} PROPERTIES COMPILE_OPTIONS -Oz)
foreach(_file IN LISTS _once)
  if(_file MATCHES "/(deform|newton)/|/(block_|cone_program)")
    set_source_files_properties("${_file}" PROPERTIES COMPILE_OPTIONS "-Oz;-DHEFT_SMALL")
  endif()
endforeach()
target_compile_options(heft_io_objects PRIVATE -Oz)
foreach(_library expat png zlib qhull_r zstd_reader)
  target_compile_options(${_library} PRIVATE -Oz)
endforeach()

# Robots that act: plug-ins (without files) and a few acts of the experiments.
set(_acts "${PROJECT_SOURCE_DIR}/src/plugin/set.c" "${PROJECT_SOURCE_DIR}/src/plugin/instance.c" "${_js}/port/act.c")
foreach(_name act act_plugin guide interactive interactive_greet interactive_table lab lead mirror poses sofa stand take task walk)
  list(APPEND _acts "${PROJECT_SOURCE_DIR}/experiments/${_name}.c")
endforeach()
set_source_files_properties(${_acts} PROPERTIES COMPILE_OPTIONS -Oz)

add_executable(heft_module "${_js}/port/api.c" "${_made}/tables.c" ${_acts})
target_compile_options(heft_module PRIVATE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")  # as for the libraries
target_compile_definitions(heft_module PRIVATE HEFT_FEW_ACTS)
set_target_properties(heft_module PROPERTIES OUTPUT_NAME heft RUNTIME_OUTPUT_DIRECTORY "${_npm}"
  LINK_DEPENDS "${_made}/exports.txt")
target_include_directories(heft_module PRIVATE "${_js}/port" "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(heft_module PRIVATE heft_flags heft_scenes heft_io_static heft_static)
target_link_options(heft_module PRIVATE -mexec-model=reactor -Wl,-s "@${_made}/exports.txt")

# 32 kB less after gzip, where binaryen is installed. It keeps the bits of all numbers. The lowest 1024 bytes of memory are the end of the
# stack (HeftWasm.cmake), which no sum of an address and a constant wraps around to: so constants become offsets of loads, 12 kB of the 32.
find_program(HEFT_WASM_OPT wasm-opt)
if(HEFT_WASM_OPT)
  add_custom_command(TARGET heft_module POST_BUILD COMMAND "${HEFT_WASM_OPT}" -Os --low-memory-unused --enable-simd --enable-bulk-memory
    --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals --enable-exception-handling
    "$<TARGET_FILE:heft_module>" -o "$<TARGET_FILE:heft_module>")
endif()

configure_file("${_js}/package.json.in" "${_made}/package.json" @ONLY)
# heft.wasm contains these libraries; their licences ask for their notices beside it. What was compiled in from the compiler's
# support library is under the exception of its licence, which asks for none.
set(_notices "heft.wasm contains code of the libraries below, in the versions of Debian. Heft itself is under LICENSE.\n")
foreach(_library IN ITEMS expat qhull libpng1.6 zlib libzstd wasi-libc)
  set(_notice "${HEFT_WASM_SOURCES}/${_library}/debian/copyright")
  if(_library STREQUAL wasi-libc)
    set(_notice "/usr/share/doc/wasi-libc/copyright")
  endif()
  if(NOT EXISTS "${_notice}")
    message(FATAL_ERROR "${_notice}: the licence of ${_library} is missing; remove ${HEFT_WASM_SOURCES} so that it is fetched again, "
      "or install the package wasi-libc")
  endif()
  file(READ "${_notice}" _text)
  string(APPEND _notices "\n==== ${_library} ====\n\n${_text}")
endforeach()
file(GENERATE OUTPUT "${_made}/NOTICES.txt" CONTENT "${_notices}")

set(_copies "")
foreach(_file IN LISTS _lib ITEMS "${_made}/package.json" "${_js}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${_made}/NOTICES.txt"
    "${_made}/tables.js" "${_made}/types.d.ts")
  cmake_path(GET _file FILENAME _name)
  add_custom_command(OUTPUT "${_npm}/${_name}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${_file}" "${_npm}/${_name}" DEPENDS "${_file}")
  list(APPEND _copies "${_npm}/${_name}")
endforeach()
add_custom_target(npm ALL DEPENDS ${_copies} heft_module)

if(HEFT_BUILD_TESTS)
  file(GLOB _scripts CONFIGURE_DEPENDS "${_js}/test/*.test.mjs")
  foreach(_script IN LISTS _scripts)
    cmake_path(GET _script FILENAME _name)
    string(REPLACE ".test.mjs" "" _name "${_name}")
    add_test(NAME wasm/js/${_name} COMMAND node --test "${_script}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(wasm/js/${_name} PROPERTIES LABELS js TIMEOUT 900 ENVIRONMENT "HEFT_NPM=${_npm}")
  endforeach()
  add_test(NAME wasm/js/package COMMAND sh "${_js}/test/package.sh" "${_npm}" "${PROJECT_BINARY_DIR}/npm-test")
  set_tests_properties(wasm/js/package PROPERTIES LABELS js TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "HEFT_TYPESCRIPT=${PROJECT_BINARY_DIR}/typescript")
endif()
