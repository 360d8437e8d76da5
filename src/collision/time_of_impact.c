// SPDX-License-Identifier: Apache-2.0
// Time of impact by conservative advancement [Mirtich 1996b].
//
// For a fixed direction n from a to b, the distance of two convex shapes is at least the gap g(n)
// between their farthest points along n, also if they overlap. While they move, g(n) shrinks at
// most at the rate
//     w = max over a of n · ẋ  -  min over b of n · ẋ.
// So from a time s with the gap g, they are no closer than `distance` before s + (g - distance) /
// w: that is the next time to look at, with the normal of that time. If w <= 0 they never come
// closer. Each look gives a bound, so an inexact normal costs time and no safety. A shape that
// only shifts has w exactly, and one or two looks are enough where faces meet.
//
// The rate of a shape, along n: its centre has n · (d + φ × r) with the arm r from the pivot. This
// rate itself changes at most by |n × φ| |φ × r| per step. Its other points, with the arm x from
// the centre, add n · (φ × x) <= |n × φ| |x|, or less if the shape is round about its axis (sway).
#include "collision/time_of_impact.h"

#include "base/assert.h"
#include "collision/gjk.h"
#include "collision/nearness.h"
#include "collision/triangle_mesh.h"

enum { LOOKS = 96 };

// The rate at which the farthest point of a shape may move along n at any time from s on. centre:
// of its bounding box at the time s.
static double rate_along(const ShapeMotion* m, HeftVec3 centre, HeftVec3 n, double s) {
  const StepMotion* x = &m->motion;
  if (heft_vec3_dot(x->turn, x->turn) == 0) return heft_vec3_dot(n, x->shift);
  const HeftVec3 v = motion_velocity(x, s, centre);
  const double across = heft_vec3_norm(heft_vec3_cross(n, x->turn));
  const double turning = heft_vec3_norm(heft_vec3_sub(v, x->shift));
  return heft_vec3_dot(n, v) + across * turning * (1 - s) + fmin(across * m->radius, m->sway);
}

typedef struct Look {
  double gap;             // along the normal; negative: depth
  HeftVec3 normal;        // from a to b, in the world
  HeftVec3 on_a, centre;  // centre of the bounding box of a and b, in the world
  HeftPose x, y;          // of a and b
} Look;

static double extent(const Geometry* g) {
  return heft_vec3_norm(g->half) + heft_vec3_norm(g->center);
}

// Two convex shapes at the time s, and the depth or distance that they shall not reach until `end`.
typedef struct Pass {
  const Mover *a, *b;
  HeftPose x;               // of a at the time s
  HeftVec3 on_a, centre;    // as in Look
  double s, end, distance;  // of the shapes, without their radii
} Pass;

// Shapes that are apart by the bound along the normal do not come close in the rest of the step.
static int stay_apart(const void* user, HeftVec3 normal, double bound) {
  const Pass* p = user;
  const double left = bound - p->a->geometry->radius - p->b->geometry->radius - p->distance;
  if (!(left > 0)) return 0;
  const HeftVec3 n = heft_mat3_mul_vec(p->x.rot, normal);
  const double rate = rate_along(p->a->motion, p->on_a, n, p->s) +
                      rate_along(p->b->motion, p->centre, heft_vec3_neg(n), p->s);
  return left > rate * (p->end - p->s);
}

// Distance of two convex shapes at the time s. Beyond `limit`, and where they stay apart until
// `end`, any bound will do.
static Look look_at_convex(const Mover* a, const Mover* b, double s, double end, double distance,
                           double limit, EpaScratch* scratch) {
  const HeftPose x = heft_motion_pose(&a->motion->motion, a->start, s);
  const HeftPose y = heft_motion_pose(&b->motion->motion, b->start, s);
  const HeftPose b_in_a = {heft_mat3_mul(heft_mat3_transpose(x.rot), y.rot),
                           heft_pose_apply_inverse(x, y.pos)};
  const Geometry *g = a->geometry, *h = b->geometry;
  Cores p = {.a = g, .b = h, .b_in_a = b_in_a, .scale = extent(g) + extent(h)};
  const double radii = g->radius + h->radius;
  const HeftVec3 direction = heft_vec3_sub(heft_pose_apply(b_in_a, h->center), g->center);
  const Pass pass = {.a = a,
                     .b = b,
                     .x = x,
                     .on_a = heft_pose_apply(x, g->center),
                     .centre = heft_pose_apply(y, h->center),
                     .s = s,
                     .end = end,
                     .distance = distance};
  Nearness near;
  const GjkOutcome outcome = heft_gjk_distance_until(&p, direction, fmax(limit, 0) + radii, 1e-9,
                                                     stay_apart, &pass, &near);
  if (outcome != GJK_OVERLAP) {
    near.gap = -cores_reach(&p, near.normal);
  } else if (distance > 0 && h->kind != KIND_TRIANGLE) {
    near.gap = 0;  // they touch; how deep, and where, does not matter
    near.normal = heft_vec3(0, 0, 0);
  } else if (!heft_nearness(g, h, &b_in_a, HUGE_VAL, scratch, &near)) {
    near.gap = HUGE_VAL;  // not reached: cores that overlap have a depth
    near.normal = heft_vec3(0, 0, 1);
  }
  return (Look){.gap = near.gap - radii,
                .normal = heft_mat3_mul_vec(x.rot, near.normal),
                .on_a = pass.on_a,
                .centre = pass.centre,
                .x = x,
                .y = y};
}

