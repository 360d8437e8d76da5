// SPDX-License-Identifier: Apache-2.0
// The last digits of a normal.
#ifndef HEFT_SRC_COLLISION_REFINE_H
#define HEFT_SRC_COLLISION_REFINE_H

#include "collision/difference.h"

/// How far around the normal edges are looked for: a few thousandths of a radian, or a twentieth.
typedef enum Vicinity {
  VICINITY_CLOSE,
  VICINITY_CLOSE_THEN_WIDE,  ///< farther around where nothing was proved at first
  VICINITY_WIDE,
} Vicinity;

/// Improves normal, gap and closest points of two convex cores, separate or overlapping, from a
/// normal with about three correct digits: *io keeps the direction with the smallest support h of
/// A - B. Returns 1 if the closest points prove a local optimum. floor: lower bound of h up to
/// rounding; a search below it follows features that do not support that direction.
int heft_refine(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, Vicinity vicinity,
                double floor, Nearness* io);

#endif
