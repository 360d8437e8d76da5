// SPDX-License-Identifier: Apache-2.0
// Directions along which two slots stay apart during a step.
#ifndef HEFT_SRC_COLLISION_STAY_APART_H
#define HEFT_SRC_COLLISION_STAY_APART_H

#include "collision/collider.h"

/// 1 if a direction shows that two slots begin farther apart than `margin`, and that they come no
/// closer than `distance`, which is no larger, in the step. Needs their motions. axes: of the
/// thread (SEPARATING_AXES). They save time and never change a result of the search for the time of
/// impact.
int heft_collider_stay_apart(const HeftCollider* c, int a, int b, double margin, double distance,
                             SeparatingAxis* axes);
/// Stores a direction from a to b, in the world, for the next call. Zero: none.
void heft_collider_keep_axis(const HeftCollider* c, int a, int b, HeftVec3 normal,
                             SeparatingAxis* axes);

#endif
