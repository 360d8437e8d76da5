// SPDX-License-Identifier: Apache-2.0
// A sphere and any convex shape: the surface point closest to its centre determines the contact.
//
// Ellipsoid: the closest point q to p satisfies p - q = t D⁻² q, so q_i = p_i e_i² / (t + e_i²)
// with t the largest root of F(t) = Σ (e_i p_i / (t + e_i²))² - 1, which is convex and falling for
// t > -min e_i²: Newton from the left of the root never passes it [Eberly
// 2013]. Inside it gives the closest point as well.
#include <string.h>

#include "base/assert.h"
#include "collision/narrow.h"

static double closest_box(const Geometry* g, HeftVec3 p, HeftVec3* q, HeftVec3* n) {
  const double c[3] = {p.x, p.y, p.z};
  double clamped[3], out[3], square = 0;
  int axis = 0;
  double depth = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    clamped[k] = fmin(fmax(c[k], -g->size[k]), g->size[k]);
    out[k] = c[k] - clamped[k];
    square += out[k] * out[k];
    if (g->size[k] - fabs(c[k]) < depth) {
      depth = g->size[k] - fabs(c[k]);
      axis = k;
    }
  }
  if (square > 0) {
    *n = heft_vec3_normalize(heft_vec3_from(out));
    *q = heft_vec3_from(clamped);
    return sqrt(square);
  }
  double normal[3] = {0, 0, 0};
  normal[axis] = c[axis] < 0 ? -1 : 1;
  clamped[axis] = normal[axis] * g->size[axis];
  *n = heft_vec3_from(normal);
  *q = heft_vec3_from(clamped);
  return -depth;
}

static double closest_cylinder(const Geometry* g, HeftVec3 p, HeftVec3* q, HeftVec3* n) {
  const double r = g->size[0], h = g->size[1];
  const double rho = sqrt(p.x * p.x + p.y * p.y);
  const double ux = rho > 0 ? p.x / rho : 1, uy = rho > 0 ? p.y / rho : 0;
  const double side = rho - r, cap = fabs(p.z) - h, sign = p.z < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    const double d = sqrt(side * side + cap * cap);
    *n = heft_vec3(ux * side / d, uy * side / d, sign * cap / d);
    *q = heft_vec3(ux * r, uy * r, sign * h);
    return d;
  }
  if (cap >= side) {
    *n = heft_vec3(0, 0, sign);
    *q = heft_vec3(p.x, p.y, sign * h);
    return cap;
  }
  *n = heft_vec3(ux, uy, 0);
  *q = heft_vec3(ux * r, uy * r, p.z);
  return side;
}

static double closest_capsule(const Geometry* g, HeftVec3 p, HeftVec3* q, HeftVec3* n) {
  const double z = fmin(fmax(p.z, -g->size[1]), g->size[1]);
  const HeftVec3 core = heft_vec3(0, 0, z), d = heft_vec3_sub(p, core);
  const double norm = heft_vec3_norm(d);
  *n = norm > 0 ? heft_vec3_normalize(d) : heft_vec3(1, 0, 0);
  *q = heft_vec3_add_scaled(core, g->size[0], *n);
  return norm - g->size[0];
}

