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

/// How far a shape reaches along n beyond the point p. A triangle mesh reaches as far as its box.
double heft_collider_reach_beyond(const HeftCollider* c, int slot, HeftVec3 n, HeftVec3 p);
/// Gives a contact point another normal, and tangents to it.
void heft_contact_turn(const HeftCollider* c, HeftContactPoint* p, HeftVec3 normal);

#endif