// The plane a is endless; of its turn only the part near b counts.
static double plane_rate(const Mover* a, const Mover* b, const Look* look, double s) {
  const StepMotion* m = &a->motion->motion;
  const HeftVec3 pivot = heft_vec3_add_scaled(m->pivot, s, m->shift);
  const double far = heft_vec3_norm(heft_vec3_sub(look->centre, pivot)) + b->motion->radius +
                     b->geometry->radius + b->motion->reach;
  const double across = heft_vec3_norm(heft_vec3_cross(look->normal, m->turn));
  return heft_vec3_dot(look->normal, m->shift) + across * far;
}

static Look look_at_plane(const Mover* a, const Mover* b, double s) {
  const HeftPose x = heft_motion_pose(&a->motion->motion, a->start, s);
  const HeftPose y = heft_motion_pose(&b->motion->motion, b->start, s);
  const HeftVec3 n = heft_mat3_column(x.rot, 2);
  const HeftVec3 down = heft_vec3_neg(heft_mat3_tmul_vec(y.rot, n));
  const HeftVec3 lowest = heft_pose_apply(y, heft_geometry_support(b->geometry, down));
  return (Look){.gap = heft_vec3_dot(n, heft_vec3_sub(lowest, x.pos)) - b->geometry->radius,
                .normal = n,
                .on_a = x.pos,
                .centre = heft_pose_apply(y, b->geometry->center),
                .x = x,
                .y = y};
}

// ---- how far the normal of a look separates
//
// Let the direction n of a look stay. To first order in the time t after it, a point x of a shape
// is at x + t (d + φ × (x - p)) along n, which is x · (n + t n × φ) + t n · (d - φ × p): the
// farthest point along n at that time is the support point along n + t n × φ now. So the gap along
// n is known for every t, up to the second order, which is t² |n × φ| |φ × r| / 2 at most for a
// point with the arm r from the pivot. The gap less this bound is concave in t, so where the chord
// of two values vanishes it is still positive.

enum { CHORDS = 3 };

// How far a shape reaches along n at most, t after the time s of the pose x.
static double reach_ahead(const Mover* m, HeftPose x, HeftVec3 centre, HeftVec3 n, double s,
                          double t) {
  const StepMotion* motion = &m->motion->motion;
  const HeftVec3 turned = heft_vec3_cross(n, motion->turn);
  const HeftVec3 pivot = heft_vec3_add_scaled(motion->pivot, s, motion->shift);
  const HeftVec3 along = heft_vec3_add_scaled(n, t, turned);
  const HeftVec3 point =
      heft_pose_apply(x, heft_geometry_support(m->geometry, heft_mat3_tmul_vec(x.rot, along)));
  const HeftVec3 arm = heft_vec3_sub(point, pivot), from = heft_vec3_sub(centre, pivot);
  const double fastest = heft_vec3_norm(heft_vec3_cross(motion->turn, from)) + m->motion->sway;
  return heft_vec3_dot(n, point) + t * heft_vec3_dot(n, motion->shift) +
         t * heft_vec3_dot(turned, arm) + 0.5 * t * t * heft_vec3_norm(turned) * fastest;
}

// The gap along the normal of a look, t after the time s: a bound from below.
static double gap_ahead(const Mover* a, const Mover* b, const Look* look, double s, double t) {
  return -reach_ahead(a, look->x, look->on_a, look->normal, s, t) -
         reach_ahead(b, look->y, look->centre, heft_vec3_neg(look->normal), s, t) -
         a->geometry->radius - b->geometry->radius;
}

