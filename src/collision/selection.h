// SPDX-License-Identifier: Apache-2.0
// The selection of contact points if the capacity is exceeded.
#ifndef HEFT_SRC_COLLISION_SELECTION_H
#define HEFT_SRC_COLLISION_SELECTION_H

#include "collision/collider.h"

/// Adds the contact points of a pair to the list, which may be full.
void heft_selection_add(HeftCollider* c, const HeftContactPoint* points, int count);
/// Brings the list into its order again, if points were dropped.
void heft_selection_finish(HeftCollider* c);

/// 1 if a contact point comes before another in the list of a step.
static inline int heft_contact_comes_before(const HeftContactPoint* a, const HeftContactPoint* b) {
  if (a->body_a != b->body_a) return a->body_a < b->body_a;
  if (a->body_b != b->body_b) return a->body_b < b->body_b;
  if (a->shape_b != b->shape_b) return a->shape_b < b->shape_b;
  if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a;
  return a->feature < b->feature;
}

#endif
