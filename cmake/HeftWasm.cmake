# SPDX-License-Identifier: Apache-2.0
# WebAssembly (presets wasm and wasm-simd): Debian's sources of expat, libpng, zlib, qhull, zstd and cmocka, which
# js/wasm_sources.sh fetches into build/wasm-sources, compiled under the names that the native build finds; and
# the parts of POSIX that wasi-libc does not have (js/port). The rest of the build is the native one, with static
# libraries alone.
#   HEFT_WASM_SIMD   use SIMD128. The same bits: no relaxed SIMD, in which a machine may fuse or round as it likes
set(CMAKE_EXECUTABLE_SUFFIX .wasm)  # which the platform Generic leaves out
option(HEFT_WASM_SIMD "Use SIMD128 of WebAssembly" OFF)
set(HEFT_WASM_SOURCES "${PROJECT_SOURCE_DIR}/build/wasm-sources" CACHE PATH "Debian's sources of libraries")

execute_process(COMMAND sh "${PROJECT_SOURCE_DIR}/js/wasm_sources.sh" "${HEFT_WASM_SOURCES}"
  RESULT_VARIABLE _failed)
if(_failed)
  message(FATAL_ERROR "The sources of the libraries are missing; see above.")
endif()

enable_language(ASM)
set(_port "${PROJECT_SOURCE_DIR}/js/port")
set(CMAKE_C_STANDARD_LIBRARIES "-lwasi-emulated-signal -lwasi-emulated-getpid -lwasi-emulated-process-clocks")

# Everything is compiled with this. A stack that overflows shall trap: it comes first in memory, data above it.
add_library(heft_wasm INTERFACE)
target_include_directories(heft_wasm SYSTEM INTERFACE "${_port}/include")
target_compile_definitions(heft_wasm INTERFACE
  _WASI_EMULATED_SIGNAL _WASI_EMULATED_GETPID _WASI_EMULATED_PROCESS_CLOCKS)
target_compile_options(heft_wasm INTERFACE -ffunction-sections -fdata-sections -mno-relaxed-simd
  -Wno-unused-command-line-argument
  "$<IF:$<BOOL:${HEFT_WASM_SIMD}>,-msimd128,-mno-simd128>")
# -O0: else clang runs wasm-opt, if it finds one, which does not know the features that are used here.
target_link_options(heft_wasm INTERFACE -O0 -Wl,--gc-sections -Wl,--stack-first -Wl,-z,stack-size=8388608)
target_link_libraries(heft_flags INTERFACE heft_wasm)

# setjmp and longjmp by exceptions of WebAssembly, for functions that call setjmp.
add_library(heft_jumps INTERFACE)
target_compile_options(heft_jumps INTERFACE
  "$<$<COMPILE_LANGUAGE:C>:-mexception-handling;SHELL:-mllvm -wasm-enable-sjlj>")
add_library(heft_jump STATIC "${_port}/setjmp.c" "${_port}/setjmp_tag.S")
target_link_libraries(heft_jump PRIVATE heft_flags heft_jumps)
target_compile_options(heft_jump PRIVATE -mexception-handling)

# heft_other_library(<name> SOURCES <file>... INCLUDE <folder>... DEFINE <definition>... LINK <library>...)
# The code of others, without warnings.
function(heft_other_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;INCLUDE;DEFINE;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE heft_wasm heft_jumps PUBLIC heft_jump ${arg_LINK})
  target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE ${arg_DEFINE})
  target_compile_options(${name} PRIVATE -w)
endfunction()

set(_expat "${HEFT_WASM_SOURCES}/expat/expat/lib")
heft_other_library(expat SOURCES "${_expat}/xmlparse.c" "${_expat}/xmlrole.c" "${_expat}/xmltok.c"
  INCLUDE "${_expat}" "${PROJECT_BINARY_DIR}/config"
  DEFINE HAVE_MEMMOVE HAVE_ARC4RANDOM_BUF XML_GE=1 XML_CONTEXT_BYTES=1024 XML_DTD XML_NS XML_STATIC)
