// SPDX-License-Identifier: Apache-2.0
// Directions along which two slots stay apart during a step.
//
// Along a fixed direction n from a to b, the gap at the start is n · (c_b - c_a) less how far both
// shapes reach along n from their centres c. In the step it shrinks at most by
//
//     n · (v_a - v_b) + 2 bend + sway    (bend and sway of both, motion.h),
//
// since the velocity v of a centre changes by 2 bend at most, and other points move against the
// centre by no more than sway. One product of vectors thus shows whether a direction separates.
// Along a direction that turns with the larger shape it shrinks at most by
//
//     -n · w + |Δφ × n| ρ + curving / 2    (heft_motion_curving)
//
// with the velocity w of the smaller shape against the larger one at the centre of the smaller one,
// its radius ρ and the difference Δφ of the turns: less if links turn together.
//
// The directions that are tried: the normal of a plane; the line of the centres, with the bounding
// spheres; for spheres and capsules the line of their nearest points; for others the direction that
// separated them when they were examined last.
//
// That last direction depends on earlier steps, and results must not. So it must separate by more
// than needed, by `clear`: then the search for the time of impact (time_of_impact.c) has the same
// answer. At each of its looks the shapes are farther apart than its tolerance by clear at least,
// and for turns of up to a radian no rate is above W = 4 (reach_a + reach_b). So it goes forward by
// clear / W = 1 / 64 at each look, and ends with NEVER after 64 of its 96 looks at the latest.
#include "collision/stay_apart.h"

#include "math/scalar.h"

static const double clear_share = 1.0 / 16;  // of the reaches of both

// Data common to all directions of a pair.
typedef struct Approach {
  HeftVec3 apart;           // from a's centre to b's
  HeftVec3 velocity;        // of a against b
  double slack;             // 2 bend + sway of both
  double margin, distance;  // as asked
} Approach;

static HeftVec3 place_of(const Rows* x) { return heft_vec3(x->r[0][3], x->r[1][3], x->r[2][3]); }

static HeftVec3 axis_of(const Rows* x, int k) {
  return heft_vec3(x->r[0][k], x->r[1][k], x->r[2][k]);
}

// extent: how far both shapes reach along n. clear: what must be left besides.
static int separates(const Approach* p, HeftVec3 n, double extent, double clear) {
  const double gap = heft_vec3_dot(n, p->apart) - extent - clear;
  return gap > p->margin && gap - heft_vec3_dot(n, p->velocity) - p->slack > p->distance;
}

// By how much the gap along a direction n from a to b, which turns with the larger shape, shrinks.
static double closing_in_turn(const HeftCollider* c, int a, int b, HeftVec3 n) {
  const int swapped = c->slot[a].ball < c->slot[b].ball, small = swapped ? a : b;
  const ShapeMotion *x = &c->motion[swapped ? b : a], *y = &c->motion[small];
  const HeftVec3 m = swapped ? heft_vec3_neg(n) : n, at = place_of(&c->pose[small]);
  const HeftVec3 w = heft_vec3_sub(y->velocity, motion_velocity(&x->motion, 0, at));
  const HeftVec3 tilt = heft_vec3_cross(heft_vec3_sub(x->motion.turn, y->motion.turn), m);
  return heft_vec3_norm(tilt) * y->radius - heft_vec3_dot(m, w) +
         0.5 * heft_motion_curving(&x->motion, &y->motion, 0, at, m, y->radius);
}

// How far the bounding box of a slot reaches along n: exact for spheres, capsules and boxes.
static double box_extent(const Geometry* g, const Rows* x, HeftVec3 n) {
  if (g->kind == KIND_SPHERE) return g->radius;
  const double along_z = fabs(heft_vec3_dot(axis_of(x, 2), n));
  if (g->kind == KIND_CAPSULE) return along_z * g->size[1] + g->radius;
  return fabs(heft_vec3_dot(axis_of(x, 0), n)) * g->half.x +
         fabs(heft_vec3_dot(axis_of(x, 1), n)) * g->half.y + along_z * g->half.z;
}

// How far the shape itself reaches along n. n: outward.
static double extent(const Geometry* g, const Rows* x, HeftVec3 n) {
  if (g->kind == KIND_SPHERE || g->kind == KIND_CAPSULE || g->kind == KIND_BOX)
    return box_extent(g, x, n);
  const HeftVec3 d = heft_vec3(heft_vec3_dot(axis_of(x, 0), n), heft_vec3_dot(axis_of(x, 1), n),
                               heft_vec3_dot(axis_of(x, 2), n));
  return heft_vec3_dot(heft_geometry_support(g, d), d) + g->radius;
}

// A static plane, and any shape. side: 1 if the plane is a, -1 if it is b.
static int plane_separates(const HeftCollider* c, const Approach* p, int plane, int other,
                           double side) {
  const Geometry* g = &c->slot[other].geometry;
  if (c->slot[plane].moves || g->kind == KIND_PLANE || kind_has_triangles(g->kind)) return 0;
  const HeftVec3 n = heft_vec3_scale(side, axis_of(&c->pose[plane], 2));
  if (separates(p, n, box_extent(g, &c->pose[other], n), 0)) return 1;
  return g->kind == KIND_HULL && separates(p, n, extent(g, &c->pose[other], heft_vec3_neg(n)), 0);
}

static int spheres_separate(const HeftCollider* c, const Approach* p, int a, int b) {
  const double far = heft_vec3_norm(p->apart);
  if (!(far > 0)) return 0;
  return separates(p, heft_vec3_scale(1 / far, p->apart), c->slot[a].ball + c->slot[b].ball, 0);
}

