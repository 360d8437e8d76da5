// SPDX-License-Identifier: Apache-2.0
// Table of the settings of a collider, for programs that set them by name.
#include <heft/collision.h>
#include <limits.h>

#include "base/option.h"

static const HeftOption rows[] = {
#define ROW(field, min, max, usual, unit, meaning) \
  HEFT_OPTION(HeftColliderDef, field, min, max, usual, unit, meaning)
    ROW(contact_capacity, 0, INT_MAX, 0, "", "max number of contact points; 0: from the model"),
    ROW(pair_capacity, 0, INT_MAX, 0, "", "max number of candidate pairs; 0: from the model"),
    ROW(margin, 0, 1e9, 0, "m", "distance added to the margins of the shapes"),
    ROW(points, 4, 8, 4, "", "max number of contact points per pair of convex shapes: 4 or 8"),
    ROW(parent_child, 0, 1, 0, "", "1: shapes of a link and of its parent link collide too"),
#undef ROW
};

HeftOptions heft_collider_options(void) { return HEFT_OPTIONS(rows); }
