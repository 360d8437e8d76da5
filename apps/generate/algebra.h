// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices of expressions: the operations of src/math/simd_spatial.h in the same order.
#ifndef HEFT_APPS_GENERATE_ALGEBRA_H
#define HEFT_APPS_GENERATE_ALGEBRA_H

#include "generate/graph.h"

/// A motion or a force.
typedef struct PairOf {
  Vec ang, lin;
} PairOf;

/// Axes of a link (columns), and its position.
typedef struct PoseOf {
  Vec rot[3], pos;
} PoseOf;

static inline Vec vec_zero(Graph* g) { return vec_const(g, 0, 0, 0); }

/// v4_cross
static inline Vec vec_cross(Graph* g, Vec a, Vec b) {
  const Vec left = vec_mul(g, a, vec_next(g, b)), right = vec_mul(g, vec_next(g, a), b);
  return vec_next(g, vec_sub(g, left, right));
}

/// v4_combine
static inline Vec vec_combine(Graph* g, const Vec c[3], Num x, Num y, Num z) {
  return vec_add(g, vec_add(g, vec_scale(g, c[0], x), vec_scale(g, c[1], y)),
                 vec_scale(g, c[2], z));
}

/// v4_mul_mat, by constants
static inline Vec vec_mul_mat(Graph* g, const Vec c[3], const double* v) {
  return vec_combine(g, c, num_const(g, v[0]), num_const(g, v[1]), num_const(g, v[2]));
}

/// v4_mul_mat_v4
static inline Vec vec_mul_mat_vec(Graph* g, const Vec c[3], Vec v) {
  return vec_combine(g, c, vec_lane(g, v, 0), vec_lane(g, v, 1), vec_lane(g, v, 2));
}

static inline PairOf pair_none(Graph* g) { return (PairOf){vec_zero(g), vec_zero(g)}; }
static inline PairOf pair_sum(Graph* g, PairOf a, PairOf b) {
  return (PairOf){vec_add(g, a.ang, b.ang), vec_add(g, a.lin, b.lin)};
}
static inline PairOf pair_times(Graph* g, PairOf a, Num s) {
  return (PairOf){vec_scale(g, a.ang, s), vec_scale(g, a.lin, s)};
}
/// pair_add_scaled
static inline PairOf pair_sum_scaled(Graph* g, PairOf a, PairOf b, Num s) {
  return pair_sum(g, a, pair_times(g, b, s));
}
/// pair_cross
static inline PairOf pair_cross_of(Graph* g, PairOf a, PairOf b) {
  return (PairOf){vec_cross(g, a.ang, b.ang),
                  vec_add(g, vec_cross(g, a.ang, b.lin), vec_cross(g, a.lin, b.ang))};
}
/// pair_dot
static inline Num pair_product(Graph* g, PairOf a, PairOf b) {
  const Vec p = vec_add(g, vec_mul(g, a.ang, b.ang), vec_mul(g, a.lin, b.lin));
  return num_add(g, num_add(g, vec_lane(g, p, 0), vec_lane(g, p, 1)),
                 num_add(g, vec_lane(g, p, 2), vec_lane(g, p, 3)));
}

#endif
