// SPDX-License-Identifier: Apache-2.0
// A pose as three rows of four numbers, rotation and position side by side, so that a product of
// two is nine products of a number with a row.
#ifndef HEFT_SRC_COLLISION_ROWS_H
#define HEFT_SRC_COLLISION_ROWS_H

#include <heft/math.h>

#include "math/simd.h"

typedef struct Rows {
  _Alignas(32) double r[3][4];
} Rows;

static inline HeftPose rows_to_pose(const Rows* x) {
  HeftPose p;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) p.rot.m[i][j] = x->r[i][j];
  }
  p.pos = heft_vec3(x->r[0][3], x->r[1][3], x->r[2][3]);
  return p;
}

static inline Rows rows_of(HeftPose p) {
  Rows x;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) x.r[i][j] = p.rot.m[i][j];
  }
  x.r[0][3] = p.pos.x;
  x.r[1][3] = p.pos.y;
  x.r[2][3] = p.pos.z;
  return x;
}

/// out = outer ∘ inner; the outer rotation's entries are rot[i * row + j * column].
HEFT_INLINE void rows_place(const double* rot, int row, int column, const double* pos,
                            const Rows* inner, Rows* out) {
  const V4 s0 = v4_load_aligned(inner->r[0]), s1 = v4_load_aligned(inner->r[1]);
  const V4 s2 = v4_load_aligned(inner->r[2]);
  for (int i = 0; i < 3; ++i) {
    const V4 shift = {0, 0, 0, pos[i]};
    const V4 r = rot[i * row] * s0 + rot[i * row + column] * s1 + rot[i * row + 2 * column] * s2;
    v4_store_aligned(out->r[i], r + shift);
  }
}

#endif