// The same along a normal that turns with a (heft_motion_curving), with c a place near the contact.
static double gap_in_turn(const Mover* a, const Mover* b, const Look* look, double s, double t) {
  const StepMotion *p = &a->motion->motion, *q = &b->motion->motion;
  const HeftVec3 n = look->normal, turned = heft_vec3_cross(heft_vec3_sub(p->turn, q->turn), n);
  const HeftVec3 back = heft_mat3_tmul_vec(look->y.rot, heft_vec3_neg(n));
  const HeftVec3 c = heft_pose_apply(look->y, heft_geometry_support(b->geometry, back));
  const HeftVec3 along = heft_vec3_neg(heft_vec3_add_scaled(n, t, turned));
  const HeftVec3 x = heft_pose_apply(
      look->y, heft_geometry_support(b->geometry, heft_mat3_tmul_vec(look->y.rot, along)));
  const HeftVec3 on_a = heft_pose_apply(
      look->x, heft_geometry_support(a->geometry, heft_mat3_tmul_vec(look->x.rot, n)));
  const HeftVec3 w = heft_vec3_sub(motion_velocity(q, s, c), motion_velocity(p, s, c));
  const double size =
      heft_vec3_norm(heft_vec3_sub(look->centre, c)) + geometry_core_radius(b->geometry);
  const double second = heft_motion_curving(p, q, s, c, n, size);
  return -heft_vec3_dot(along, heft_vec3_sub(x, c)) + t * heft_vec3_dot(n, w) -
         heft_vec3_dot(n, heft_vec3_sub(on_a, c)) - 0.5 * second * t * t - a->geometry->radius -
         b->geometry->radius;
}

typedef double GapAhead(const Mover* a, const Mover* b, const Look* look, double s, double t);

// How long after the time s the gap of a look stays above `distance`: `last` if it does so until
// then.
static double time_ahead(GapAhead* gap, const Mover* a, const Mover* b, const Look* look,
                         double distance, double s, double last) {
  const double at_last = gap(a, b, look, s, last) - distance;
  double t = 0, at_t = look->gap - distance;
  if (at_last >= 0) return last;
  for (int k = 0; k < CHORDS && at_t > 0; ++k) {
    t += (last - t) * at_t / (at_t - at_last);
    if (k < CHORDS - 1) at_t = gap(a, b, look, s, t) - distance;
  }
  return t;
}

// The gap to the plane a, which shifts and does not turn.
static double gap_to_plane(const Mover* a, const Mover* b, const Look* look, double s, double t) {
  const HeftVec3 place = heft_vec3_add_scaled(look->on_a, t, a->motion->motion.shift);
  return -reach_ahead(b, look->y, look->centre, heft_vec3_neg(look->normal), s, t) -
         heft_vec3_dot(look->normal, place) - b->geometry->radius;
}

// The look at a from b.
static Look look_back(const Look* look) {
  return (Look){.gap = look->gap,
                .normal = heft_vec3_neg(look->normal),
                .on_a = look->centre,
                .centre = look->on_a,
                .x = look->y,
                .y = look->x};
}

// The longest time of those along a normal that stays, that turns with a and that turns with b: the
// last two are long if a face of a, or of b, slides over the other shape.
static double time_of_look(const Mover* a, const Mover* b, const Look* look, double distance,
                           double s, double last) {
  if (a->geometry->kind == KIND_PLANE) {
    const HeftVec3 turn = a->motion->motion.turn;
    if (heft_vec3_dot(turn, turn) > 0) return 0;
    return time_ahead(gap_to_plane, a, b, look, distance, s, last);
  }
  const double straight = time_ahead(gap_ahead, a, b, look, distance, s, last);
  if (!(straight < last)) return last;
  const double with_a = time_ahead(gap_in_turn, a, b, look, distance, s, last);
  if (!(with_a < last)) return last;
  const Look back = look_back(look);
  return fmax(fmax(straight, with_a), time_ahead(gap_in_turn, b, a, &back, distance, s, last));
}

// a convex or a plane, b convex; until the time `end`. *normal: at the time of the result.
static double advance(const Mover* a, const Mover* b, double distance, double tolerance, double end,
                      EpaScratch* scratch, HeftVec3* normal) {
  const int plane = a->geometry->kind == KIND_PLANE;
  const double all = a->motion->reach + b->motion->reach;
  double s = 0;
  for (int k = 0; k < LOOKS; ++k) {
    const double limit = all + distance + tolerance;
    const Look look = plane ? look_at_plane(a, b, s)
                            : look_at_convex(a, b, s, end, distance + tolerance, limit, scratch);
    *normal = look.normal;
    if (k == 0 && distance < 0 && look.gap <= distance + tolerance) {
      if (look.gap < 2 * distance) return NEVER;
      distance = look.gap - 2 * tolerance;
    }
    if (look.gap <= distance + tolerance) return s;
    const HeftVec3 back = heft_vec3_neg(look.normal);
    const double rate =
        (plane ? plane_rate(a, b, &look, s) : rate_along(a->motion, look.on_a, look.normal, s)) +
        rate_along(b->motion, look.centre, back, s);
    if (!(rate > 0)) return NEVER;
    const double least = (look.gap - distance) / rate;
    if (!(s + least < end)) return NEVER;
    s += fmax(least, time_of_look(a, b, &look, distance, s, end - s));
    if (!(s < end)) return NEVER;
  }
  return s;
}

