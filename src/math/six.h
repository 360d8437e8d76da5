// SPDX-License-Identifier: Apache-2.0
// Twists and wrenches in registers.
#ifndef HEFT_SRC_MATH_SIX_H
#define HEFT_SRC_MATH_SIX_H

#include "math/simd.h"

// A twist or wrench: four numbers and two.
typedef struct Six {
  V4 head;
  V2 tail;
} Six;

HEFT_INLINE Six six_load(const double* x) { return (Six){v4_load(x), {x[4], x[5]}}; }

HEFT_INLINE void six_store(double* x, Six a) {
  v4_store(x, a.head);
  x[4] = a.tail[0];
  x[5] = a.tail[1];
}

HEFT_INLINE Six six_add(Six a, Six b) { return (Six){a.head + b.head, a.tail + b.tail}; }

HEFT_INLINE Six six_scale(Six a, double s) { return (Six){a.head * s, a.tail * s}; }

HEFT_INLINE Six six_add_scaled(Six a, const double* x, double s) {
  return (Six){a.head + v4_load(x) * s, a.tail + (V2){x[4], x[5]} * s};
}

HEFT_INLINE double six_dot(Six a, const double* x) {
  const V4 p = a.head * v4_load(x);
  const V2 q = a.tail * (V2){x[4], x[5]};
  return ((p[0] + p[2]) + (p[1] + p[3])) + (q[0] + q[1]);
}

#endif
