// SPDX-License-Identifier: Apache-2.0
// Queries of users and devices: rays, nearest points, shapes that contain a point, shapes that
// overlap a box, distance of two shapes.
#include <float.h>

#include "base/assert.h"
#include "collision/compound.h"
#include "collision/distance_shape.h"
#include "collision/ray.h"

HeftQueryFilter heft_query_filter_all(void) {
  return (HeftQueryFilter){.category = 0, .except_body = -1};
}

static int passes(const Rule* s, HeftQueryFilter f) {
  return s->body != f.except_body && (f.category == 0 || (s->category & f.category) != 0);
}

static HeftVec3 into(const Rows* x, HeftVec3 p) {
  const double d[3] = {p.x - x->r[0][3], p.y - x->r[1][3], p.z - x->r[2][3]};
  return heft_vec3(x->r[0][0] * d[0] + x->r[1][0] * d[1] + x->r[2][0] * d[2],
                   x->r[0][1] * d[0] + x->r[1][1] * d[1] + x->r[2][1] * d[2],
                   x->r[0][2] * d[0] + x->r[1][2] * d[1] + x->r[2][2] * d[2]);
}

static HeftVec3 turn_in(const Rows* x, HeftVec3 v) {
  return heft_vec3(x->r[0][0] * v.x + x->r[1][0] * v.y + x->r[2][0] * v.z,
                   x->r[0][1] * v.x + x->r[1][1] * v.y + x->r[2][1] * v.z,
                   x->r[0][2] * v.x + x->r[1][2] * v.y + x->r[2][2] * v.z);
}

static HeftVec3 turn_out(const Rows* x, HeftVec3 v) {
  return heft_vec3(x->r[0][0] * v.x + x->r[0][1] * v.y + x->r[0][2] * v.z,
                   x->r[1][0] * v.x + x->r[1][1] * v.y + x->r[1][2] * v.z,
                   x->r[2][0] * v.x + x->r[2][1] * v.y + x->r[2][2] * v.z);
}

static HeftVec3 out_of(const Rows* x, HeftVec3 p) {
  const HeftVec3 q = turn_out(x, p);
  return heft_vec3(q.x + x->r[0][3], q.y + x->r[1][3], q.z + x->r[2][3]);
}

// One walk over planes and both trees; equal distances go to the lower slot.
typedef struct Ask {
  const HeftCollider* c;
  HeftQueryFilter filter;
  HeftVec3 point, direction;
  const int* slots;  // of the tree at hand
  const Compound* pieces;
  int slot;
  HeftVec3 pos, normal;
  double distance;  // signed, of the closest surface
} Ask;

static int wins(const Ask* a, int slot, double value, double best) {
  return value < best || (value == best && (a->slot < 0 || slot < a->slot));
}

static double try_ray(Ask* a, int slot, double best) {
  const HeftCollider* c = a->c;
  if (!passes(&c->rule[slot], a->filter)) return best;
  const Rows x = slot_pose(c, slot);
  HeftVec3 n;
  const double t = heft_geometry_ray(&c->slot[slot].geometry, into(&x, a->point),
                                     turn_in(&x, a->direction), best, &n);
  if (isinf(t) || !wins(a, slot, t, best)) return best;
  a->slot = slot;
  a->normal = turn_out(&x, n);
  return t;
}

static double visit_ray_piece(void* user, int item, double best) {
  Ask* a = user;
  return try_ray(a, a->pieces->first + item, best);
}

// Of a whole, the pieces that the ray meets, in its frame.
static double visit_ray(void* user, int item, double best) {
  Ask* a = user;
  const HeftCollider* c = a->c;
  const int slot = a->slots[item];
  if (slot < c->slot_count) return try_ray(a, slot, best);
  const Rows* x = &c->pose[slot];
  a->pieces = &c->compound[slot - c->slot_count];
  return heft_tree8_cast(&a->pieces->tree, into(x, a->point), turn_in(x, a->direction), best,
                         visit_ray_piece, a);
}

