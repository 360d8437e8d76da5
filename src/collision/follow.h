// SPDX-License-Identifier: Apache-2.0
// Contact points followed to other poses of their shapes.
#ifndef HEFT_SRC_COLLISION_FOLLOW_H
#define HEFT_SRC_COLLISION_FOLLOW_H

#include "collision/collider.h"

/// Moves the contact points of one pair of shapes (count, as the last heft_collider_collide() found
/// them) to where they are when the links have these frames, as of heft_collider_update_links():
/// place, normal and tangents; the tangents turn only with the normal. found[i] becomes 0 if a
/// point is lost or jumps; it is then left as it is. The collider keeps its poses and its points.
void heft_collider_follow(const HeftCollider* c, const double* link_frames, int count,
                          HeftContactPoint* point, int* found);

#endif
