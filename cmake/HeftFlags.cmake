# SPDX-License-Identifier: Apache-2.0
# How every file of Heft is compiled. The rule behind the flags: none of them may change a bit of a
# result. See docs/decisions/002-determinism.md.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
endif()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # no path of the build in a library: packaging/check_reproducible.sh
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(NOT HEFT_WASM)  # a module of WebAssembly is linked once
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

include(HeftArithmetic)
get_directory_property(_options COMPILE_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" _type)
heft_refuse_arithmetic("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${_type}} ${_options}")

# The same bits from every compiler and level: no contraction of a*b+c into one rounding.
# -fno-math-errno only stops sqrt() from setting errno, so that it becomes one instruction.
add_library(heft_flags INTERFACE)
target_compile_options(heft_flags INTERFACE -ffp-contract=off -fno-math-errno)
# gcc 12 keeps that promise but in its vectoriser, which turns alternating a*b+c and a*b-c into one
# vfmaddsub where the machine has it. What is worth a vector is written as one (src/math/simd.h).
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(heft_flags INTERFACE -fno-tree-vectorize)
endif()
# In strict C, gcc computes floats as doubles on s390x, and does not take vectors of floats then.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "s390")
  target_compile_options(heft_flags INTERFACE -fexcess-precision=fast)
endif()
if(HEFT_NATIVE)
  target_compile_options(heft_flags INTERFACE -march=native)
endif()
# Strict C17 hides POSIX (clock_gettime and friends); ask for it by name.
target_compile_definitions(heft_flags INTERFACE _POSIX_C_SOURCE=200809L)

# -Wswitch-enum: a switch over a kind names every kind, so that a new kind gives a diagnostic in each
# file that must change (docs/decisions/240-kinds-the-compiler-checks.md).
target_compile_options(heft_flags INTERFACE
  -Wall -Wextra -Wshadow -Wno-psabi -Wswitch-enum
  "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>")
# A function that no header declares returns an int, and a pointer that comes back through an int is
# cut to 32 bits: never only a warning.
target_compile_options(heft_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration;-Werror=int-conversion>")
if(HEFT_WERROR)
  target_compile_options(heft_flags INTERFACE -Werror)
endif()

# The library itself is held to more than tests and examples are.
set(HEFT_STRICT_WARNINGS
  -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wpointer-arith -Wundef -Wvla
  -Wwrite-strings)

if(HEFT_SANITIZE)
  list(JOIN HEFT_SANITIZE "," _sanitizers)
  target_compile_options(heft_flags INTERFACE
    -fsanitize=${_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(HEFT_SANITIZE_WITHOUT)
    list(JOIN HEFT_SANITIZE_WITHOUT "," _without)
    target_compile_options(heft_flags INTERFACE -fno-sanitize=${_without})
  endif()
  target_link_options(heft_flags INTERFACE -fsanitize=${_sanitizers})
endif()
