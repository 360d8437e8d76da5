// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores when apart, depth when they overlap, to the last digit.
//
// The distance loop (gjk.c) knows the distance to the last digit but the normal only to half of
// them; the polytope (polytope.c) knows the side of a curved D that is nearest, and little more.
// Both are initial values: faces give their normals exactly; other directions are improved on the
// features that meet (refine.c); other minima of nearly the same depth are followed too. A result
// that cannot be proved is searched again with a finer polytope.
#include "collision/nearness.h"

#include "base/assert.h"
#include "collision/gjk.h"
#include "collision/refine.h"

enum { HOLLOW_MAX = 8 };

// Of the core: the radius is no part of D.
static double extent(const Geometry* g) {
  const HeftVec3 core =
      heft_vec3(g->half.x - g->radius, g->half.y - g->radius, g->half.z - g->radius);
  return heft_vec3_norm(core) + heft_vec3_norm(g->center);
}

// The face of one of the two that looks along the normal; 0 if there is none nearby.
static int face_normal(const Cores* p, const Geometry* g, HeftVec3 normal, HeftVec3* n) {
  if (g->kind != KIND_BOX && g->kind != KIND_HULL && g->kind != KIND_CYLINDER &&
      g->kind != KIND_TRIANGLE) {
    return 0;
  }
  Feature f;
  const int is_b = g == p->b;
  heft_geometry_feature(g, is_b ? heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, normal)) : normal,
                        &f);
  if (f.count < 3) return 0;
  *n = is_b ? heft_vec3_neg(heft_mat3_mul_vec(p->b_in_a.rot, f.normal)) : f.normal;
  return heft_vec3_dot(*n, normal) >= 0.999;
}

// 1 if one point of a core looks along m more than all others, clearly.
static int has_single_point(const Geometry* g, HeftVec3 m) {
  const double rho2 = m.x * m.x + m.y * m.y;
  return g->kind == KIND_ELLIPSOID || g->kind == KIND_SPHERE ||
         (g->kind == KIND_CYLINDER && rho2 > 1e-10 && fabs(m.z) > 1e-5);
}

// 1 if a point of the plane of one of its faces lies in that face.
static int holds_point(const Geometry* g, HeftVec3 q, double slack) {
  const double* s = g->size;
  if (g->kind == KIND_CYLINDER) return q.x * q.x + q.y * q.y <= s[0] * s[0];
  if (g->kind == KIND_BOX) {
    return fabs(q.x) <= s[0] + slack && fabs(q.y) <= s[1] + slack && fabs(q.z) <= s[2] + slack;
  }
  for (int f = 0; g->kind == KIND_HULL && f < g->hull->face_count; ++f) {
    const Hull* h = g->hull;
    if (h->nx[f] * q.x + h->ny[f] * q.y + h->nz[f] * q.z > h->offset[f] + slack) return 0;
  }
  return 1;
}

// The face of one meets a single point of the other: that is where they touch. Returns 0 if the
// point is beyond the face's border, so that the face is not the answer.
static int touch_face(Cores* p, int side, Nearness* out) {
  const HeftVec3 n = out->normal, m = heft_vec3_neg(heft_mat3_tmul_vec(p->b_in_a.rot, n));
  const Geometry *owner = side == 0 ? p->a : p->b, *other = side == 0 ? p->b : p->a;
  out->on_b = heft_vec3_add_scaled(out->on_a, out->gap, n);
  if (!has_single_point(other, side == 0 ? m : n)) return 1;
  const Difference w = cores_support(p, n);
  const HeftVec3 b = heft_vec3_sub(w.on_a, w.w);
  out->on_b = side == 0 ? b : heft_vec3_add_scaled(w.on_a, out->gap, n);
  out->on_a = side == 0 ? heft_vec3_add_scaled(b, -out->gap, n) : w.on_a;
  const HeftVec3 q = side == 0 ? out->on_a : heft_pose_apply_inverse(p->b_in_a, out->on_b);
  return holds_point(owner, q, 1e-12 * p->scale);
}

