// SPDX-License-Identifier: Apache-2.0
// The closest point of triangles that deform. A triangle and the spheres of its corners make a
// plate with round edges, the triangle swept by a sphere of radius r: its surface is at the
// distance r from the triangle, and at a corner it is the sphere by which the node touches shapes.
//
// Side. The triangles of a body close a surface. A point is inside if it is behind the triangle
// that is closest to it. If an edge or a corner is closest, several triangles have the same
// distance; that which faces the point most directly decides.
#include "interact/skin.h"

#include <math.h>

#include "math/triangle.h"

static void find_corners(const HeftModel* m, int deformable, int triangle, int out[3]) {
  const int* node = m->skin_node + 3L * triangle;
  for (int i = 0; i < 3; ++i) out[i] = m->node_body[m->deformable_node[deformable] + node[i]];
}

static int is_corner(const HeftModel* m, int deformable, int body) {
  const int first = m->deformable_skin[deformable];
  for (int t = first; t < first + m->deformable_skin_count[deformable]; ++t) {
    int corner[3];
    find_corners(m, deformable, t, corner);
    if (corner[0] == body || corner[1] == body || corner[2] == body) return 1;
  }
  return 0;
}

void skin_find_shapes(const Skin* skin) {
  const HeftModel* m = skin->model;
  for (int i = 0; i < m->ndeformable; ++i) {
    skin->shape[i] = -1;
    for (int s = 0; s < m->nshape && skin->shape[i] < 0; ++s) {
      if (m->shape_type[s] == HEFT_SHAPE_SPHERE && is_corner(m, i, m->shape_body[s]))
        skin->shape[i] = s;
    }
  }
}

// Closest so far, before its weights are known.
typedef struct Nearest {
  int deformable, triangle;
  HeftVec3 foot;    // on the triangle
  double distance;  // to the triangle
  double facing;    // cosine of the angle between its normal and the way to the point
} Nearest;

static int is_far(const HeftVec3 x[3], HeftVec3 p, double reach) {
  return fmin(fmin(x[0].x, x[1].x), x[2].x) - p.x > reach ||
         p.x - fmax(fmax(x[0].x, x[1].x), x[2].x) > reach ||
         fmin(fmin(x[0].y, x[1].y), x[2].y) - p.y > reach ||
         p.y - fmax(fmax(x[0].y, x[1].y), x[2].y) > reach ||
         fmin(fmin(x[0].z, x[1].z), x[2].z) - p.z > reach ||
         p.z - fmax(fmax(x[0].z, x[1].z), x[2].z) > reach;
}

static HeftVec3 normal_of(const HeftVec3 x[3]) {
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(x[1], x[0]), heft_vec3_sub(x[2], x[0]));
  const double size = heft_vec3_norm(n);
  return size > 0 ? heft_vec3_scale(1 / size, n) : heft_vec3(0, 0, 1);
}

static void consider(const HeftVec3 x[3], HeftVec3 p, int deformable, int triangle,
                     Nearest* nearest) {
  const HeftVec3 foot = heft_triangle_closest(x[0], x[1], x[2], p);
  const HeftVec3 away = heft_vec3_sub(p, foot);
  const double distance = heft_vec3_norm(away), tie = 1e-9 * (1e-3 + distance);
  if (distance > nearest->distance + tie) return;
  const double facing = distance > 0 ? heft_vec3_dot(away, normal_of(x)) / distance : 1;
  if (distance > nearest->distance - tie && fabs(facing) <= fabs(nearest->facing)) return;
  *nearest = (Nearest){deformable, triangle, foot, distance, facing};
}

// Shares of the corners in a point of the triangle; a triangle without area gives all to the first.
static void find_weights(const HeftVec3 x[3], HeftVec3 p, double out[3]) {
  const HeftVec3 u = heft_vec3_sub(x[1], x[0]), v = heft_vec3_sub(x[2], x[0]),
                 w = heft_vec3_sub(p, x[0]);
  const double uu = heft_vec3_dot(u, u), uv = heft_vec3_dot(u, v), vv = heft_vec3_dot(v, v);
  const double wu = heft_vec3_dot(w, u), wv = heft_vec3_dot(w, v), area = uu * vv - uv * uv;
  double b = area > 0 ? (vv * wu - uv * wv) / area : 0,
         c = area > 0 ? (uu * wv - uv * wu) / area : 0;
  b = fmin(fmax(b, 0), 1);
  c = fmin(fmax(c, 0), 1 - b);
  out[0] = 1 - b - c;
  out[1] = b;
  out[2] = c;
}

static void swap_first(SkinPoint* s, int i) {
  const int corner = s->corner[i];
  const double weight = s->weight[i];
  s->corner[i] = s->corner[0];
  s->weight[i] = s->weight[0];
  s->corner[0] = corner;
  s->weight[0] = weight;
}

static SkinPoint describe(const Skin* skin, const HeftPose* poses, const Nearest* nearest,
                          HeftVec3 point) {
  const HeftModel* m = skin->model;
  SkinPoint out = {.shape = skin->shape[nearest->deformable]};
  const double radius = m->shape_size[3L * out.shape];
  HeftVec3 x[3];
  find_corners(m, nearest->deformable, nearest->triangle, out.corner);
  for (int i = 0; i < 3; ++i) x[i] = poses[out.corner[i]].pos;
  find_weights(x, nearest->foot, out.weight);
  const int outside = nearest->facing >= 0;
  const HeftVec3 away = heft_vec3_sub(point, nearest->foot);
  out.normal = outside && nearest->distance > 1e-9 ? heft_vec3_scale(1 / nearest->distance, away)
                                                   : normal_of(x);
  out.distance = (outside ? nearest->distance : -nearest->distance) - radius;
  out.pos = heft_vec3_add_scaled(nearest->foot, radius, out.normal);
  for (int i = 1; i < 3; ++i) {
    if (out.weight[i] > out.weight[0]) swap_first(&out, i);
  }
  return out;
}

SkinPoint skin_closest(const Skin* skin, const HeftPose* poses, HeftVec3 point,
                       double max_distance) {
  const HeftModel* m = skin->model;
  Nearest nearest = {.deformable = -1};
  for (int i = 0; i < m->ndeformable; ++i) {
    if (skin->shape[i] < 0) continue;
    const double reach = max_distance + m->shape_size[3L * skin->shape[i]];
    const int first = m->deformable_skin[i], end = first + m->deformable_skin_count[i];
    if (nearest.deformable < 0) nearest.distance = reach;
    for (int t = first; t < end; ++t) {
      int corner[3];
      HeftVec3 x[3];
      find_corners(m, i, t, corner);
      for (int k = 0; k < 3; ++k) x[k] = poses[corner[k]].pos;
      if (!is_far(x, point, fmin(reach, nearest.distance))) consider(x, point, i, t, &nearest);
    }
  }
  if (nearest.deformable < 0) return (SkinPoint){.shape = -1};
  return describe(skin, poses, &nearest, point);
}
