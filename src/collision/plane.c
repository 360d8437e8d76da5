// SPDX-License-Identifier: Apache-2.0
// A plane and anything: the solid lies below z = 0 of the plane's frame, the normal is +z, and the
// gap of a point is its height.
#include "collision/narrow.h"

static const HeftVec3 up = {0, 0, 1};

static void add_at(Candidates* out, HeftVec3 p, double margin, uint32_t part) {
  if (!(p.z <= margin)) return;
  candidate_add(out, heft_vec3(p.x, p.y, 0.5 * p.z), up, p.z,
                feature_pair(part_id(PART_FACE, 0), part));
}

void heft_plane_sphere(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                       Candidates* out) {
  (void)a;
  const HeftVec3 p = heft_vec3(x->pos.x, x->pos.y, x->pos.z - b->size[0]);
  add_at(out, p, margin, part_id(PART_SURFACE, 0));
}

void heft_plane_capsule(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        Candidates* out) {
  (void)a;
  const HeftVec3 axis = heft_mat3_column(x->rot, 2);
  for (int k = 0; k < 2; ++k) {
    HeftVec3 p = heft_vec3_add_scaled(x->pos, k ? b->size[1] : -b->size[1], axis);
    p.z -= b->size[0];
    add_at(out, p, margin, part_id(PART_CORNER, k));
  }
}

void heft_plane_ellipsoid(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                          Candidates* out) {
  (void)a;
  const HeftVec3 down = heft_vec3_neg(heft_mat3_row(x->rot, 2));
  add_at(out, heft_pose_apply(*x, heft_geometry_support(b, down)), margin,
         part_id(PART_SURFACE, 0));
}

void heft_plane_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                    Candidates* out) {
  (void)a;
  const HeftVec3 row = heft_mat3_row(x->rot, 2);
  const double reach =
      fabs(row.x) * b->size[0] + fabs(row.y) * b->size[1] + fabs(row.z) * b->size[2];
  if (!(x->pos.z - reach <= margin)) return;
  Feature f;
  heft_geometry_feature(b, heft_vec3_neg(row), &f);
  for (int k = 0; k < f.count; ++k) {
    add_at(out, heft_pose_apply(*x, f.corner[k]), margin, part_id(PART_CORNER, f.corner_id[k]));
  }
}

// Corners close to the lowest one: within the margin, and a twentieth of the size above it.
void heft_plane_hull(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                     Candidates* out) {
  (void)a;
  const Hull* h = b->hull;
  const HeftVec3 row = heft_mat3_row(x->rot, 2);
  const HeftVec3 lowest = heft_geometry_support(b, heft_vec3_neg(row));
  const double min = heft_pose_apply(*x, lowest).z;
  if (!(min <= margin)) return;
  const double max = fmin(margin, min + margin + 0.05 * heft_vec3_norm(b->half));
  for (int i = 0; i < h->vertex_count; ++i) {
    const double z = row.x * h->x[i] + row.y * h->y[i] + row.z * h->z[i] + x->pos.z;
    if (!(z <= max)) continue;
    const HeftVec3 p = heft_pose_apply(*x, heft_vec3(h->x[i], h->y[i], h->z[i]));
    if (out->count < CANDIDATE_MAX - 1) add_at(out, p, margin, part_id(PART_CORNER, i));
  }
  int found = 0;
  for (int k = 0; k < out->count; ++k) found |= out->point[k].gap == min;
  if (!found) add_at(out, heft_pose_apply(*x, lowest), margin, part_id(PART_SURFACE, 0));
}

// The rim of the lower cap at eight fixed places, which stay the same while a standing cylinder
// turns, and the lowest point of each rim where that is lower still.
static void rim_points(const Geometry* b, const HeftPose* x, int top, double margin,
                       Candidates* out) {
  static const double c[8] = {1,
                              0,
                              -1,
                              0,
                              0.70710678118654757,
                              -0.70710678118654757,
                              -0.70710678118654757,
                              0.70710678118654757};
  static const double s[8] = {0,
                              1,
                              0,
                              -1,
                              0.70710678118654757,
                              0.70710678118654757,
                              -0.70710678118654757,
                              -0.70710678118654757};
  const double r = b->size[0], z = top ? b->size[1] : -b->size[1];
  for (int k = 0; k < 8; ++k) {
    const HeftVec3 p = heft_pose_apply(*x, heft_vec3(r * c[k], r * s[k], z));
    add_at(out, p, margin, part_id(PART_CORNER, 16 * top + k));
  }
}

void heft_plane_cylinder(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                         Candidates* out) {
  (void)a;
  const HeftVec3 row = heft_mat3_row(x->rot, 2);
  const double r = b->size[0], rho = sqrt(row.x * row.x + row.y * row.y);
  if (!(x->pos.z - r * rho - b->size[1] * fabs(row.z) <= margin)) return;
  if (rho < fabs(row.z)) rim_points(b, x, row.z < 0, margin, out);
  double min = HUGE_VAL;
  for (int k = 0; k < out->count; ++k) min = fmin(min, out->point[k].gap);
  if (!(rho > 1e-14)) return;
  for (int top = 0; top < 2; ++top) {
    const double z = top ? b->size[1] : -b->size[1];
    const HeftVec3 p = heft_pose_apply(*x, heft_vec3(-r * row.x / rho, -r * row.y / rho, z));
    if (p.z < min - CLEARLY_DEEPER * r || rho >= fabs(row.z)) {
      add_at(out, p, margin, part_id(PART_EDGE, top));
    }
  }
}
