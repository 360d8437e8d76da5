# SPDX-License-Identifier: Apache-2.0
# Toolchain of the presets wasm and wasm-simd: Debian's clang-16, lld-16, llvm-16, wasi-libc and
# libclang-rt-16-dev-wasm32. Programs run in node, by js/test/run.mjs. See docs/decisions/066-webassembly.md.
set(CMAKE_SYSTEM_NAME Generic)  # no shared libraries, no threads, no sockets
set(CMAKE_SYSTEM_PROCESSOR wasm32)
foreach(_program clang-16 wasm-ld-16 llvm-ar-16)
  find_program(_found_${_program} ${_program})
  if(NOT _found_${_program})
    message(FATAL_ERROR "${_program} was not found; on Debian 12 run: "
      "apt-get install clang-16 lld-16 llvm-16 wasi-libc libclang-rt-16-dev-wasm32 dpkg-dev nodejs")
  endif()
endforeach()
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_ASM_COMPILER clang-16)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_ASM_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
set(CMAKE_AR llvm-ar-16)
set(CMAKE_RANLIB llvm-ranlib-16)
# Of the machine's own folders nothing fits but what wasi-libc put there, which clang finds by itself.
foreach(_kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${_kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH "${CMAKE_BINARY_DIR}")
set(CMAKE_CROSSCOMPILING_EMULATOR node "${CMAKE_CURRENT_LIST_DIR}/../js/test/run.mjs")
set(HEFT_WASM ON)
