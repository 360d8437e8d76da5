// SPDX-License-Identifier: Apache-2.0
// Contact points of one pair of shapes, which are adjacent in every list.
#ifndef HEFT_SRC_COLLISION_CONTACT_PAIR_H
#define HEFT_SRC_COLLISION_CONTACT_PAIR_H

#include <heft/collision.h>

static inline int contact_same_pair(const HeftContactPoint* a, const HeftContactPoint* b) {
  return a->shape_a == b->shape_a && a->shape_b == b->shape_b;
}

/// The index behind the last point of the pair whose first point has the index `first`.
static inline int contact_pair_end(const HeftContactPoint* point, int count, int first) {
  int end = first + 1;
  while (end < count && contact_same_pair(&point[end], &point[first])) ++end;
  return end;
}

#endif
