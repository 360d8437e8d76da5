// SPDX-License-Identifier: Apache-2.0
// The table of narrow-phase functions by pair of shape types.
#include "collision/narrow.h"

#include "base/assert.h"
#include "collision/distance_shape.h"
#include "collision/triangle_mesh.h"

static void plane_any(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                      Candidates* out) {
  switch (b->kind) {
    case KIND_SPHERE:
      heft_plane_sphere(a, b, x, margin, out);
      return;
    case KIND_CAPSULE:
      heft_plane_capsule(a, b, x, margin, out);
      return;
    case KIND_CYLINDER:
      heft_plane_cylinder(a, b, x, margin, out);
      return;
    case KIND_ELLIPSOID:
      heft_plane_ellipsoid(a, b, x, margin, out);
      return;
    case KIND_BOX:
      heft_plane_box(a, b, x, margin, out);
      return;
    case KIND_HULL:
      heft_plane_hull(a, b, x, margin, out);
      return;
    case KIND_PLANE:
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      return;
  }
}

static void convex_pair(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        int max, NarrowScratch* scratch) {
  Candidates* out = &scratch->candidates;
  if (a->kind == KIND_PLANE) {
    plane_any(a, b, x, margin, out);
  } else if (a->kind == KIND_SPHERE && b->kind != KIND_TRIANGLE) {
    heft_sphere_convex(a, b, x, margin, out);
  } else if (a->kind == KIND_CAPSULE && b->kind == KIND_CAPSULE) {
    heft_capsule_capsule(a, b, x, margin, out);
  } else if (a->kind == KIND_BOX && b->kind == KIND_BOX) {
    heft_box_box(a, b, x, margin, max, scratch, out);
  } else {
    heft_convex_convex(a, b, x, margin, scratch, out);
  }
}

// Height fields come second.
static void mesh_pair(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                      int max, NarrowScratch* scratch, Manifold* out) {
  if (!(a->triangle_mesh->deep > 0)) {
    heft_mesh_mesh(a, b, x, margin, max, scratch, out);
    return;
  }
  if (b->triangle_mesh->deep > 0) return;
  const HeftPose back = heft_pose_inverse(*x);
  heft_mesh_mesh(b, a, &back, margin, max, scratch, out);
  for (int k = 0; k < out->count; ++k) out->point[k] = point_swap(out->point[k], &back);
}

static void ordered_pair(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                         int max, NarrowScratch* scratch, Manifold* out) {
  out->count = 0;
  if (b->kind == KIND_FIELD) {
    heft_distance_pair(a, b, x, margin, max, scratch->vertex_gap, out);
    return;
  }
  if (b->kind == KIND_TRIANGLE_MESH) {
    if (a->kind == KIND_TRIANGLE_MESH) {
      mesh_pair(a, b, x, margin, max, scratch, out);
    } else if (a->kind == KIND_PLANE) {
      heft_plane_mesh(b, x, margin, max, scratch, out);
    } else {
      heft_convex_triangle_mesh(a, b, x, margin, max, scratch, out);
    }
    return;
  }
  scratch->candidates.count = 0;
  convex_pair(a, b, x, margin, max, scratch);
  heft_manifold_reduce(&scratch->candidates, max, out);
}

void heft_narrow(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double margin,
                 int max, NarrowScratch* scratch, Manifold* out) {
  HEFT_ASSERT((max == 4 || max == 8) && margin >= 0);
  if (a->kind <= b->kind) {
    ordered_pair(a, b, b_in_a, margin, max, scratch, out);
    return;
  }
  const HeftPose a_in_b = heft_pose_inverse(*b_in_a);
  ordered_pair(b, a, &a_in_b, margin, max, scratch, out);
  for (int k = 0; k < out->count; ++k) out->point[k] = point_swap(out->point[k], &a_in_b);
}
