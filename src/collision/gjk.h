// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores when apart, depth when they overlap.
#ifndef HEFT_SRC_COLLISION_GJK_H
#define HEFT_SRC_COLLISION_GJK_H

#include "collision/geometry.h"

enum { EPA_VERTEX_MAX = 128, EPA_FACE_MAX = 2 * EPA_VERTEX_MAX };

/// A point of the difference A - B, with the point of A it comes from.
typedef struct Difference {
  HeftVec3 w, on_a;
} Difference;

typedef struct EpaFace {
  HeftVec3 normal;  ///< outward
  double distance;  ///< of the origin below the face; infinite for slivers
  int vertex[3];
  int next[3];  ///< face across the edge from vertex k to k + 1
  int state;    ///< alive, dead, or marked while the horizon is sought
  int final;    ///< cannot be grown: its distance is that of D's boundary
} EpaFace;

/// Memory of one narrow-phase call.
typedef struct EpaScratch {
  Difference vertex[EPA_VERTEX_MAX];
  EpaFace face[EPA_FACE_MAX];
  double rank[EPA_FACE_MAX];  ///< distance of living faces, infinite for others
  int stack[EPA_FACE_MAX];
  int horizon[EPA_FACE_MAX][2];  ///< (face, edge) just outside of what is visible
} EpaScratch;

typedef struct Nearness {
  HeftVec3 normal;      ///< unit, from a to b
  double gap;           ///< distance of the cores, negative: depth
  HeftVec3 on_a, on_b;  ///< closest or deepest points of the cores, in a's frame
} Nearness;

/// Distance or depth of two convex cores (not planes, not soups). Returns 0
/// as soon as it is certain that they are farther apart than limit (then out->normal is a direction
/// that separates them); otherwise 1. scratch may be NULL for cores that are known to be apart;
/// then 0 is also returned where rounding says otherwise.
int heft_nearness(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double limit,
                  EpaScratch* scratch, Nearness* out);

#endif
