// SPDX-License-Identifier: Apache-2.0
// The time within a step at which two moving shapes come as close as a given distance.
#ifndef HEFT_SRC_COLLISION_TIME_OF_IMPACT_H
#define HEFT_SRC_COLLISION_TIME_OF_IMPACT_H

#include "collision/motion.h"
#include "collision/narrow.h"

/// A shape that moves: where it starts and how it goes on.
typedef struct Mover {
  const Geometry* geometry;
  HeftPose start;
  const ShapeMotion* motion;
} Mover;

/// Results that are no times.
#define NEVER 2.0

/// The first time s, from 0 to 1, at which a and b are no farther apart than `distance`, within
/// `tolerance` above it; NEVER if they stay farther apart. The time is never too late; it is too
/// early only if the bounds of a turn do not settle. If they begin so close, the result is 0. A
/// negative distance is a depth. Shapes that begin deeper meet when they are still deeper by twice
/// the tolerance; those that begin twice as deep, or triangles of a mesh, are passed over. Two
/// planes never meet. Triangles of a mesh are met from their front only. *normal receives the
/// direction from a to b that separated them in the last look; it is unchanged if there is none.
double heft_time_of_impact(const Mover* a, const Mover* b, double distance, double tolerance,
                           NarrowScratch* narrow, HeftVec3* normal);

/// A triangle whose corners move along lines, each at its own rate.
typedef struct Sheet {
  HeftVec3 corner[3];  ///< at the start [m]
  HeftVec3 shift[3];   ///< in the step [m]
} Sheet;
static inline HeftVec3 sheet_corner(const Sheet* sheet, int k, double s) {
  return heft_vec3_add_scaled(sheet->corner[k], s, sheet->shift[k]);
}
/// heft_time_of_impact() of the convex shape a, or of the sheet `own` if a is NULL, with a sheet;
/// distance is above zero.
double heft_sheet_impact(const Mover* a, const Sheet* own, const Sheet* b, double distance,
                         double tolerance, EpaScratch* scratch);

#endif