// ---- bounding boxes

// 1 if shapes whose bounding boxes are apart by `gap` along an axis do not close it until `end`.
// along: where b is on that axis, seen from a. *normal: the axis, if so.
static int axis_separates(const Mover* a, const Mover* b, HeftVec3 axis, double along, double gap,
                          double end, HeftVec3* normal) {
  if (!(gap > 0)) return 0;
  const HeftVec3 n = along < 0 ? heft_vec3_neg(axis) : axis;
  const HeftVec3 on_a = heft_pose_apply(a->start, a->geometry->center);
  const HeftVec3 on_b = heft_pose_apply(b->start, b->geometry->center);
  const double rate =
      rate_along(a->motion, on_a, n, 0) + rate_along(b->motion, on_b, heft_vec3_neg(n), 0);
  if (!(gap > rate * end)) return 0;
  *normal = n;
  return 1;
}

// Most pairs are apart by their bounding spheres, or along a face of a bounding box. 1 if they stay
// so until `end`.
static int boxes_stay_apart(const Mover* a, const Mover* b, double distance, double end,
                            HeftVec3* normal) {
  const Geometry *g = a->geometry, *h = b->geometry;
  const HeftVec3 apart =
      heft_vec3_sub(heft_pose_apply(b->start, h->center), heft_pose_apply(a->start, g->center));
  const double far = heft_vec3_norm(apart);
  const double radii = geometry_radius(g) + geometry_radius(h);
  if (far > 0 && axis_separates(a, b, heft_vec3_scale(1 / far, apart), far, far - radii - distance,
                                end, normal))
    return 1;
  if (g->kind == KIND_SPHERE && h->kind == KIND_SPHERE) return 0;
  const HeftMat3 turn = heft_mat3_mul(heft_mat3_transpose(a->start.rot), b->start.rot);
  const double half_a[3] = {g->half.x, g->half.y, g->half.z};
  const double half_b[3] = {h->half.x, h->half.y, h->half.z};
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 axis_a = heft_mat3_column(a->start.rot, k);
    const HeftVec3 axis_b = heft_mat3_column(b->start.rot, k);
    const double along_a = heft_vec3_dot(axis_a, apart), along_b = heft_vec3_dot(axis_b, apart);
    double gap_a = fabs(along_a) - half_a[k], gap_b = fabs(along_b) - half_b[k];
    for (int j = 0; j < 3; ++j) {
      gap_a -= fabs(turn.m[k][j]) * half_b[j];
      gap_b -= fabs(turn.m[j][k]) * half_a[j];
    }
    if (axis_separates(a, b, axis_a, along_a, gap_a - distance, end, normal) ||
        axis_separates(a, b, axis_b, along_b, gap_b - distance, end, normal))
      return 1;
  }
  return 0;
}

// ---- triangle meshes

typedef struct MeshAdvance {
  const Mover *a, *mesh;
  double distance, tolerance;
  double first;  ///< time of the first impact so far
  EpaScratch* scratch;
} MeshAdvance;

static void advance_to_triangle(MeshAdvance* m, const Triangle* t) {
  const TriangleMesh* mesh = m->mesh->geometry->triangle_mesh;
  HeftVec3 corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = mesh->vertex[t->vertex[k]];
  HeftVec3 lo = corner[0], hi = corner[0], normal;
  for (int k = 1; k < 3; ++k) {
    const HeftVec3 c = corner[k];
    lo = heft_vec3(fmin(lo.x, c.x), fmin(lo.y, c.y), fmin(lo.z, c.z));
    hi = heft_vec3(fmax(hi.x, c.x), fmax(hi.y, c.y), fmax(hi.z, c.z));
  }
  const Geometry triangle = {.kind = KIND_TRIANGLE,
                             .corner = corner,
                             .center = heft_vec3_scale(0.5, heft_vec3_add(lo, hi)),
                             .half = heft_vec3_scale(0.5, heft_vec3_sub(hi, lo))};
  ShapeMotion motion = *m->mesh->motion;
  motion.radius = heft_vec3_norm(triangle.half);
  motion.sway = heft_vec3_norm(motion.motion.turn) * motion.radius;
  const Mover b = {&triangle, m->mesh->start, &motion};
  const double s = advance(m->a, &b, m->distance, m->tolerance, m->first, m->scratch, &normal);
  if (!(s < m->first)) return;
  const HeftPose x = heft_motion_pose(&motion.motion, m->mesh->start, s);
  if (heft_vec3_dot(heft_mat3_mul_vec(x.rot, t->normal), normal) > 1e-6) return;  // from behind
  m->first = s;
}