// If the normal of a face of a or b does as well, it is the exact one. Returns 1 if one was taken
// and is the answer for all that can be seen.
static int snap_to_faces(Cores* p, double slack, Nearness* out) {
  HeftVec3 n, best = out->normal;
  double min = -out->gap + slack;
  int found = -1;
  for (int side = 0; side < 2; ++side) {
    if (!face_normal(p, side == 0 ? p->a : p->b, out->normal, &n)) continue;
    const double depth = cores_reach(p, n);
    if (!(depth <= min - (found >= 0 ? 1e-15 * p->scale : 0))) continue;
    min = depth;
    best = n;
    found = side;
  }
  if (found < 0) return 0;
  out->normal = best;
  out->gap = -min;
  return touch_face(p, found, out);
}

// 1 if two parallel faces look at each other.
static int faces_meet(const Cores* p, HeftVec3 normal) {
  HeftVec3 a, b;
  if (!face_normal(p, p->a, normal, &a) || !face_normal(p, p->b, normal, &b)) return 0;
  return heft_vec3_norm(heft_vec3_cross(a, b)) <= 1e-12;
}

// Of the faces that may lead below `depth`, and look elsewhere than all directions in `seen`, the
// one along whose normal D reaches the least, by rank; -1 if there is none.
static int other_hollow(const EpaScratch* m, int faces, double depth, const HeftVec3* seen,
                        int count) {
  int best = -1;
  double min = HUGE_VAL;
  for (int f = 0; f < faces; ++f) {
    const EpaFace* face = &m->face[f];
    if (!(m->rank[f] < min) || !(face->distance < depth)) continue;
    int known = 0;
    for (int k = 0; k < count && !known; ++k) known = heft_vec3_dot(face->normal, seen[k]) > 0.99;
    if (known) continue;
    min = m->rank[f];
    best = f;
  }
  return best;
}

// Two hollows of nearly the same depth: faces of the polytope that the best answer does not rule
// out, and that look elsewhere, are followed as well, the most promising first.
static void try_other_hollows(Cores* p, EpaScratch* scratch, int faces, Nearness* best) {
  HeftVec3 seen[2 * HOLLOW_MAX + 1] = {best->normal};
  for (int f = 0; f < faces; ++f) {
    const EpaFace* face = &scratch->face[f];
    const int open = face->state == EPA_ALIVE && face->distance < -best->gap - 1e-14 * p->scale &&
                     heft_vec3_dot(face->normal, best->normal) <= 0.99;
    scratch->rank[f] = open ? cores_reach(p, face->normal) : HUGE_VAL;
  }
  for (int tried = 0; tried < HOLLOW_MAX; ++tried) {
    const int f = other_hollow(scratch, faces, -best->gap - 1e-14 * p->scale, seen, 2 * tried + 1);
    if (f < 0) return;
    Nearness other;
    heft_polytope_read(scratch, faces, f, p->scale, &other);
    seen[2 * tried + 1] = other.normal;
    other.gap = -cores_reach(p, other.normal);
    heft_refine(p->a, p->b, &p->b_in_a, VICINITY_WIDE, p->floor, &other);
    snap_to_faces(p, 1e-14 * p->scale, &other);
    seen[2 * tried + 2] = other.normal;
    if (other.gap > best->gap) *best = other;
  }
}

// Round bodies about nearly one centre have hollows along their axes, so flat that the polytope
// need not tell them apart.
static void try_axes(Cores* p, Nearness* best) {
  HeftVec3 n = {0, 0, 0};
  double min = -best->gap - 1e-14 * p->scale;
  for (int k = 0; k < 12; ++k) {
    const Geometry* g = k < 6 ? p->a : p->b;
    if (!heft_geometry_is_smooth(g)) continue;
    HeftVec3 axis = heft_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    if (k >= 6) axis = heft_mat3_mul_vec(p->b_in_a.rot, axis);
    if (k % 6 >= 3) axis = heft_vec3_neg(axis);
    const double depth = cores_reach(p, axis);
    if (!(depth < min)) continue;
    min = depth;
    n = axis;
  }
  if (heft_vec3_dot(n, n) == 0) return;
  const Difference w = cores_support(p, n);
  *best = (Nearness){n, -min, w.on_a, heft_vec3_add_scaled(w.on_a, -min, n)};
  heft_refine(p->a, p->b, &p->b_in_a, VICINITY_WIDE, p->floor, best);
}

