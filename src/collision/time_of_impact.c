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

// ---- how far ahead a look separates
//
// The direction changes at a constant rate, n(t) = n + t ν, with the time t after the look, and the
// origin is a place c that moves as c + t u + t² k / 2. A point of a shape at c + e has against it,
// with the velocity v and the curving of its way k' of the shape at c,
//
//   e + t (v - u + φ × e) + t² (k' - k + φ × (φ × e)) / 2 + r,   |r| <= t³ φ² |φ × arm| / 6.
//
// Along n(t) this is, up to the first order, (n + t (n × φ + ν)) · e + t n · (v - u): how far a
// shape reaches follows from its support point along n + t (n × φ + ν) at the time of the look, for
// every t. The rest is bounded by t² times a constant K. So the gap along n(t) is at least
//
//   G(t) = L(t) - K t²,    L concave.
//
// G is positive up to its root. A tangent of L in place of L gives a root that is not smaller: from
// the end of the step on, these roots come down to the root of G, in one step if the same points
// stay the farthest ones. The chord of L from the look to the last of them has one that is not
// larger.
//
// If a face of one shape slides over the other shape, the normal turns with the face, ν = φ × n. If
// it does so with neither, as between two edges, the last two looks give its rate. With u and k of
// one shape at the place of contact, shapes that move together have small bounds.

enum { TANGENTS = 3, RATES = 4 };

typedef struct Ahead {
  const Mover *a, *b;
  const Look* look;
  double s, distance;
  HeftVec3 rate;                ///< ν
  HeftVec3 c, velocity, curve;  ///< c, u and k
} Ahead;

// φ × (φ × r) at the place c and the time s.
static HeftVec3 curve_of(const StepMotion* m, double s, HeftVec3 c) {
  return heft_vec3_cross(m->turn, heft_vec3_sub(motion_velocity(m, s, c), m->shift));
}

// A function of the time, t after a look, and its bound of the second order.
typedef struct Course {
  double value, slope;  ///< up to the first order
  double second;        ///< K
} Course;

// Adds how far a shape reaches beyond the origin along n + t rate at most.
static void add_reach(const Ahead* p, const Mover* m, HeftPose x, HeftVec3 centre, HeftVec3 n,
                      HeftVec3 rate, double t, Course* sum) {
  const StepMotion* motion = &m->motion->motion;
  const HeftVec3 turned = heft_vec3_cross(n, motion->turn), change = heft_vec3_add(turned, rate);
  const HeftVec3 along = heft_vec3_add_scaled(n, t, change);
  const HeftVec3 point =
      heft_pose_apply(x, heft_geometry_support(m->geometry, heft_mat3_tmul_vec(x.rot, along)));
  const HeftVec3 e = heft_vec3_sub(point, p->c), at_c = motion_velocity(motion, p->s, p->c);
  const HeftVec3 v = heft_vec3_sub(at_c, p->velocity);
  const HeftVec3 curve = heft_vec3_sub(curve_of(motion, p->s, p->c), p->curve);
  const double size =
      heft_vec3_norm(heft_vec3_sub(centre, p->c)) + geometry_core_radius(m->geometry);
  const double turn = m->motion->angle, rate_size = heft_vec3_norm(rate);
  const double speed = heft_vec3_norm(heft_vec3_sub(at_c, motion->shift)) + turn * size;
  const double along_n = heft_vec3_dot(n, v);
  sum->value += heft_vec3_dot(along, e) + t * along_n;
  sum->slope += heft_vec3_dot(change, e) + along_n;
  sum->second += (rate_size + 0.5 * heft_vec3_norm(turned)) * turn * size +
                 fmax(0, heft_vec3_dot(rate, v) + 0.5 * heft_vec3_dot(n, curve)) +
                 0.5 * rate_size * (heft_vec3_norm(curve) + turn * turn * size) +
                 (1 + rate_size) * turn * turn * speed / 6;
}

// The gap at t beyond the distance, both times |n + t ν|: L and K.
static Course gap_ahead(const Ahead* p, double t) {
  const Look* look = p->look;
  const HeftVec3 n = look->normal, along = heft_vec3_add_scaled(n, t, p->rate);
  const double length = heft_vec3_norm(along), grows = heft_vec3_dot(along, p->rate) / length;
  const double both = p->a->geometry->radius + p->b->geometry->radius + fmax(p->distance, 0);
  Course reach = {.value = 0};
  if (p->a->geometry->kind == KIND_PLANE) {
    reach.value = heft_vec3_dot(n, heft_vec3_sub(look->on_a, p->c));
  } else {
    add_reach(p, p->a, look->x, look->on_a, n, p->rate, t, &reach);
  }
  add_reach(p, p->b, look->y, look->centre, heft_vec3_neg(n), heft_vec3_neg(p->rate), t, &reach);
  return (Course){.value = -reach.value - length * both - fmin(p->distance, 0),
                  .slope = -reach.slope - grows * both,
                  .second = reach.second};
}

