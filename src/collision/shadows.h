// SPDX-License-Identifier: Apache-2.0
// Contact points behind another body.
#ifndef HEFT_SRC_COLLISION_SHADOWS_H
#define HEFT_SRC_COLLISION_SHADOWS_H

#include "collision/collider.h"

/// Removes contact points that others imply, because a third body lies between the two. Reads and
/// changes the contact points of this call.
void heft_shadows_remove(HeftCollider* c);

#endif
