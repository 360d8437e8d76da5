// SPDX-License-Identifier: Apache-2.0
// Triangles in a tree of boxes: distances, solid angles and random points of a surface.
#ifndef HEFT_VALIDATION_SURFACE_H
#define HEFT_VALIDATION_SURFACE_H

#include <heft/heft.h>

typedef struct SurfaceNode {
  double low[3], high[3];
  HeftVec3 centre, area;  ///< mean of the triangles by area, and sum of their area vectors [m²]
  double radius;          ///< from the centre to the farthest corner of the box [m]
  int first, count;       ///< triangles; count 0: two nodes, the next one and `second`
  int second;
} SurfaceNode;

typedef struct Surface {
  int count;
  HeftVec3 (*corner)[3];  ///< of the triangles, in the order of the tree
  int* order;             ///< triangle of the tree -> number that it was added with
  double* area;           ///< sum of the areas up to each triangle [m²]
  SurfaceNode* node;
  int node_count;
} Surface;

/// Appends the triangles of a mesh of a model. Returns 0 without memory.
int surface_add(Surface* s, const HeftModel* m, int mesh);
/// Builds the tree; then the surface can be asked. Returns 0 without memory or triangles.
int surface_finish(Surface* s);
void surface_release(Surface* s);

/// The distance of a point [m].
double surface_distance(const Surface* s, HeftVec3 x);
/// Whether a point is not farther than a distance [m]: much faster than to ask for its distance.
int surface_is_near(const Surface* s, HeftVec3 x, double distance);
/// How often the surface winds around a point: 1 inside of a closed surface, 0 outside. To some
/// 1e-2.
double surface_winding(const Surface* s, HeftVec3 x);
/// A random point, with the same density per area, or in a random triangle of equal chances.
HeftVec3 surface_sample(const Surface* s, uint64_t* random, int by_area);
/// A random number of [0, 1).
double surface_random(uint64_t* random);

#endif