// Root of F for a point with coordinates >= 0, scaled by the largest half size.
static double ellipsoid_root(const double e[3], const double p[3]) {
  const int min = e[0] <= e[1] && e[0] <= e[2] ? 0 : (e[1] <= e[2] ? 1 : 2);
  // All of F's terms count only on their own here, so each gives a lower bound of the root.
  double t = -e[min] * e[min];
  for (int k = 0; k < 3; ++k) t = fmax(t, e[k] * p[k] - e[k] * e[k]);
  for (int i = 0; i < 100; ++i) {
    double f = -1, df = 0;
    for (int k = 0; k < 3; ++k) {
      const double below = t + e[k] * e[k];
      if (!(p[k] > 0)) continue;
      const double s = e[k] * p[k] / below;
      f += s * s;
      df -= 2 * s * s / below;
    }
    if (!(f > 0) || !(df < 0)) break;
    const double next = t - f / df;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

static void ellipsoid_foot(const double e[3], const double p[3], double q[3]) {
  const double t = ellipsoid_root(e, p);
  double rest = 1;
  int free = -1;
  for (int k = 0; k < 3; ++k) {
    const double below = t + e[k] * e[k];
    if (below > 1e-14 * e[k] * e[k]) {
      q[k] = e[k] * e[k] * p[k] / below;
    } else {
      q[k] = 0;
      if (free < 0) free = k;
    }
    if (k != free) rest -= q[k] / e[k] * (q[k] / e[k]);
  }
  // On a plane of symmetry, deep inside: the free coordinate follows from the equation of the
  // ellipsoid.
  if (free >= 0) q[free] = e[free] * sqrt(fmax(rest, 0));
  double norm = 0;
  for (int k = 0; k < 3; ++k) norm += q[k] / e[k] * (q[k] / e[k]);
  for (int k = 0; k < 3; ++k) q[k] /= sqrt(norm);
}

static double closest_ellipsoid(const Geometry* g, HeftVec3 p, HeftVec3* q, HeftVec3* n) {
  const double c[3] = {p.x, p.y, p.z};
  const double scale = fmax(g->size[0], fmax(g->size[1], g->size[2]));
  double e[3], a[3], foot[3];
  for (int k = 0; k < 3; ++k) {
    e[k] = g->size[k] / scale;
    a[k] = fabs(c[k]) / scale;
  }
  ellipsoid_foot(e, a, foot);
  double inside = -1;
  for (int k = 0; k < 3; ++k) {
    inside += a[k] / e[k] * (a[k] / e[k]);
    foot[k] = copysign(scale * foot[k], c[k]);
  }
  *q = heft_vec3_from(foot);
  double m[3];
  for (int k = 0; k < 3; ++k) m[k] = foot[k] / g->size[k] * (scale / g->size[k]);
  *n = heft_vec3_normalize(heft_vec3_from(m));
  const double d = heft_vec3_norm(heft_vec3_sub(p, *q));
  return inside < 0 ? -d : d;
}

// The point of a face's polygon closest to p, which lies above its plane.
static HeftVec3 closest_on_face(const Hull* h, int f, HeftVec3 p) {
  const HeftVec3 n = heft_vec3(h->nx[f], h->ny[f], h->nz[f]);
  const double above = heft_vec3_dot(n, p) - h->offset[f];
  const HeftVec3 foot = heft_vec3_add_scaled(p, -above, n);
  HeftVec3 best = foot;
  double min = HUGE_VAL;
  int inside = 1;
  const int first = h->face_loop[f], end = h->face_loop[f + 1];
  for (int k = first; k < end; ++k) {
    const int i = h->loop_vertex[k], j = h->loop_vertex[k + 1 < end ? k + 1 : first];
    const HeftVec3 a = heft_vec3(h->x[i], h->y[i], h->z[i]);
    const HeftVec3 e = heft_vec3_sub(heft_vec3(h->x[j], h->y[j], h->z[j]), a);
    const HeftVec3 d = heft_vec3_sub(foot, a);
    if (heft_vec3_dot(heft_vec3_cross(e, d), n) < 0) inside = 0;
    const double ee = heft_vec3_dot(e, e);
    const double t = ee > 0 ? fmin(fmax(heft_vec3_dot(d, e) / ee, 0), 1) : 0;
    const HeftVec3 q = heft_vec3_add_scaled(a, t, e), r = heft_vec3_sub(p, q);
    if (heft_vec3_dot(r, r) < min) {
      min = heft_vec3_dot(r, r);
      best = q;
    }
  }
  return inside ? foot : best;
}

// Close to the surface every face above which the point lies is tried; farther away the distance
// loop is quicker.
static double closest_faces(const Hull* h, HeftVec3 p, HeftVec3* q, HeftVec3* n, double size) {
  double best = HUGE_VAL;
  for (int f = 0; f < h->face_count; ++f) {
    const double s = h->nx[f] * p.x + h->ny[f] * p.y + h->nz[f] * p.z - h->offset[f];
    if (!(s > 0)) continue;
    const HeftVec3 at = closest_on_face(h, f, p);
    const double d = heft_vec3_norm(heft_vec3_sub(p, at));
    if (d < best) {
      best = d;
      *q = at;
    }
  }
  // Closer than this, only the face has a direction worth the name.
  if (best > 1e-12 * size) *n = heft_vec3_normalize(heft_vec3_sub(p, *q));
  return best;
}

static double closest_hull(const Geometry* g, HeftVec3 p, HeftVec3* q, HeftVec3* n) {
  const Hull* h = g->hull;
  const int face = heft_hull_outermost(h, p);
  const double best = h->nx[face] * p.x + h->ny[face] * p.y + h->nz[face] * p.z - h->offset[face];
  *n = heft_vec3(h->nx[face], h->ny[face], h->nz[face]);
  *q = heft_vec3_add_scaled(p, -best, *n);
  if (best <= 0) return best;
  const double size = heft_vec3_norm(g->half);
  if (best < 1e-6 * size) return closest_faces(h, p, q, n, size);
  const Geometry point = {.kind = KIND_SPHERE};
  HeftPose at = heft_pose_identity();
  at.pos = p;
  Nearness near;
  EpaScratch* none = NULL;  // a point outside of a face's plane does not overlap
  if (!heft_nearness(g, &point, &at, HUGE_VAL, none, &near)) {
    return closest_faces(h, p, q, n, size);
  }
  *n = near.normal;
  *q = near.on_a;
  return near.gap;
}

double heft_geometry_closest(const Geometry* g, HeftVec3 p, HeftVec3* on_surface,
                             HeftVec3* normal) {
  switch (g->kind) {
    case KIND_PLANE:
      *on_surface = heft_vec3(p.x, p.y, 0);
      *normal = heft_vec3(0, 0, 1);
      return p.z;
    case KIND_SPHERE: {
      const double d = heft_vec3_norm(p);
      *normal = d > 0 ? heft_vec3_normalize(p) : heft_vec3(0, 0, 1);
      *on_surface = heft_vec3_scale(g->size[0], *normal);
      return d - g->size[0];
    }
    case KIND_CAPSULE:
      return closest_capsule(g, p, on_surface, normal);
    case KIND_CYLINDER:
      return closest_cylinder(g, p, on_surface, normal);
    case KIND_ELLIPSOID:
      return closest_ellipsoid(g, p, on_surface, normal);
    case KIND_BOX:
      return closest_box(g, p, on_surface, normal);
    case KIND_HULL:
      return closest_hull(g, p, on_surface, normal);
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  HEFT_ASSERT(g->kind != KIND_TRIANGLE && !kind_has_triangles(g->kind));
  return HUGE_VAL;
}

void heft_sphere_convex(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        Candidates* out) {
  HeftVec3 q, n;
  const HeftVec3 center = heft_mat3_tmul_vec(x->rot, heft_vec3_neg(x->pos));
  const double gap = heft_geometry_closest(b, center, &q, &n) - a->size[0];
  if (!(gap <= margin)) return;
  const HeftVec3 normal = heft_vec3_neg(heft_mat3_mul_vec(x->rot, n));
  const HeftVec3 pos = heft_vec3_scale(a->size[0] + 0.5 * gap, normal);
  candidate_add(out, pos, normal, gap,
                feature_pair(part_id(PART_SURFACE, 0), part_id(PART_SURFACE, 0)));
}
