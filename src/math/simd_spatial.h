// SPDX-License-Identifier: Apache-2.0
// Three-vectors and 3x3 matrices in V4: components 0 to 2 are used, component 3 is zero and stays
// zero. A matrix is its three columns, so that a product with a vector is three scaled columns.
#ifndef HEFT_SRC_MATH_SIMD_SPATIAL_H
#define HEFT_SRC_MATH_SIMD_SPATIAL_H

#include "math/simd.h"

/// A motion or a force: angular and linear part.
typedef struct Pair {
  V4 ang, lin;
} Pair;

/// a × b: one shuffle of each input and one of the result.
HEFT_INLINE V4 v4_cross(V4 a, V4 b) {
  const V4 a_next = V4_SHUFFLE(a, a, 1, 2, 0, 3), b_next = V4_SHUFFLE(b, b, 1, 2, 0, 3);
  const V4 c = a * b_next - a_next * b;
  return V4_SHUFFLE(c, c, 1, 2, 0, 3);
}

/// Sum of the three products.
HEFT_INLINE double v4_dot3(V4 a, V4 b) {
  const V4 p = a * b;
  return (p[0] + p[1]) + p[2];
}

/// c0 x + c1 y + c2 z.
HEFT_INLINE V4 v4_combine(const V4 c[3], double x, double y, double z) {
  return (c[0] * x + c[1] * y) + c[2] * z;
}

/// The matrix with columns c times a vector kept in memory.
HEFT_INLINE V4 v4_mul_mat(const V4 c[3], const double* v) {
  return v4_combine(c, v[0], v[1], v[2]);
}

/// The matrix with columns c times the first three components of v.
HEFT_INLINE V4 v4_mul_mat_v4(const V4 c[3], V4 v) { return v4_combine(c, v[0], v[1], v[2]); }

/// The sums ((0 + 1) + (2 + 3)) of the components of four vectors.
HEFT_INLINE V4 v4_sums(V4 a, V4 b, V4 c, V4 d) {
  const V4 ab = V4_SHUFFLE(a, b, 0, 4, 2, 6) + V4_SHUFFLE(a, b, 1, 5, 3, 7);
  const V4 cd = V4_SHUFFLE(c, d, 0, 4, 2, 6) + V4_SHUFFLE(c, d, 1, 5, 3, 7);
  return V4_SHUFFLE(ab, cd, 0, 1, 4, 5) + V4_SHUFFLE(ab, cd, 2, 3, 6, 7);
}

HEFT_INLINE Pair pair_zero(void) { return (Pair){v4_all(0), v4_all(0)}; }
HEFT_INLINE Pair pair_add(Pair a, Pair b) { return (Pair){a.ang + b.ang, a.lin + b.lin}; }
HEFT_INLINE Pair pair_sub(Pair a, Pair b) { return (Pair){a.ang - b.ang, a.lin - b.lin}; }
HEFT_INLINE Pair pair_scale(Pair a, double s) { return (Pair){a.ang * s, a.lin * s}; }
HEFT_INLINE Pair pair_add_scaled(Pair a, Pair b, double s) {
  return (Pair){a.ang + b.ang * s, a.lin + b.lin * s};
}

/// Motion times force, or the plain product of two pairs.
HEFT_INLINE double pair_dot(Pair a, Pair b) {
  const V4 p = a.ang * b.ang + a.lin * b.lin;
  return (p[0] + p[1]) + (p[2] + p[3]);
}

/// Motion × motion.
HEFT_INLINE Pair pair_cross(Pair a, Pair b) {
  return (Pair){v4_cross(a.ang, b.ang), v4_cross(a.ang, b.lin) + v4_cross(a.lin, b.ang)};
}

#endif
