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

/// Improves what is known of two convex cores, apart or overlapping, from a normal that is right to
/// about three digits: *io keeps the direction in which h, the reach of A - B, is least. Gap and
/// closest points go with it. Returns 1 if the closest points prove that nothing nearby is better.
/// floor: h is nowhere less, but for rounding; a search that comes below it follows features that
/// do not look that way any more.
int heft_refine(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, Vicinity vicinity,
                double floor, Nearness* io);

#endif
