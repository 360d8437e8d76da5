// SPDX-License-Identifier: Apache-2.0
// Patches: the area in which two convex shapes overlap, as points that represent parts of it.
#ifndef HEFT_SRC_COLLISION_PATCH_H
#define HEFT_SRC_COLLISION_PATCH_H

#include "collision/manifold.h"

/// The patch of a and b along a unit normal from a to b, near a point where they are deepest, both
/// in a's frame, after a has moved by `closing` along the normal: where they will overlap. Gaps are
/// those before it, positive where they are still apart. Replaces the points of `out`, in the order
/// of their features; area: of each. No points if they will not overlap. Not for triangles and
/// triangle meshes.
void heft_patch(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, HeftVec3 normal,
                HeftVec3 pos, double closing, Manifold* out, double area[MANIFOLD_MAX]);

#endif
