// SPDX-License-Identifier: Apache-2.0
// Three things can change the bits of all results without a word:
//   - options of the compiler that permit other arithmetic (-ffast-math and its parts);
//   - a*b + c with one rounding instead of two (-ffp-contract=fast);
//   - the control register of the processor. It belongs to a thread and a new thread copies it, so
//     that a library that was linked with -ffast-math, whose start file flushes small numbers to
//     zero, changes the arithmetic of the whole program.
// The build refuses the first two by name (cmake/HeftFlags.cmake) and by the lines below. Each test
// computes with numbers that the compiler cannot see and compares with the result of IEEE 754.
#include "base/float_environment.h"

#include <float.h>
#include <stddef.h>

#if defined __FAST_MATH__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__)
#error "Heft needs the arithmetic of IEEE 754: compile without -ffast-math, -Ofast and their parts"
#endif
#if defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__
#error \
    "Heft needs the arithmetic of IEEE 754: compile without -fassociative-math, -freciprocal-math"
#endif
#if FLT_EVAL_METHOD != 0
#error \
    "Heft needs doubles that are rounded after every operation: on i386 compile with -msse2 -mfpmath=sse"
#endif

static int flushes(void) {
  volatile double small = DBL_MIN, half = 0.5;
  volatile double subnormal = small * half;
  volatile double large = 0x1p60;
  return !(subnormal > 0) || !(subnormal * large > 0);
}

// 1 + 2^-53 lies in the middle between 1 and 1 + 2^-52, 1 + 1.5 2^-53 above it.
static int rounds_otherwise(void) {
  volatile double one = 1, half_bit = 0x1p-53, more = 0x1.8p-53;
  volatile double even = one + half_bit, up = one + more, down = -one - half_bit;
  return even != 1 || up != 1 + DBL_EPSILON || down != -1;
}

// (1 + 2^-30)(1 - 2^-30) = 1 - 2^-60 is rounded to 1.
static int contracts(void) {
  volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1;
  const double x = a, y = b, z = c;
  return x * y + z != 0;
}

// (1 + 2^60) - 2^60 loses the 1; a / b is not a (1 / b).
static int rearranges(void) {
  volatile double a = 1, b = 0x1p60, c = 49;
  const double x = a, y = b, z = c;
  const double first = x + y, second = first - y;
  return second != 0 || z / z != 1 || (x / z) * z == 1;
}

// fesetenv() of MinGW-w64 resets the x87 alone.
#ifdef _WIN32
#define USUAL "_controlfp(_DN_SAVE, _MCW_DN)"
#else
#define USUAL "fesetenv(FE_DFL_ENV)"
#endif

const char* heft_float_environment_fault(void) {
  if (rounds_otherwise())
    return "this thread does not round to nearest: call fesetround(FE_TONEAREST) first";
  if (flushes())
    return "this thread flushes small numbers to zero (FTZ or DAZ), perhaps because of a library "
           "that was linked with -ffast-math: call " USUAL " first";
  if (contracts())
    return "the library was compiled with contraction of a*b + c: compile it with "
           "-ffp-contract=off";
  if (rearranges())
    return "the library was compiled with other rules than those of IEEE 754: compile it without "
           "-ffast-math";
  return NULL;
}
