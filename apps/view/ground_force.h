// SPDX-License-Identifier: Apache-2.0
// Force of all that moves on all that does not: at rest, the weight.
#ifndef HEFT_APPS_VIEW_GROUND_FORCE_H
#define HEFT_APPS_VIEW_GROUND_FORCE_H

#include <heft/world.h>

#include "view/moves.h"

/// Adds the force of one contact on bodies that do not move [N].
static inline HeftVec3 ground_force_add(HeftVec3 sum, const HeftModel* m, const HeftContact* c) {
  if (!body_moves(m, c->body_a)) sum = heft_vec3_sub(sum, c->force);
  if (!body_moves(m, c->body_b)) sum = heft_vec3_add(sum, c->force);
  return sum;
}

static inline double ground_force(const HeftModel* m, const HeftContact* contact, int count) {
  HeftVec3 sum = {0, 0, 0};
  for (int i = 0; i < count; ++i) sum = ground_force_add(sum, m, &contact[i]);
  return heft_vec3_norm(sum);
}

#endif
