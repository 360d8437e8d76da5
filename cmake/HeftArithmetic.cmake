# SPDX-License-Identifier: Apache-2.0
# Options of the compiler that would change the bits of results are refused by name
# (docs/decisions/002-determinism.md). src/base/float_environment.c finds those that come another way.
#   cmake -DHEFT_TRY_FLAGS="-Ofast" -P cmake/HeftArithmetic.cmake   tries the check alone
include_guard(GLOBAL)

# heft_refuse_arithmetic(<flags>): stops if one of the flags permits other arithmetic than IEEE 754.
function(heft_refuse_arithmetic flags)
  string(REGEX REPLACE "[ ;]+" ";" flags "${flags}")
  foreach(flag IN LISTS flags)
    if(flag MATCHES "^-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only|fno-signed-zeros|ffp-contract=(fast|on|fast-honor-pragmas)|ffp-model=(fast|aggressive)|fp-model=fast.*|mfpmath=387|mdaz-ftz)$")
      message(FATAL_ERROR "Heft computes the same bits with every compiler and cannot be compiled with ${flag}: "
        "remove it from CMAKE_C_FLAGS (or CFLAGS) and configure in an empty folder")
    endif()
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND DEFINED HEFT_TRY_FLAGS)
  heft_refuse_arithmetic("${HEFT_TRY_FLAGS}")
endif()
