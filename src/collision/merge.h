// SPDX-License-Identifier: Apache-2.0
// One contact of a compound, instead of one for each of its pieces.
#ifndef HEFT_SRC_COLLISION_MERGE_H
#define HEFT_SRC_COLLISION_MERGE_H

#include "collision/collider.h"

/// Reduces the contact points that pieces of a compound have with the same shape or compound.
/// Reads and changes the contact points of this call.
void heft_compounds_merge(HeftCollider* c);

#endif