static void advance_to_triangles(void* user, const int* items, int count) {
  MeshAdvance* m = user;
  const TriangleMesh* mesh = m->mesh->geometry->triangle_mesh;
  for (int i = 0; i < count && m->first > 0; ++i) advance_to_triangle(m, &mesh->triangle[items[i]]);
}

// The box, in the frame of the mesh, that holds a during the step. If the mesh turns, the motions
// of both count in all directions.
static void box_in_mesh(const Mover* a, const Mover* mesh, double distance, double lo[3],
                        double hi[3]) {
  const HeftMat3 rot = heft_mat3_mul(heft_mat3_transpose(mesh->start.rot), a->start.rot);
  const HeftVec3 c =
      heft_pose_apply_inverse(mesh->start, heft_pose_apply(a->start, a->geometry->center));
  const HeftVec3 half = a->geometry->half;
  const double centre[3] = {c.x, c.y, c.z};
  const StepMotion* m = &mesh->motion->motion;
  const int turns = heft_vec3_dot(m->turn, m->turn) > 0;
  const double around = fmax(distance, 0) + (turns ? a->motion->reach + mesh->motion->reach : 0);
  double first[3], last[3];
  for (int k = 0; k < 3; ++k) {
    const double reach = fabs(rot.m[k][0]) * half.x + fabs(rot.m[k][1]) * half.y +
                         fabs(rot.m[k][2]) * half.z + around;
    first[k] = centre[k] - reach;
    last[k] = centre[k] + reach;
  }
  if (!turns) {
    const HeftMat3 to_mesh = heft_mat3_transpose(mesh->start.rot);
    ShapeMotion seen = *a->motion;
    const HeftVec3 shift = heft_vec3_sub(seen.motion.shift, m->shift);
    seen.motion.shift = heft_mat3_mul_vec(to_mesh, shift);
    seen.motion.turn = heft_mat3_mul_vec(to_mesh, seen.motion.turn);
    seen.motion.pivot = heft_pose_apply_inverse(mesh->start, seen.motion.pivot);
    heft_motion_sweep_box(&seen, c, first, last);
  }
  for (int k = 0; k < 3; ++k) {
    lo[k] = first[k];
    hi[k] = last[k];
  }
}

static double meet_mesh(const Mover* a, const Mover* mesh, double distance, double tolerance,
                        EpaScratch* scratch) {
  MeshAdvance m = {a, mesh, distance, tolerance, 1, scratch};
  double lo[3], hi[3];
  box_in_mesh(a, mesh, distance + tolerance, lo, hi);
  heft_tree8_query(&mesh->geometry->triangle_mesh->tree, lo, hi, advance_to_triangles, &m);
  return m.first < 1 ? m.first : NEVER;
}

// a's kind is the lower one.
static double time_of_ordered(const Mover* a, const Mover* b, double distance, double tolerance,
                              EpaScratch* scratch, HeftVec3* normal) {
  const Kind kind = b->geometry->kind;
  if (kind == KIND_PLANE || (kind == KIND_TRIANGLE_MESH &&
                             (a->geometry->kind == KIND_PLANE || a->geometry->kind == kind)))
    return NEVER;
  if (kind == KIND_TRIANGLE_MESH) return meet_mesh(a, b, distance, tolerance, scratch);
  if (a->geometry->kind != KIND_PLANE && boxes_stay_apart(a, b, distance + tolerance, 1, normal))
    return NEVER;
  return advance(a, b, distance, tolerance, 1, scratch, normal);
}

double heft_time_of_impact(const Mover* a, const Mover* b, double distance, double tolerance,
                           EpaScratch* scratch, HeftVec3* normal) {
  HEFT_ASSERT(tolerance > 0);
  if (a->geometry->kind <= b->geometry->kind)
    return time_of_ordered(a, b, distance, tolerance, scratch, normal);
  HeftVec3 back = heft_vec3_neg(*normal);
  const double s = time_of_ordered(b, a, distance, tolerance, scratch, &back);
  *normal = heft_vec3_neg(back);
  return s;
}
