// SPDX-License-Identifier: Apache-2.0
// Packets of eight floats in plain GNU C (math/simd.h), one object per component.
//
// Every component does the same IEEE operations in the same order on every machine: sums, products
// and quotients are correctly rounded, nothing is fused, and no instruction that estimates a root
// or a reciprocal is used.
#ifndef HEFT_SRC_MATH_SIMD_FLOAT_H
#define HEFT_SRC_MATH_SIMD_FLOAT_H

#include "math/simd.h"

enum { F8_SIZE = 8 };

typedef float F8 __attribute__((vector_size(32)));
typedef float F4 __attribute__((vector_size(16)));
typedef float F2 __attribute__((vector_size(8)));
typedef int32_t M8 __attribute__((vector_size(32)));  // results of comparisons: 0 or -1

#define F8_SHUFFLE(a, b, ...) __builtin_shufflevector((a), (b), __VA_ARGS__)

/// The address is a multiple of 32.
HEFT_INLINE F8 f8_load(const float* p) {
  F8 v;
  memcpy(&v, __builtin_assume_aligned(p, sizeof v), sizeof v);
  return v;
}

HEFT_INLINE void f8_store(float* p, F8 v) {
  memcpy(__builtin_assume_aligned(p, sizeof v), &v, sizeof v);
}

HEFT_INLINE F4 f4_load(const float* p) {
  F4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

HEFT_INLINE void f4_store(float* p, F4 v) { memcpy(p, &v, sizeof v); }

HEFT_INLINE F8 f8_all(float a) {
  const F8 v = {a};
  return F8_SHUFFLE(v, v, 0, 0, 0, 0, 0, 0, 0, 0);
}

/// a where the mask is all ones, b where it is zero.
HEFT_INLINE F8 f8_select(M8 mask, F8 a, F8 b) { return (F8)((mask & (M8)a) | (~mask & (M8)b)); }

HEFT_INLINE F8 f8_max(F8 a, F8 b) { return f8_select(a > b, a, b); }

/// 1 / √a to about six digits, for a > 0: a start from the exponent and three of Newton's steps.
HEFT_INLINE F8 f8_inverse_root(F8 a) {
  const F8 half = 0.5f * a;
  F8 y = (F8)(0x5f375a86 - ((M8)a >> 1));
  y = y * (1.5f - half * y * y);
  y = y * (1.5f - half * y * y);
  return y * (1.5f - half * y * y);
}

/// The components in this order: ((0+4)+(2+6)) + ((1+5)+(3+7)), as doubles from the first sum on.
HEFT_INLINE double f8_sum(F8 v) {
  return (((double)v[0] + (double)v[4]) + ((double)v[2] + (double)v[6])) +
         (((double)v[1] + (double)v[5]) + ((double)v[3] + (double)v[7]));
}

/// The largest component, or NaN if there is one.
HEFT_INLINE float f8_greatest(F8 v) {
  float most = v[0];
  for (int k = 1; k < F8_SIZE; ++k) most = v[k] > most || v[k] != v[k] ? v[k] : most;
  return most;
}

// ---- eight objects of eight floats each, of which the first six are used

/// Component k of the result has the numbers k of eight objects.
typedef struct Six8 {
  F8 v[6];
} Six8;

HEFT_INLINE F8 f8_join(F4 low, F4 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

HEFT_INLINE F4 f8_low(F8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
HEFT_INLINE F4 f8_high(F8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

// Interleaves the first two, or the last two, numbers of each half of a and b.
#define F8_FIRST(a, b) F8_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define F8_LAST(a, b) F8_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
// The first pair, or the second pair, of each half of a, then of b.
#define F8_PAIR0(a, b) F8_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define F8_PAIR1(a, b) F8_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/// The objects start at[0] .. at[7] floats after z.
HEFT_INLINE Six8 six8_gather(const float* z, const int* at) {
  F8 a[4], b[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    a[k] = f8_join(f4_load(z + at[k]), f4_load(z + at[4 + k]));
    b[k] = f8_join(f4_load(z + at[k] + 4), f4_load(z + at[4 + k] + 4));
  }
  const F8 p = F8_FIRST(a[0], a[1]), q = F8_FIRST(a[2], a[3]), r = F8_LAST(a[0], a[1]),
           s = F8_LAST(a[2], a[3]), t = F8_FIRST(b[0], b[1]), u = F8_FIRST(b[2], b[3]);
  return (Six8){{F8_PAIR0(p, q), F8_PAIR1(p, q), F8_PAIR0(r, s), F8_PAIR1(r, s), F8_PAIR0(t, u),
                 F8_PAIR1(t, u)}};
}

/// The other way round; the last two floats of each object become zero.
HEFT_INLINE void six8_scatter(float* z, const int* at, const Six8* six) {
  const F8 zero = f8_all(0), *v = six->v;
  const F8 p = F8_FIRST(v[0], v[1]), q = F8_FIRST(v[2], v[3]), r = F8_LAST(v[0], v[1]),
           s = F8_LAST(v[2], v[3]), t = F8_FIRST(v[4], v[5]), u = F8_LAST(v[4], v[5]);
  const F8 a[4] = {F8_PAIR0(p, q), F8_PAIR1(p, q), F8_PAIR0(r, s), F8_PAIR1(r, s)};
  const F8 b[4] = {F8_PAIR0(t, zero), F8_PAIR1(t, zero), F8_PAIR0(u, zero), F8_PAIR1(u, zero)};
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    f4_store(z + at[k], f8_low(a[k]));
    f4_store(z + at[4 + k], f8_high(a[k]));
    f4_store(z + at[k] + 4, f8_low(b[k]));
    f4_store(z + at[4 + k] + 4, f8_high(b[k]));
  }
}

#endif
