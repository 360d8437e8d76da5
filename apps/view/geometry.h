// SPDX-License-Identifier: Apache-2.0
// Triangles with normals for everything that is drawn.
#ifndef HEFT_APPS_VIEW_GEOMETRY_H
#define HEFT_APPS_VIEW_GEOMETRY_H

#include <heft/model.h>

#include "view/memory.h"

typedef struct Vertex {
  float pos[3], normal[3];
  float place[2];  ///< in an image: to the right and down from its upper left corner
} Vertex;

/// A run of triangles: indices of vertices, counted from the start of the list.
typedef struct Part {
  uint32_t first, count;  ///< indices
  HeftVec3 center;        ///< of a ball that holds it
  double radius;
  HeftVec3 low, high;  ///< box that holds it
} Part;

typedef struct Solids {
  HeftAllocator allocator;
  ViewList vertices;  ///< Vertex
  ViewList indices;   ///< uint32_t
  int fine;           ///< pieces around a circle, a multiple of 4
} Solids;

Solids solids_make(const HeftAllocator* allocator, int fine);
void solids_free(Solids* solids);
/// 1 when memory was out at some point.
int solids_failed(const Solids* solids);

// Each adds one part. Sizes as in HeftModel.shape_size.
Part solid_sphere(Solids* s, HeftVec3 half);
Part solid_capsule(Solids* s, double radius, double half);
Part solid_cylinder(Solids* s, double radius, double half);
Part solid_box(Solids* s, HeftVec3 half);
/// Tip at z = 0, base of radius 1 at z = 1, open: the friction cone.
Part solid_funnel(Solids* s);
/// Base of radius 1 at z = 0, tip at z = 1: the head of an arrow.
Part solid_cone(Solids* s);
/// A square of side 2 in z = 0.
Part solid_square(Solids* s);
Part solid_mesh(Solids* s, const HeftModel* m, int mesh);
Part solid_hull(Solids* s, const HeftModel* m, int mesh);
Part solid_height_field(Solids* s, const HeftModel* m, int field);
/// Triangles of any surface: `count` faces with three of `vertices` vertices each.
Part solid_surface(Solids* s, const double* pos, int vertices, const int* faces, int count);

#endif