HeftRayHit heft_collider_ray(const HeftCollider* collider, HeftVec3 from, HeftVec3 direction,
                             double reach, HeftQueryFilter filter) {
  HEFT_REQUIRE(collider, ((HeftRayHit){.shape = -1, .body = -1}));
  const HeftCollider* c = collider;
  HEFT_REQUIRE(fabs(heft_vec3_dot(direction, direction) - 1) < 1e-6,
               ((HeftRayHit){.shape = -1, .body = -1}));
  Ask a = {.c = c, .filter = filter, .point = from, .direction = direction, .slot = -1};
  double best = fmin(reach, DBL_MAX);  // below the infinity of boxes that the ray misses
  for (int i = 0; i < c->plane_count; ++i) best = try_ray(&a, c->plane[i], best);
  a.slots = c->moving;
  best = heft_tree8_cast(&c->moving_tree, from, direction, best, visit_ray, &a);
  a.slots = c->standing;
  best = heft_tree8_cast(&c->standing_tree, from, direction, best, visit_ray, &a);
  if (a.slot < 0) return (HeftRayHit){.shape = -1, .body = -1, .distance = reach};
  return (HeftRayHit){.shape = c->slot[a.slot].shape,
                      .body = c->slot[a.slot].body,
                      .distance = best,
                      .pos = heft_vec3_add_scaled(from, best, direction),
                      .normal = a.normal};
}

static double closest_on(const Geometry* g, HeftVec3 p, double reach, HeftVec3* q, HeftVec3* n) {
  if (g->kind == KIND_TRIANGLE_MESH) return heft_triangle_mesh_closest(g, p, reach, q, n);
  if (g->kind != KIND_FIELD) return heft_geometry_closest(g, p, q, n);
  const double d = heft_geometry_signed_distance(g, p, reach, n);
  *q = heft_vec3_add_scaled(p, -d, *n);
  return d <= reach ? d : HUGE_VAL;
}

// Signed distances of convex shapes may be negative. Shapes that contain the point are compared by
// depth.
static double try_near(Ask* a, int slot, double best) {
  const HeftCollider* c = a->c;
  if (!passes(&c->rule[slot], a->filter)) return best;
  const Rows x = slot_pose(c, slot);
  const Geometry* g = &c->slot[slot].geometry;
  HeftVec3 q, n;
  const HeftVec3 p = into(&x, a->point);
  const double reach = best > 0 ? best : 0;
  const double d = closest_on(g, p, reach, &q, &n);
  if (isinf(d) || !wins(a, slot, d, a->slot < 0 ? best : a->distance)) return best;
  a->slot = slot;
  a->distance = d;
  a->pos = out_of(&x, q);
  a->normal = turn_out(&x, n);
  return d > 0 ? d : 0;
}

static double visit_near_piece(void* user, int item, double best) {
  Ask* a = user;
  return try_near(a, a->pieces->first + item, best);
}

static double visit_near(void* user, int item, double best) {
  Ask* a = user;
  const HeftCollider* c = a->c;
  const int slot = a->slots[item];
  if (slot < c->slot_count) return try_near(a, slot, best);
  a->pieces = &c->compound[slot - c->slot_count];
  return heft_tree8_nearest(&a->pieces->tree, into(&c->pose[slot], a->point), best,
                            visit_near_piece, a);
}

HeftClosestPoint heft_collider_closest(const HeftCollider* collider, HeftVec3 point, double reach,
                                       HeftQueryFilter filter) {
  HEFT_REQUIRE(collider, ((HeftClosestPoint){.shape = -1, .body = -1}));
  const HeftCollider* c = collider;
  Ask a = {.c = c, .filter = filter, .point = point, .slot = -1};
  double best = reach;
  for (int i = 0; i < c->plane_count; ++i) best = try_near(&a, c->plane[i], best);
  a.slots = c->moving;
  best = heft_tree8_nearest(&c->moving_tree, point, best, visit_near, &a);
  a.slots = c->standing;
  heft_tree8_nearest(&c->standing_tree, point, best, visit_near, &a);
  if (a.slot < 0) return (HeftClosestPoint){.shape = -1, .body = -1, .distance = reach};
  return (HeftClosestPoint){.shape = c->slot[a.slot].shape,
                            .body = c->slot[a.slot].body,
                            .distance = a.distance,
                            .pos = a.pos,
                            .normal = a.normal};
}

// ---- lists, by shape

