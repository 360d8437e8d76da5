// SPDX-License-Identifier: Apache-2.0
// The selection of contact points if the capacity is exceeded.
#ifndef HEFT_SRC_COLLISION_SELECTION_H
#define HEFT_SRC_COLLISION_SELECTION_H

#include "collision/collider.h"

/// Adds the contact points of a pair to the list, which may be full.
void heft_selection_add(HeftCollider* c, const HeftContactPoint* points, int count);
/// Brings the list into its order again, if points were dropped.
void heft_selection_finish(HeftCollider* c);

#endif