// Where start + slope t - second t² vanishes; start is positive.
static double root_of(double start, double slope, double second) {
  return 2 * start / (sqrt(slope * slope + 4 * second * start) - slope);
}

// How long after a look the gap stays above the distance: `last` if it does so until then. Of the
// rates at which the normal may change, that is taken with the longest time by its chord.
static double time_of_look(Ahead* p, const HeftVec3* rates, int count, double last) {
  const double start = p->look->gap - p->distance;
  double high = last, longest = 0;
  Course gap = {.value = 0};
  for (int i = 0; i < count; ++i) {
    Ahead trial = *p;
    trial.rate = rates[i];
    const Course own = gap_ahead(&trial, last);
    if (own.value >= last * last * own.second) return last;
    const double time = root_of(start, (own.value - start) / last, own.second);
    if (i == 0 || time > longest) longest = time, gap = own, p->rate = rates[i];
  }
  for (int k = 0; k < TANGENTS; ++k) {
    const double t = root_of(gap.value - high * gap.slope, gap.slope, gap.second);
    if (!(t < high)) break;
    gap = gap_ahead(p, t);
    high = t;
    if (gap.value >= t * t * gap.second) return t;
  }
  return root_of(start, (gap.value - start) / high, gap.second);
}

// time_of_look() for a look and the one before it, at times s and before. A plane that turns: 0.
static double time_ahead(const Mover* a, const Mover* b, const Look* look, double distance,
                         double s, const Look* last_look, double before, double end) {
  const StepMotion *x = &a->motion->motion, *y = &b->motion->motion;
  const HeftVec3 n = look->normal, back = heft_mat3_tmul_vec(look->y.rot, heft_vec3_neg(n));
  Ahead p = {.a = a,
             .b = b,
             .look = look,
             .s = s,
             .distance = distance,
             .c = heft_pose_apply(look->y, heft_geometry_support(b->geometry, back))};
  HeftVec3 rates[RATES] = {heft_vec3(0, 0, 0), heft_vec3_cross(x->turn, n),
                           heft_vec3_cross(y->turn, n)};
  if (a->geometry->kind == KIND_PLANE) {
    if (heft_vec3_dot(x->turn, x->turn) > 0) return 0;
    p.velocity = x->shift;
    return time_of_look(&p, rates, 1, end - s);
  }
  p.velocity = motion_velocity(x, s, p.c);
  p.curve = curve_of(x, s, p.c);
  if (s > before) rates[3] = heft_vec3_scale(1 / (s - before), heft_vec3_sub(n, last_look->normal));
  return time_of_look(&p, rates, s > before ? RATES : RATES - 1, end - s);
}