// Too far from the truth for Newton's method: the polytope is grown to the last digit.
static void finish_stuck(Cores* p, EpaScratch* scratch, Nearness* out) {
  Nearness fine;
  int faces = 0;
  if (!scratch || !heft_polytope_depth(p, 1e-12 * p->scale, scratch, &faces, &fine)) return;
  heft_refine(p->a, p->b, &p->b_in_a, VICINITY_CLOSE_THEN_WIDE, p->floor, &fine);
  snap_to_faces(p, 1e-14 * p->scale, &fine);
  if (fine.gap > out->gap - 1e-14 * p->scale) *out = fine;  // its points belong to its normal
}

static void finish_curved(Cores* p, EpaScratch* scratch, int faces, Nearness* out) {
  if (faces_meet(p, out->normal) && snap_to_faces(p, 1e-11 * p->scale, out)) return;
  Nearness face = *out;
  const int flat = snap_to_faces(p, 1e-9 * p->scale, &face);
  const Vicinity around = flat ? VICINITY_CLOSE : VICINITY_CLOSE_THEN_WIDE;
  const int settled = heft_refine(p->a, p->b, &p->b_in_a, around, p->floor, out);
  const int snapped = snap_to_faces(p, 1e-14 * p->scale, out);
  try_axes(p, out);
  try_other_hollows(p, scratch, faces, out);
  if (!settled && !snapped) finish_stuck(p, scratch, out);
}

// The distance loop knows the distance to the last digit but the normal only to half of them, which
// is felt where a face meets a face.
static void finish_apart(Cores* p, EpaScratch* scratch, Nearness* out) {
  if (fabs(out->gap + cores_reach(p, out->normal)) <= 1e-14 * p->scale) return;
  const double before = out->gap;
  p->floor = -out->gap;
  int done = snap_to_faces(p, 1e-12 * p->scale, out);
  const Vicinity around = done ? VICINITY_CLOSE : VICINITY_CLOSE_THEN_WIDE;
  done |= heft_refine(p->a, p->b, &p->b_in_a, around, p->floor, out);
  done |= snap_to_faces(p, 0, out);
  if (!done) finish_stuck(p, scratch, out);
  if (!(out->gap > 0)) out->gap = before;
}

// Apart after all: rounding had the origin inside of a simplex. The polytope knows the direction.
static void ask_again(Cores* p, EpaScratch* scratch, Nearness* out) {
  Nearness apart;
  if (heft_gjk_distance(p, out->normal, HUGE_VAL, 0, &apart) != GJK_CLOSE) return;
  finish_apart(p, scratch, &apart);
  if (-cores_reach(p, apart.normal) > out->gap) *out = apart;
}

int heft_nearness(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double limit,
                  EpaScratch* scratch, Nearness* out) {
  HEFT_ASSERT(a->kind != KIND_PLANE && !kind_has_triangles(a->kind));
  HEFT_ASSERT(b->kind != KIND_PLANE && !kind_has_triangles(b->kind));
  Cores p = {.a = a, .b = b, .b_in_a = *b_in_a, .scale = extent(a) + extent(b)};
  HeftVec3 direction = heft_vec3_sub(heft_pose_apply(*b_in_a, b->center), a->center);
  const int smooth = heft_geometry_is_smooth(a) || heft_geometry_is_smooth(b);
  const GjkOutcome outcome =
      heft_gjk_distance(&p, direction, fmax(limit, 0), smooth ? 1e-15 : 0, out);
  if (outcome == GJK_FAR_APART) return 0;
  if (outcome == GJK_CLOSE) {
    if (!(out->gap <= fmax(limit, 0))) return 0;
    finish_apart(&p, scratch, out);
    return 1;
  }
  if (!scratch) return 0;
  const double tolerance = (smooth ? 1e-6 : 1e-13) * p.scale;
  int faces = 0;
  if (!heft_polytope_depth(&p, tolerance, scratch, &faces, out)) {
    // D is flat: a normal across it, and no depth.
    const HeftVec3 along = heft_vec3_normalize(direction);
    out->normal = any_across(heft_vec3_dot(along, along) > 0 ? along : heft_vec3(0, 0, 1));
    out->gap = 0;
    out->on_a = out->on_b = heft_vec3_scale(0.5, b_in_a->pos);
    return 1;
  }
  if (smooth) {
    finish_curved(&p, scratch, faces, out);
  } else {
    snap_to_faces(&p, 1e-12 * p.scale, out);
  }
  if (out->gap > 1e-9 * p.scale) ask_again(&p, scratch, out);
  return 1;
}