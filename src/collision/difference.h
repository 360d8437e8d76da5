// SPDX-License-Identifier: Apache-2.0
// The difference D = A - B of two convex cores, by its support points.
//
// D holds the origin exactly if A and B overlap. With v the point of D closest to the origin, |v|
// is the distance, and from a to b points -v. With h(n) how far D reaches along n, distance and
// depth are both -min h(n) over all unit n.
#ifndef HEFT_SRC_COLLISION_DIFFERENCE_H
#define HEFT_SRC_COLLISION_DIFFERENCE_H

#include "collision/geometry.h"

/// A point of D, with the point of A it comes from.
typedef struct Difference {
  HeftVec3 w, on_a;
} Difference;

typedef struct Nearness {
  HeftVec3 normal;      ///< unit, from a to b
  double gap;           ///< distance of the cores, negative: depth
  HeftVec3 on_a, on_b;  ///< closest or deepest points of the cores, in a's frame
} Nearness;

typedef struct Cores {
  const Geometry *a, *b;
  HeftPose b_in_a;
  int vertex_a, vertex_b;  ///< where the last support points were found
  double scale;            ///< size of both, for tolerances
  double floor;            ///< D reaches no less far in any direction
} Cores;

/// The point of D farthest along d.
static inline Difference cores_support(Cores* p, HeftVec3 d) {
  Difference s;
  s.on_a = heft_geometry_support_from(p->a, d, &p->vertex_a);
  const HeftVec3 in_b = heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, d));
  const HeftVec3 b =
      heft_pose_apply(p->b_in_a, heft_geometry_support_from(p->b, in_b, &p->vertex_b));
  s.w = heft_vec3_sub(s.on_a, b);
  return s;
}

/// h(n): how far D reaches along a unit vector.
static inline double cores_reach(Cores* p, HeftVec3 n) {
  return heft_vec3_dot(n, cores_support(p, n).w);
}

/// A unit vector square to d.
static inline HeftVec3 any_across(HeftVec3 d) {
  const double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
  const HeftVec3 axis =
      x <= y && x <= z ? heft_vec3(1, 0, 0) : (y <= z ? heft_vec3(0, 1, 0) : heft_vec3(0, 0, 1));
  return heft_vec3_normalize(heft_vec3_cross(d, axis));
}

#endif