// a convex or a plane, b convex; until the time `end`. *normal: at the time of the result.
static double advance(const Mover* a, const Mover* b, double distance, double tolerance, double end,
                      EpaScratch* scratch, HeftVec3* normal) {
  const int plane = a->geometry->kind == KIND_PLANE;
  const double all = a->motion->reach + b->motion->reach;
  double s = 0, before = 0;
  Look look = {.gap = 0}, last = look;
  for (int k = 0; k < LOOKS; ++k, last = look) {
    const double limit = all + distance + tolerance;
    look = plane ? look_at_plane(a, b, s)
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
    const double next = s + fmax(least, time_ahead(a, b, &look, distance, s, &last, before, end));
    before = s;
    s = next;
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

// ---- distance shapes, and meshes with meshes and planes

enum { LOOKS_AT_HOLLOW = 32 };

// The smallest gap of the contact points at the time s; infinite if it is beyond the reach.
static double gap_at(const Mover* a, const Mover* b, double s, double reach, NarrowScratch* narrow,
                     HeftVec3* normal) {
  const HeftPose x = heft_motion_pose(&a->motion->motion, a->start, s);
  const HeftPose y = heft_motion_pose(&b->motion->motion, b->start, s);
  const HeftPose b_in_a = {heft_mat3_mul(heft_mat3_transpose(x.rot), y.rot),
                           heft_pose_apply_inverse(x, y.pos)};
  Manifold m;
  double least = HUGE_VAL;
  heft_narrow(a->geometry, b->geometry, &b_in_a, reach, 4, narrow, &m);
  for (int k = 0; k < m.count; ++k) {
    if (!(m.point[k].gap < least)) continue;
    least = m.point[k].gap;
    *normal = heft_mat3_mul_vec(x.rot, m.point[k].normal);
  }
  return least;
}

// No point moves farther in the step than the reach of its shape, so the gap shrinks at most at the
// rate of both.
static double meet_hollow(const Mover* a, const Mover* b, double distance, double tolerance,
                          NarrowScratch* narrow, HeftVec3* normal) {
  const double rate = a->motion->reach + b->motion->reach;
  double s = 0;
  if (!(rate > 0)) return NEVER;
  for (int k = 0; k < LOOKS_AT_HOLLOW; ++k) {
    const double reach = fmax(distance, 0) + tolerance + (1 - s) * rate;
    const double gap = gap_at(a, b, s, reach, narrow, normal);
    if (k == 0 && distance < 0 && gap <= distance + tolerance) {
      if (gap < 2 * distance) return NEVER;
      distance = gap - 2 * tolerance;
    }
    if (gap <= distance + tolerance) return s;
    if (!(gap < reach)) return NEVER;
    s += (gap - distance) / rate;
    if (!(s < 1)) return NEVER;
  }
  return s;
}

// a's kind is the lower one.
static double time_of_ordered(const Mover* a, const Mover* b, double distance, double tolerance,
                              NarrowScratch* narrow, HeftVec3* normal) {
  const Kind kind = b->geometry->kind;
  if (kind == KIND_PLANE) return NEVER;
  if (kinds_are_hollow(a->geometry->kind, kind))
    return meet_hollow(a, b, distance, tolerance, narrow, normal);
  if (kind == KIND_TRIANGLE_MESH) return meet_mesh(a, b, distance, tolerance, &narrow->epa);
  if (a->geometry->kind != KIND_PLANE && boxes_stay_apart(a, b, distance + tolerance, 1, normal))
    return NEVER;
  return advance(a, b, distance, tolerance, 1, &narrow->epa, normal);
}

double heft_time_of_impact(const Mover* a, const Mover* b, double distance, double tolerance,
                           NarrowScratch* narrow, HeftVec3* normal) {
  HEFT_ASSERT(tolerance > 0);
  if (a->geometry->kind <= b->geometry->kind)
    return time_of_ordered(a, b, distance, tolerance, narrow, normal);
  HeftVec3 back = heft_vec3_neg(*normal);
  const double s = time_of_ordered(b, a, distance, tolerance, narrow, &back);
  *normal = heft_vec3_neg(back);
  return s;
}

// ---- sheets: their corners move along lines, so that a corner has their rate along n

static double sheet_rate(const Sheet* sheet, HeftVec3 n) {
  double most = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) most = fmax(most, heft_vec3_dot(n, sheet->shift[k]));
  return most;
}

double heft_sheet_impact(const Mover* a, const Sheet* own, const Sheet* b, double distance,
                         double tolerance, EpaScratch* scratch) {
  const HeftPose here = heft_pose_identity();
  double s = 0;
  for (int k = 0; k < LOOKS; ++k) {
    const HeftPose x = a ? heft_motion_pose(&a->motion->motion, a->start, s)
                         : (HeftPose){here.rot, sheet_corner(own, 0, s)};
    HeftVec3 at_a[3], at_b[3];
    for (int i = 0; i < 3; ++i) {
      at_b[i] = heft_pose_apply_inverse(x, sheet_corner(b, i, s));
      at_a[i] = a ? at_b[i] : heft_vec3_sub(sheet_corner(own, i, s), x.pos);
    }
    const Geometry sheet = heft_triangle_geometry(at_b), other = heft_triangle_geometry(at_a);
    const Geometry* g = a ? a->geometry : &other;
    Nearness near;
    if (!heft_nearness(g, &sheet, &here, HUGE_VAL, scratch, &near)) return s;
    const double gap = near.gap - g->radius;
    if (gap <= distance + tolerance) return s;
    const HeftVec3 n = heft_mat3_mul_vec(x.rot, near.normal);
    const double rate =
        (a ? rate_along(a->motion, heft_pose_apply(x, g->center), n, s) : sheet_rate(own, n)) +
        sheet_rate(b, heft_vec3_neg(n));
    if (!(rate > 0) || !(s + (gap - distance) / rate < 1)) return NEVER;
    s += (gap - distance) / rate;
  }
  return s;
}