static int holds(const HeftCollider* c, int slot, HeftVec3 point) {
  const Geometry* g = &c->slot[slot].geometry;
  if (g->kind == KIND_TRIANGLE_MESH) return 0;
  const Rows x = slot_pose(c, slot);
  const HeftVec3 p = into(&x, point);
  if (g->kind != KIND_PLANE &&
      (fabs(p.x) > g->half.x || fabs(p.y) > g->half.y || fabs(p.z) > g->half.z)) {
    return 0;
  }
  HeftVec3 q, n;
  return closest_on(g, p, HUGE_VAL, &q, &n) <= 0;
}

int heft_collider_inside(const HeftCollider* collider, HeftVec3 point, HeftQueryFilter filter,
                         int max, int* shapes) {
  HEFT_REQUIRE(collider && max >= 0 && (shapes || max == 0), 0);
  const HeftCollider* c = collider;
  int count = 0;
  for (int shape = 0; shape < c->model->nshape; ++shape) {
    const int slot = c->shape_slot[shape];
    if (slot < 0 || !passes(&c->rule[slot], filter) || !holds(c, slot, point)) continue;
    if (count < max) shapes[count] = shape;
    ++count;
  }
  return count;
}

static int boxes_meet(const HeftCollider* c, int slot, const HeftPose* pose, HeftVec3 half) {
  const Rows x = slot_pose(c, slot);
  const double* h = c->half + 4L * slot;
  const double center[3] = {pose->pos.x, pose->pos.y, pose->pos.z};
  for (int k = 0; k < 3; ++k) {
    const double* r = pose->rot.m[k];
    const double own = fabs(r[0]) * half.x + fabs(r[1]) * half.y + fabs(r[2]) * half.z;
    const double other = fabs(x.r[k][0]) * h[0] + fabs(x.r[k][1]) * h[1] + fabs(x.r[k][2]) * h[2];
    if (fabs(center[k] - x.r[k][3]) > own + other) return 0;
  }
  return 1;
}

int heft_collider_overlap(HeftCollider* collider, HeftPose pose, HeftVec3 half,
                          HeftQueryFilter filter, int max, int* shapes) {
  HEFT_REQUIRE(collider && max >= 0 && (shapes || max == 0), 0);
  HeftCollider* c = collider;
  Geometry box = {.kind = KIND_BOX, .size = {half.x, half.y, half.z}};
  heft_geometry_bound(&box);
  const Rows at = rows_of(pose);
  int count = 0;
  for (int shape = 0; shape < c->model->nshape; ++shape) {
    const int slot = c->shape_slot[shape];
    if (slot < 0 || !passes(&c->rule[slot], filter)) continue;
    const Geometry* g = &c->slot[slot].geometry;
    if (g->kind != KIND_PLANE && !boxes_meet(c, slot, &pose, half)) continue;
    const Rows own = slot_pose(c, slot);
    const HeftPose x = heft_rows_relative(&at, &own);
    Manifold m;
    heft_narrow(&box, g, &x, 0, 4, c->narrow, &m);
    if (m.count == 0) continue;
    if (count < max) shapes[count] = shape;
    ++count;
  }
  return count;
}

// ---- distance of two shapes

static Nearness plane_nearness(const Geometry* b, const HeftPose* x) {
  const HeftVec3 down = heft_vec3_neg(heft_mat3_row(x->rot, 2));
  HeftVec3 p = heft_pose_apply(*x, heft_geometry_support(b, down));
  p.z -= b->radius;
  return (Nearness){heft_vec3(0, 0, 1), p.z, heft_vec3(p.x, p.y, 0), p};
}

static Nearness core_nearness(const Geometry* a, const Geometry* b, const HeftPose* x,
                              EpaScratch* scratch) {
  Nearness near = {.gap = HUGE_VAL};
  heft_nearness(a, b, x, HUGE_VAL, scratch, &near);
  near.on_a = heft_vec3_add_scaled(near.on_a, a->radius, near.normal);
  near.on_b = heft_vec3_add_scaled(near.on_b, -b->radius, near.normal);
  near.gap -= a->radius + b->radius;
  return near;
}