static int is_round(const Geometry* g) { return g->kind == KIND_SPHERE || g->kind == KIND_CAPSULE; }

// Spheres and capsules along the line of the nearest points of their axes.
static int axes_separate(const HeftCollider* c, const Approach* p, int a, int b) {
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  const double ha = g->kind == KIND_CAPSULE ? g->size[1] : 0;
  const double hb = h->kind == KIND_CAPSULE ? h->size[1] : 0;
  const HeftVec3 u = axis_of(&c->pose[a], 2), w = axis_of(&c->pose[b], 2), d = p->apart;
  const double uw = heft_vec3_dot(u, w), du = heft_vec3_dot(d, u), dw = heft_vec3_dot(d, w);
  const double sine2 = 1 - uw * uw;
  double s = heft_clamp(du, -ha, ha);
  if (sine2 > 1e-3) s = heft_clamp((du - uw * dw) / sine2, -ha, ha);
  const double t = heft_clamp(s * uw - dw, -hb, hb);
  s = heft_clamp(du + t * uw, -ha, ha);
  const HeftVec3 line = heft_vec3_add_scaled(heft_vec3_add_scaled(d, t, w), -s, u);
  const double far = heft_vec3_norm(line);
  if (!(far > 0)) return 0;
  const HeftVec3 n = heft_vec3_scale(1 / far, line);
  return separates(p, n, box_extent(g, &c->pose[a], n) + box_extent(h, &c->pose[b], n), 0);
}

// ---- directions of earlier calls

static uint64_t key_of(int a, int b) { return (uint64_t)a << 32 | (uint32_t)b; }

// Directions are stored as the narrow phase does it, which has the lower kind first.
static int is_swapped(const HeftCollider* c, int a, int b) {
  return c->slot[a].geometry.kind > c->slot[b].geometry.kind;
}

static HeftVec3 turn(const Rows* x, HeftVec3 v) {
  return heft_vec3(x->r[0][0] * v.x + x->r[0][1] * v.y + x->r[0][2] * v.z,
                   x->r[1][0] * v.x + x->r[1][1] * v.y + x->r[1][2] * v.z,
                   x->r[2][0] * v.x + x->r[2][1] * v.y + x->r[2][2] * v.z);
}

void heft_collider_keep_axis(const HeftCollider* c, int a, int b, HeftVec3 normal,
                             SeparatingAxis* axes) {
  if (!(heft_vec3_dot(normal, normal) > 0)) return;
  const int swapped = is_swapped(c, a, b);
  const Rows* x = &c->pose[swapped ? b : a];
  const HeftVec3 n = swapped ? heft_vec3_neg(normal) : normal;
  *separating_axis_place(axes, key_of(a, b)) = (SeparatingAxis){
      key_of(a, b), heft_vec3(heft_vec3_dot(axis_of(x, 0), n), heft_vec3_dot(axis_of(x, 1), n),
                              heft_vec3_dot(axis_of(x, 2), n))};
}

static int known_axis_separates(const HeftCollider* c, const Approach* p, int a, int b,
                                SeparatingAxis* axes) {
  const ShapeMotion *x = &c->motion[a], *y = &c->motion[b];
  const uint64_t key = key_of(a, b);
  const SeparatingAxis* known = separating_axis_place(axes, key);
  if (known->key != key || !(x->angle <= 1) || !(y->angle <= 1)) return 0;
  const int swapped = is_swapped(c, a, b);
  HeftVec3 n = turn(&c->pose[swapped ? b : a], known->axis);
  if (swapped) n = heft_vec3_neg(n);
  const double clear =
      clear_share * (x->reach + y->reach) + 1e-9 * (c->slot[a].ball + c->slot[b].ball);
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  const Rows *at_a = &c->pose[a], *at_b = &c->pose[b];
  if (separates(p, n, box_extent(g, at_a, n) + box_extent(h, at_b, n), clear)) return 1;
  const double both = extent(g, at_a, n) + extent(h, at_b, heft_vec3_neg(n));
  if (separates(p, n, both, clear)) return 1;
  const double gap = heft_vec3_dot(n, p->apart) - both - clear;
  return gap > p->margin && gap - closing_in_turn(c, a, b, n) > p->distance;
}

int heft_collider_stay_apart(const HeftCollider* c, int a, int b, double margin, double distance,
                             SeparatingAxis* axes) {
  const ShapeMotion *x = &c->motion[a], *y = &c->motion[b];
  const Geometry *g = &c->slot[a].geometry, *h = &c->slot[b].geometry;
  const Approach p = {.apart = heft_vec3_sub(place_of(&c->pose[b]), place_of(&c->pose[a])),
                      .velocity = heft_vec3_sub(x->velocity, y->velocity),
                      .slack = 2 * (x->bend + y->bend) + x->sway + y->sway,
                      .margin = margin,
                      .distance = distance};
  if (g->kind == KIND_PLANE) return plane_separates(c, &p, a, b, 1);
  if (h->kind == KIND_PLANE) return plane_separates(c, &p, b, a, -1);
  if (kind_has_triangles(g->kind) || kind_has_triangles(h->kind)) return 0;
  if (spheres_separate(c, &p, a, b)) return 1;
  if (is_round(g) && is_round(h)) return axes_separate(c, &p, a, b);
  return known_axis_separates(c, &p, a, b, axes);
}
