// SPDX-License-Identifier: Apache-2.0
// Loops over slot vectors, whose length is a multiple of four. Sums run in four components,
// then over the components in a fixed order: the same bits from every compiler.
#ifndef HEFT_SRC_MATH_SLOT_VECTOR_H
#define HEFT_SRC_MATH_SLOT_VECTOR_H

#include "math/simd.h"

static inline double packed_dot(const double* x, const double* y, int n) {
  V4 sum0 = {0}, sum1 = {0};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    sum0 += v4_load(x + k) * v4_load(y + k);
    sum1 += v4_load(x + k + 4) * v4_load(y + k + 4);
  }
  for (; k < n; k += 4) sum0 += v4_load(x + k) * v4_load(y + k);
  sum0 += sum1;
  return (sum0[0] + sum0[1]) + (sum0[2] + sum0[3]);
}

/// x · y and x · z, each as lanes_dot() does it.
HEFT_INLINE void packed_two_dots(const double* x, const double* y, const double* z, int n,
                                 double* xy, double* xz) {
  V4 y0 = {0}, y1 = {0}, z0 = {0}, z1 = {0};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    const V4 a = v4_load(x + k), b = v4_load(x + k + 4);
    y0 += a * v4_load(y + k);
    y1 += b * v4_load(y + k + 4);
    z0 += a * v4_load(z + k);
    z1 += b * v4_load(z + k + 4);
  }
  for (; k < n; k += 4) {
    y0 += v4_load(x + k) * v4_load(y + k);
    z0 += v4_load(x + k) * v4_load(z + k);
  }
  y0 += y1;
  z0 += z1;
  *xy = (y0[0] + y0[1]) + (y0[2] + y0[3]);
  *xz = (z0[0] + z0[1]) + (z0[2] + z0[3]);
}

/// out := x - Σ s_c y_c, one after the other; the y_c are `apart` doubles from each other.
HEFT_INLINE void packed_extrapolate(double* out, const double* x, int count, const double* s,
                                    const double* y, size_t apart, int n) {
  int k = 0;
  for (; k + 16 <= n; k += 16) {
    V4 s0 = v4_load(x + k), s1 = v4_load(x + k + 4), s2 = v4_load(x + k + 8),
       s3 = v4_load(x + k + 12);
    const double* at = y + k;
    for (int c = 0; c < count; ++c, at += apart) {
      const V4 factor = v4_all(s[c]);
      s0 -= factor * v4_load(at);
      s1 -= factor * v4_load(at + 4);
      s2 -= factor * v4_load(at + 8);
      s3 -= factor * v4_load(at + 12);
    }
    v4_store(out + k, s0);
    v4_store(out + k + 4, s1);
    v4_store(out + k + 8, s2);
    v4_store(out + k + 12, s3);
  }
  for (; k < n; k += 4) {
    V4 sum = v4_load(x + k);
    const double* at = y + k;
    for (int c = 0; c < count; ++c, at += apart) sum -= s[c] * v4_load(at);
    v4_store(out + k, sum);
  }
}

static inline void packed_copy(double* out, const double* x, int n) {
  for (int k = 0; k < n; k += 4) v4_store(out + k, v4_load(x + k));
}

static inline void packed_subtract(double* out, const double* x, const double* y, int n) {
  for (int k = 0; k < n; k += 4) v4_store(out + k, v4_load(x + k) - v4_load(y + k));
}

#endif
