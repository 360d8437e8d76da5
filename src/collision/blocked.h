// SPDX-License-Identifier: Apache-2.0
// Contact points of pairs that would have passed through each other in a try of a step.
#ifndef HEFT_SRC_COLLISION_BLOCKED_H
#define HEFT_SRC_COLLISION_BLOCKED_H

#include "collision/collider.h"

/// At most so many contact points of blocked pairs in a step, and usually at least so many.
enum { BLOCKED_MAX = 256, BLOCKED_MIN = 32 };

/// Room for them among `capacity` contact points.
static inline int heft_blocked_room(int capacity) {
  const int some = capacity / 8 > BLOCKED_MIN ? capacity / 8 : BLOCKED_MIN;
  const int most = some < BLOCKED_MAX ? some : BLOCKED_MAX;
  return most < capacity / 2 ? most : capacity / 2;
}

/// To be called when a step begins, and when it has ended: no pair is blocked.
void heft_blocked_clear(HeftCollider* c);
/// Adds the points at which the pairs meet that heft_collider_find_passages() has just found. The
/// next heft_collider_collide() leaves room for them. Returns 0 if there is no new one, for
/// want of room, or because the points of the last try had no effect.
int heft_blocked_add(HeftCollider* c);
/// Inserts them into the contact points that heft_collider_collide() found, and returns all.
HeftContactPoints heft_blocked_insert(HeftCollider* c);
/// The blocked point that a contact point of the collider is; NULL: it is none.
BlockedPoint* heft_blocked_of(const HeftCollider* c, const HeftContactPoint* point);

#endif
