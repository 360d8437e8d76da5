// SPDX-License-Identifier: Apache-2.0
// A triangle mesh that need not be convex, or a height field.
#ifndef HEFT_SRC_COLLISION_TRIANGLE_MESH_H
#define HEFT_SRC_COLLISION_TRIANGLE_MESH_H

#include "collision/geometry.h"
#include "collision/tree.h"

/// How the surface goes on across an edge of a triangle.
typedef enum Crease {
  CREASE_RIDGE,   ///< falls away, or ends here: contacts may point anywhere between the normals
  CREASE_FLAT,    ///< goes on in the same plane
  CREASE_VALLEY,  ///< rises: contacts point along the triangle's normal
} Crease;

typedef struct Triangle {
  int vertex[3];
  int region;         ///< triangles of one plane that hang together have the same
  int edge[3];        ///< number of the edge from vertex k to k + 1
  Crease crease[3];   ///< of that edge
  HeftVec3 normal;    ///< unit
  HeftVec3 other[3];  ///< normal of the triangle across that edge; its own at a border
} Triangle;

typedef struct TriangleMesh {
  int vertex_count, triangle_count;
  HeftVec3* vertex;
  Triangle* triangle;
  unsigned char* inner;  ///< vertex_count: 1 if the surface is flat all around it
  int* first;            ///< vertex_count: 3 t + k for the first triangle t that has it as corner k
  Tree tree;             ///< over the triangles' boxes, in the shape's frame
  double deep;           ///< a height field is solid so far below its surface [m]; 0 for meshes
  HeftVec3 lo, hi;       ///< bounds
  double thickness;      ///< twice the volume over the area, if it is closed; otherwise 0 [m]
} TriangleMesh;

/// A triangle mesh from vertices (count x 3) and triangles, counter-clockwise from outside. Runs
/// with an arena that measures too (then returns NULL).
TriangleMesh* heft_triangle_mesh_make(Arena* arena, Arena scratch, int vertex_count,
                                      const double* vertices, int triangle_count,
                                      const int* triangles, double deep);
size_t heft_triangle_mesh_scratch(int triangle_count);

#endif
