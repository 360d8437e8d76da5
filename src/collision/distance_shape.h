// SPDX-License-Identifier: Apache-2.0
// Distance shapes in the narrow phase: a signed distance, and points on its surface.
#ifndef HEFT_SRC_COLLISION_DISTANCE_SHAPE_H
#define HEFT_SRC_COLLISION_DISTANCE_SHAPE_H

#include <heft/model.h>

#include "collision/narrow.h"
#include "collision/triangle_mesh.h"

/// Data of a geometry of KIND_FIELD besides its triangles.
typedef struct DistanceShape {
  HeftField field;
  HeftVec3 center;  ///< of the frame of the geometry, in the field's frame
  double cell;      ///< mean length of the edges of the triangles [m]
  double thin;      ///< half of the least thickness [m]
} DistanceShape;

/// Allocates from the arena; runs with an arena that measures, too (then returns NULL). mesh: the
/// triangles, which are NULL then.
DistanceShape* heft_distance_shape_make(Arena* arena, HeftField field, HeftVec3 center,
                                        const TriangleMesh* mesh);

/// The signed distance of a point from any shape, in its frame, and the outward normal there.
/// Triangle meshes beyond `reach`: infinite.
double heft_geometry_signed_distance(const Geometry* g, HeftVec3 p, double reach, HeftVec3* normal);

/// Contact points of two shapes, b of KIND_FIELD; as heft_narrow().
void heft_distance_pair(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double margin,
                        int max, VertexGap* vertex_gap, Manifold* out);
/// Places that any surface of triangles of a model needs to meet a distance shape: one for each
/// vertex, and for each block of eight triangles. 0: there is no distance shape.
int heft_distance_gaps_max(const HeftModel* model);

#endif
