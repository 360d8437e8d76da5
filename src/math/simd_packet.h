// SPDX-License-Identifier: Apache-2.0
// SIMD packets: the same quantity of four objects, one object per component of a V4.
#ifndef HEFT_SRC_MATH_SIMD_PACKET_H
#define HEFT_SRC_MATH_SIMD_PACKET_H

#include <math.h>

#include "math/simd.h"

typedef struct Six4 {
  V4 v[6];
} Six4;

HEFT_INLINE V4 v4_root(V4 a) { return (V4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }

// Impulses or velocities of four contacts.
typedef struct Packet3 {
  V4 n, t1, t2;
} Packet3;

HEFT_INLINE void transpose(V4* a, V4* b, V4* c, V4* d) {
  const V4 ab0 = V4_SHUFFLE(*a, *b, 0, 4, 2, 6), ab1 = V4_SHUFFLE(*a, *b, 1, 5, 3, 7);
  const V4 cd0 = V4_SHUFFLE(*c, *d, 0, 4, 2, 6), cd1 = V4_SHUFFLE(*c, *d, 1, 5, 3, 7);
  *a = V4_SHUFFLE(ab0, cd0, 0, 1, 4, 5);
  *b = V4_SHUFFLE(ab1, cd1, 0, 1, 4, 5);
  *c = V4_SHUFFLE(ab0, cd0, 2, 3, 6, 7);
  *d = V4_SHUFFLE(ab1, cd1, 2, 3, 6, 7);
}

HEFT_INLINE Packet3 gather_slots(const double* x) {
  V4 a = v4_load(x), b = v4_load(x + 4), c = v4_load(x + 8), d = v4_load(x + 12);
  transpose(&a, &b, &c, &d);
  return (Packet3){a, b, c};
}

HEFT_INLINE void scatter_slots(double* x, Packet3 r) {
  V4 a = r.n, b = r.t1, c = r.t2, d = v4_all(0);
  transpose(&a, &b, &c, &d);
  v4_store(x, a), v4_store(x + 4, b), v4_store(x + 8, c), v4_store(x + 12, d);
}

#endif