static Nearness triangle_mesh_nearness(const Geometry* a, const TriangleMesh* triangle_mesh,
                                       const HeftPose* x, EpaScratch* scratch) {
  Nearness best = {.gap = HUGE_VAL};
  for (int i = 0; i < triangle_mesh->triangle_count; ++i) {
    HeftVec3 corner[3];
    HeftVec3 lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; ++k) {
      const HeftVec3 c =
          heft_pose_apply(*x, triangle_mesh->vertex[triangle_mesh->triangle[i].vertex[k]]);
      corner[k] = c;
      lo = heft_vec3(fmin(lo.x, c.x), fmin(lo.y, c.y), fmin(lo.z, c.z));
      hi = heft_vec3(fmax(hi.x, c.x), fmax(hi.y, c.y), fmax(hi.z, c.z));
    }
    const Geometry t = {.kind = KIND_TRIANGLE,
                        .corner = corner,
                        .center = heft_vec3_scale(0.5, heft_vec3_add(lo, hi)),
                        .half = heft_vec3_scale(0.5, heft_vec3_sub(hi, lo))};
    const HeftPose here = heft_pose_identity();
    Nearness near;
    if (!heft_nearness(a, &t, &here, fmax(best.gap + a->radius, 0), scratch, &near)) continue;
    near.on_a = heft_vec3_add_scaled(near.on_a, a->radius, near.normal);
    near.gap -= a->radius;
    if (near.gap < best.gap) best = near;
  }
  return best;
}

static Nearness distance_nearness(const Geometry* a, const Geometry* b, const HeftPose* x,
                                  VertexGap* vertex_gap) {
  Manifold m;
  heft_distance_pair(a, b, x, HUGE_VAL, 4, vertex_gap, &m);
  Nearness best = {.gap = HUGE_VAL, .normal = {0, 0, 1}};
  for (int k = 0; k < m.count; ++k) {
    const Point* p = &m.point[k];
    if (!(p->gap < best.gap)) continue;
    best.gap = p->gap;
    best.normal = p->normal;
    best.on_a = heft_vec3_add_scaled(p->pos, -0.5 * p->gap, p->normal);
    best.on_b = heft_vec3_add_scaled(p->pos, 0.5 * p->gap, p->normal);
  }
  return best;
}

static Nearness ordered_nearness(const Geometry* a, const Geometry* b, const HeftPose* x,
                                 EpaScratch* scratch, VertexGap* vertex_gap) {
  const Nearness none = {.gap = HUGE_VAL, .normal = {0, 0, 1}};
  if (b->kind == KIND_FIELD) return distance_nearness(a, b, x, vertex_gap);
  if (a->kind == KIND_TRIANGLE_MESH || (a->kind == KIND_PLANE && b->kind == KIND_PLANE))
    return none;
  if (a->kind == KIND_PLANE) return b->kind == KIND_TRIANGLE_MESH ? none : plane_nearness(b, x);
  if (b->kind == KIND_TRIANGLE_MESH) return triangle_mesh_nearness(a, b->triangle_mesh, x, scratch);
  return core_nearness(a, b, x, scratch);
}

static int is_shape(const HeftCollider* c, int shape) {
  return shape >= 0 && shape < c->model->nshape;
}

HeftDistance heft_collider_distance(HeftCollider* collider, int shape_a, int shape_b) {
  const HeftDistance none = {.distance = HUGE_VAL};
  HEFT_REQUIRE(collider && is_shape(collider, shape_a) && is_shape(collider, shape_b), none);
  HeftCollider* c = collider;
  int a = c->shape_slot[shape_a], b = c->shape_slot[shape_b];
  if (a < 0 || b < 0) return none;
  const int swap = c->slot[a].geometry.kind > c->slot[b].geometry.kind;
  if (swap) {
    const int keep = a;
    a = b;
    b = keep;
  }
  const Rows at = slot_pose(c, a), other = slot_pose(c, b);
  const HeftPose x = heft_rows_relative(&at, &other);
  const Nearness near = ordered_nearness(&c->slot[a].geometry, &c->slot[b].geometry, &x,
                                         &c->narrow->epa, c->narrow->vertex_gap);
  const HeftVec3 n = turn_out(&at, near.normal);
  const HeftVec3 p = out_of(&at, near.on_a), q = out_of(&at, near.on_b);
  return (HeftDistance){.distance = near.gap,
                        .on_a = swap ? q : p,
                        .on_b = swap ? p : q,
                        .normal = swap ? heft_vec3_neg(n) : n};
}
