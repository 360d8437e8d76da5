// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores that are apart.
#ifndef HEFT_SRC_COLLISION_GJK_H
#define HEFT_SRC_COLLISION_GJK_H

#include "collision/difference.h"

typedef struct Simplex {
  int count;
  Difference p[4];
  double weight[4];
} Simplex;

/// The point of a simplex closest to the origin; the simplex keeps the corners it lies between,
/// with their weights. Returns 0 if the origin lies inside of a tetrahedron.
int heft_simplex_closest(Simplex* s, HeftVec3* v);

typedef enum GjkOutcome {
  GJK_FAR_APART,  ///< farther than the limit; only out->normal is set, a direction that separates
  GJK_CLOSE,
  GJK_OVERLAP,  ///< or so close that rounding cannot tell
} GjkOutcome;

/// Returns whether it is enough to know that the distance is `bound` at least, along the unit
/// vector `normal` from a to b.
typedef int GjkEnough(const void* user, HeftVec3 normal, double bound);

/// direction: where to look first, from a to b. Ends when the distance is known to `tolerance`
/// (relative) or to rounding.
GjkOutcome heft_gjk_distance(Cores* p, HeftVec3 direction, double limit, double tolerance,
                             Nearness* out);
/// As heft_gjk_distance(), but a bound that is enough ends it as one beyond the limit does.
/// enough: or NULL.
GjkOutcome heft_gjk_distance_until(Cores* p, HeftVec3 direction, double limit, double tolerance,
                                   GjkEnough* enough, const void* user, Nearness* out);

#endif
