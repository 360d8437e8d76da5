// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores when apart, depth when they overlap.
#ifndef HEFT_SRC_COLLISION_NEARNESS_H
#define HEFT_SRC_COLLISION_NEARNESS_H

#include "collision/polytope.h"

/// Distance or depth of two convex cores (not planes, not triangle meshes). Returns 0 as soon as it
/// is certain that they are farther apart than limit (then out->normal is a direction that
/// separates them); otherwise 1. scratch may be NULL for cores that are known to be apart; then 0
/// is also returned where rounding makes them overlap.
int heft_nearness(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double limit,
                  EpaScratch* scratch, Nearness* out);

#endif