file(WRITE "${PROJECT_BINARY_DIR}/config/expat_config.h" "")  # the definitions above
add_library(EXPAT::EXPAT ALIAS expat)

set(_zlib "${HEFT_WASM_SOURCES}/zlib")
file(GLOB _sources "${_zlib}/*.c")
list(FILTER _sources EXCLUDE REGEX "/gz[a-z]+[.]c$")  # files of its own
heft_other_library(zlib SOURCES ${_sources} INCLUDE "${_zlib}")

set(_png "${HEFT_WASM_SOURCES}/libpng1.6")
file(GLOB _sources "${_png}/png*.c")
list(FILTER _sources EXCLUDE REGEX "/pngtest[.]c$")
configure_file("${_png}/scripts/pnglibconf.h.prebuilt" "${PROJECT_BINARY_DIR}/config/pnglibconf.h" COPYONLY)
heft_other_library(png SOURCES ${_sources} INCLUDE "${_png}" "${PROJECT_BINARY_DIR}/config" LINK zlib)
add_library(PNG::PNG ALIAS png)

set(_qhull "${HEFT_WASM_SOURCES}/qhull/src")
file(GLOB _sources "${_qhull}/libqhull_r/*_r.c")
heft_other_library(qhull_r SOURCES ${_sources} INCLUDE "${_qhull}" DEFINE qh_NOtrace)
target_compile_options(qhull_r PRIVATE "SHELL:-include ${_port}/include/quiet_qhull.h")
set_source_files_properties("${_qhull}/libqhull_r/userprintf_r.c" PROPERTIES COMPILE_DEFINITIONS HEFT_QHULL_PRINTS)
set(HEFT_QHULL_LIBRARY qhull_r)
set(HEFT_QHULL_INCLUDE_DIR "${_qhull}")

# The half of zstd that reads: logs and sessions of other machines are compressed; those written here are not.
set(_zstd "${HEFT_WASM_SOURCES}/libzstd/lib")
file(GLOB _sources "${_zstd}/common/*.c" "${_zstd}/decompress/*.c")
list(FILTER _sources EXCLUDE REGEX "/(pool|threading)[.]c$")
heft_other_library(zstd_reader SOURCES ${_sources} INCLUDE "${_zstd}"
  DEFINE ZSTD_LEGACY_SUPPORT=0 ZSTD_NO_TRACE=1 ZSTD_STRIP_ERROR_STRINGS=1 HUF_FORCE_DECOMPRESS_X1=1
    ZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT=1 ZSTD_NO_INLINE=1)

if(HEFT_BUILD_TESTS)
  # Tests are named wasm/<room>/<thing>. Left out are those that need sockets, dlopen or a screen, whole rooms of
  # them; devices and experiments for their robots; other processes, pipes and links of the disk.
  set(HEFT_TEST_PREFIX "wasm/")
  set(HEFT_TESTS_LEFT_OUT "^((device|link|plugin|robot|view|experiments|validation)/|\
api/(misuse|starved)$|io/starved$|control/|interact/(behaviour|mobility|moving|touch)$|io/(convert|locale|read_file)$)")
  set(_cmocka "${HEFT_WASM_SOURCES}/cmocka")
  heft_other_library(cmocka SOURCES "${_cmocka}/src/cmocka.c" "${_port}/test_files.c" INCLUDE "${_cmocka}/include"
    DEFINE HAVE_SIGNAL_H HAVE_MALLOC_H HAVE_STRINGS_H HAVE_INTTYPES_H HAVE_TIME_H HAVE_CLOCK_REALTIME
      HAVE_CLOCK_GETTIME HAVE_STRUCT_TIMESPEC HAVE_SNPRINTF HAVE_VSNPRINTF)
  target_compile_definitions(cmocka PUBLIC _UINTPTR_T_DEFINED HAVE_UINTPTR_T)
  target_link_libraries(cmocka INTERFACE heft_jumps c-printscan-long-double)
  target_compile_options(cmocka INTERFACE "SHELL:-include ${_port}/include/test_files.h")
  add_library(cmocka::cmocka ALIAS cmocka)
endif()
