// SPDX-License-Identifier: Apache-2.0
// Convex hulls of points with whole coordinates, computed without rounding.
#ifndef HEFT_SRC_IO_LATTICE_HULL_H
#define HEFT_SRC_IO_LATTICE_HULL_H

#include <stdint.h>

#include "io/region.h"

/// Coordinates are from 0 to LATTICE_MAX.
enum { LATTICE_MAX = 1 << 20 };

typedef struct LatticePoint {
  int32_t x[3];
} LatticePoint;

/// Operations of about a nanosecond: counted, not timed, so that all machines stop at the same.
typedef struct Effort {
  double work;  ///< so far
  double max;   ///< beyond it, what can stop stops
} Effort;

static inline int effort_spent(const Effort* e) { return e->work > e->max; }

/// A triangle of a hull, counter-clockwise seen from outside.
typedef struct HullFace {
  int v[3];           ///< points
  int next[3];        ///< face beyond the edge from v[k] to v[k + 1]
  int64_t normal[3];  ///< twice the area, outwards
  int points;         ///< first point above it that is not in the hull so far, or -1
  int farthest;       ///< the highest of them
  int64_t height;     ///< of that: distance times length of the normal
  int mark;           ///< last eye that it was tested for
  int alive;          ///< 0: not part of the hull
} HullFace;

/// Memory of hull_make(), which is used again by the next call, and its result.
typedef struct HullSpace {
  Region* region;
  Effort* effort;
  const LatticePoint* points;
  int point_count, point_capacity;
  int* next;   ///< point -> next point above the same face
  int* from;   ///< point -> new face whose first edge begins there
  int* above;  ///< point -> face whose point it is, -1: none
  Grow faces, stack, visible, fresh, loose;
  int alive;      ///< faces of the hull
  int free_face;  ///< first unused face, linked by v[0]; -1: none
  int marks;
  double* distance;  ///< point -> distance from the hull, or a bound of it
  int* measured;     ///< point -> alive_since at which the distance was computed
  int* heap;         ///< points outside of the hull, the largest distance first
  int heap_count, distance_capacity;
  int alive_since;  ///< counts the hulls of hull_make_simple()
  double missing;   ///< of hull_make_simple(): largest distance of a point [lattice units]
} HullSpace;

typedef enum HullResult {
  HULL_SPENT = -2,  ///< the effort was spent; there is no hull
  HULL_NO_MEMORY = -1,
  HULL_FLAT = 0,  ///< all points lie in one plane
  HULL_MADE = 1
} HullResult;

/// Computes the hull of points, which must stay until the result is read.
HullResult hull_make(HullSpace* space, const LatticePoint* points, int count);
/// Computes a hull of some of the points: those far from the rest first, until it has
/// `max_vertices` vertices, or no other point is farther from it than `error` [lattice units].
HullResult hull_make_simple(HullSpace* space, const LatticePoint* points, int count,
                            int max_vertices, double error);
/// Six times the volume [lattice units³].
int64_t hull_volume(const HullSpace* space);
/// Stores the vertices of the hull as indices of points, in ascending order, up to `capacity`.
/// Returns how many there are.
int hull_vertices(HullSpace* space, int* out, int capacity);

/// Squared distance of x from a triangle.
double triangle_distance_squared(const double x[3], const double a[3], const double b[3],
                                 const double c[3]);

#endif
