// SPDX-License-Identifier: Apache-2.0
// Patches: the area in which two convex shapes overlap, as points that represent parts of it.
#ifndef HEFT_SRC_COLLISION_PATCH_H
#define HEFT_SRC_COLLISION_PATCH_H

#include "collision/manifold.h"

/// By how much two shapes close along a normal: at one point, and its gradient across the normal
/// (they tilt against each other).
typedef struct Closing {
  double way;
  HeftVec3 slope;
} Closing;

/// The patch of a and b along a unit normal from a to b, near a point where they are deepest, both
/// in a's frame, after a has moved by `closing` along the normal: where they will overlap. Gaps are
/// those before it, positive where they are still apart. Replaces the points of `out`, contact
/// points of the two, in the order of their features; area: of each. No points if they will not
/// overlap. Not for triangles and triangle meshes.
void heft_patch(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, HeftVec3 normal,
                HeftVec3 pos, Closing closing, Manifold* out, double area[MANIFOLD_MAX]);

#endif
