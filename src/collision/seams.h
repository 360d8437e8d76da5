// SPDX-License-Identifier: Apache-2.0
// Contacts with seams between flush shapes of one link.
#ifndef HEFT_SRC_COLLISION_SEAMS_H
#define HEFT_SRC_COLLISION_SEAMS_H

#include "collision/collider.h"

/// Marks the shapes that have a neighbour on their link. To be called once, when all slots are
/// filled.
void heft_seams_mark(HeftCollider* c);
/// Gives contacts with seams the normal of the surface that the seam lies in, and removes those
/// that nothing touches. Reads and changes the contact points of this call.
void heft_seams_smooth(HeftCollider* c);

#endif
