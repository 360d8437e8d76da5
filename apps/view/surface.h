// SPDX-License-Identifier: Apache-2.0
// The surface of a deformable body: triangles whose vertices follow its nodes.
#ifndef HEFT_APPS_VIEW_SURFACE_H
#define HEFT_APPS_VIEW_SURFACE_H

#include "view/geometry.h"

typedef struct Surface {
  uint32_t vertex, count;  ///< its vertices in the list of the solids
  int* body;               ///< body of the node of each vertex (count)
} Surface;

/// Adds the surface to the solids, in its rest shape. Returns 0 if memory is exhausted.
int surface_make(Surface* out, Solids* solids, const HeftModel* m, int deformable, Part* part);
void surface_free(Surface* surface, const HeftAllocator* allocator);
/// Moves the vertices to where bodies of these poses have them, and turns their normals. The part
/// is then in the frame of the world.
void surface_follow(const Surface* surface, Solids* solids, Part* part, const HeftPose* poses);
/// The body of the vertex that is nearest to a point of the world.
int surface_body(const Surface* surface, const HeftPose* poses, HeftVec3 point);

#endif
