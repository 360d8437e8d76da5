// SPDX-License-Identifier: Apache-2.0
// Contact that lasts moves with second order.
//
// A body that rolls, slides or rocks carries its contact points along: their arms and normals
// change during a step. With θ = 1 the rows are at q, and a velocity that kept the last point at
// rest slips at the next one by h J̇ v: friction dissipates ½ r · h J̇ v in every step, and a disk
// that rolls on its rim loses its energy at the order h. Positions that move by v⁺ instead of the
// mean velocity are of order 1, too.
//
// So islands in which contact lasts have the scheme of loops (midpoint.c): θ of the def, rows J_m
// in the middle of the step, where the narrow phase finds the same points again
// (collision/follow.c), and the law
//
//     u = J_m v⁺ + b,   b = θ / (1 - θ) (J_m - J) v,        u_n + gap / h + max(0, (J v)_n) >= 0,
//
// which is the law of J(q⁺) v⁺ up to the order h². The last term is zero for points that stay: one
// that leaves and would be back at the end of the step may come back as fast as it left, and its
// impulse does no work. b is added to the sliding velocities, too; spinning and rolling friction
// have none. Everything follows from q and v; the step before is not needed.
//
// An impact is an event in time and leaves penetration behind unless θ = 1. Contact lasts if no
// point of the island closes faster than the rows turn,
//
//     -(J v)_n - gap / h <= 1e-4 m/s + 4 |b_n|.
//
// After a step of first order that ends an impact, J v is zero at the points that touch, or -2 b_n.
// Islands with rows other than contact points, with restitution, soft contact or moved surfaces
// keep the first order, and so do trees of several links. The bias force of these trees is
// evaluated at v (prediction.c): the velocity in the middle is not known before the impulses are.
#include "world/lasting.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "collision/blocked.h"
#include "collision/contact_pair.h"
#include "collision/follow.h"
#include "dynamics/links.h"
#include "world/constraints.h"
#include "world/surface.h"

static const double torn = 4;           // |w| / |b|
static const double turn_max = 0.2;     // of a body in a step [rad]
static const double rest_share = 1e-3;  // of gravity x time step: slower islands are at rest
// Of the narrow phase: of a place, relative to the size of a body, and of a normal. The place where
// a curved shape touches is known to the root of the accuracy of its gap.
static const double accuracy = 1e-5, same_normal = 1e-9;

void heft_lasting_place(Lasting* x, Arena* arena, int nlink) {
  x->tree = arena_take(arena, nlink, int);
  x->touched = arena_take(arena, nlink, int);
  x->origin = arena_take(arena, nlink, HeftVec3);
}

// ---- which islands

// The largest coordinate of the velocities of an island of free bodies, of which none turns far in
// the step; infinite for others.
static double speed_of(const ConstraintSet* set, const Island* island, const StepInput* in) {
  const HeftModel* m = in->model;
  double most = 0;
  for (int i = 0; i < island->link_count; ++i) {
    const int link = island->links[i], dof = heft_link_dof(m, link);
    HEFT_ASSERT(link > 0 && link < heft_link_count(m));
    const double* v = in->start->v + dof;
    if (set->tied[link] || !heft_dof_is_free(m, dof) || heft_tree_dof_count(m, link) != 6)
      return HUGE_VAL;
    if (heft_vec3_norm(heft_vec3_from(v + 3)) * in->h > turn_max) return HUGE_VAL;
    for (int n = 0; n < 6; ++n) most = fmax(most, fabs(v[n]));
  }
  return most;
}

static int is_plain(const ConstraintSet* set, const Constraint* k, const HeftCollider* collider) {
  const HeftContactPoint* p = &set->contact_points.point[k->source];
  return k->softness == 0 && k->restitution == 0 && p->time == 0 && p->area == 0 &&
         !heft_blocked_of(collider, p);
}

// 1 if an island of free bodies has plain contact only.
static int may_last(const ConstraintSet* set, const Island* island, const HeftCollider* collider) {
  if (island->count == 0 || !heft_island_is_contact(island, set)) return 0;
  if (heft_surface_carries(set, island)) return 0;
  for (int i = 0; i < island->count; ++i) {
    if (!is_plain(set, &set->list[island->order[i]], collider)) return 0;
  }
  return 1;
}

// A bound of |b_n|, before the rows are turned.
static double most_turning(const Constraint* k, const HeftCollider* collider, double h,
                           const HeftDynamics* dynamics) {
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    const HeftVec3 ang = heft_link_velocity(dynamics, k->link[s]).ang;
    sum += heft_vec3_dot(ang, ang) * collider->link_radius[k->link[s]];
  }
  return h * sum;
}

// 1 if a contact point closes faster than its row turns. speed: (J v)_n.
static int is_hit(const Constraint* k, const StepInput* in, double speed, double turning) {
  return -speed - heft_contact_gap_speed(in, k->gap) > HIT_SPEED + torn * turning;
}

static int is_hit_at_start(const Constraints* c, const Island* island, const StepInput* in,
                           const HeftDynamics* dynamics) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->set.list[island->order[i]];
    const double turning = most_turning(k, c->collider, in->h, dynamics);
    if (is_hit(k, in, c->midpoint.speed[k->row], turning)) return 1;
  }
  return 0;
}

static void mark(Constraints* c, const Island* island, int smooth) {
  for (int i = 0; i < island->count; ++i)
    c->set.list[island->order[i]].middle = smooth ? MIDDLE_SMOOTH : MIDDLE_TORN;
  for (int i = 0; i < island->link_count; ++i) {
    c->lasting.tree[island->links[i]] = smooth;
    c->midpoint.first_order[island->links[i]] = !smooth;
  }
}

void heft_lasting_choose(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  Lasting* x = &c->lasting;
  const ConstraintSet* set = &c->set;
  int measured = 0;
  memset(x->tree, 0, (size_t)heft_link_count(in->model) * sizeof(int));
  x->any = 0;
  if (set->contact_point_count == 0 || !(in->def->theta < 1) || c->contact_model) return;
  for (int i = 0; i < c->islands.count; ++i) {
    const Island* island = &c->islands.list[i];
    if (c->passage.any_impact && c->passage.time[i] > 0) continue;
    const double speed = speed_of(set, island, in);
    if (!(speed > rest_share * in->weight_speed && isfinite(speed))) continue;
    if (!may_last(set, island, c->collider)) continue;
    if (!measured)
      heft_constraint_set_measure(set, dynamics, NULL, in->start->v, c->midpoint.speed);
    measured = 1;
    if (is_hit_at_start(c, island, in, dynamics)) continue;
    x->any = 1;
    mark(c, island, 1);
    for (int n = 0; n < island->link_count; ++n)
      x->origin[island->links[n]] = heft_link_origin(dynamics, island->links[n]);
  }
}

double heft_lasting_left(const Constraints* c, const StepInput* in) {
  double left = HUGE_VAL;
  if (!(in->def->theta < 1) || c->contact_model) return left;
  for (int i = 0; i < c->islands.count; ++i) {
    const Island* island = &c->islands.list[i];
    const double rest = rest_share * in->weight_speed - speed_of(&c->set, island, in);
    if (rest >= 0 && rest < left && may_last(&c->set, island, c->collider)) left = rest;
  }
  return left;
}

// ---- rows in the middle

static ContactPlace place_of(const HeftContactPoint* p) {
  return (ContactPlace){p->pos, p->offset, p->normal, p->tangent1, p->tangent2};
}

static void put_place(HeftContactPoint* p, const ContactPlace* at) {
  p->pos = at->pos;
  p->offset = at->offset;
  p->normal = at->normal;
  p->tangent1 = at->tangent1;
  p->tangent2 = at->tangent2;
}

// Where a point is that stays at its arm.
static HeftVec3 carried(const Lasting* x, const HeftDynamics* dynamics, const Constraint* k,
                        int side, HeftVec3 pos) {
  const int own = k->link[side] != 0 ? k->link[side] : k->link[1 - side];
  HEFT_ASSERT(own > 0);
  return heft_vec3_add(pos, heft_vec3_sub(heft_link_origin(dynamics, own), x->origin[own]));
}

static void carry(const Lasting* x, const HeftDynamics* dynamics, const Constraint* k,
                  HeftContactPoint* p) {
  const ContactPlace* start = &x->start[k->source];
  const HeftVec3 on_b = carried(x, dynamics, k, 0, start->pos),
                 on_a = carried(x, dynamics, k, 1, start->pos);
  put_place(p, start);
  p->pos = heft_vec3_scale(0.5, heft_vec3_add(on_a, on_b));
  p->offset = heft_vec3_sub(on_b, on_a);
}

// 1 if a point has moved, seen from a body, by more than the narrow phase is accurate to, or if its
// normal has turned.
static int has_moved(const Lasting* x, const HeftCollider* collider, const HeftDynamics* dynamics,
                     const Constraint* k, const HeftContactPoint* p) {
  const ContactPlace* start = &x->start[k->source];
  const HeftVec3 turned = heft_vec3_sub(p->normal, start->normal);
  if (heft_vec3_dot(turned, turned) > same_normal * same_normal) return 1;
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    const HeftVec3 shift = heft_vec3_sub(p->pos, carried(x, dynamics, k, s, start->pos));
    if (heft_vec3_norm(shift) > accuracy * collider->link_radius[k->link[s]]) return 1;
  }
  return 0;
}

static void find_points(const Lasting* x, const ConstraintSet* set, HeftCollider* collider,
                        HeftDynamics* dynamics) {
  const int count = set->contact_point_count;
  const double* frames = heft_link_frames(dynamics);
  HeftContactPoint* point = collider->contact;
  int found[MANIFOLD_MAX];
  for (int first = 0, end = 0; first < count; first = end) {
    end = contact_pair_end(point, count, first);
    HEFT_ASSERT(end > first);
    if (!set->list[first].middle) continue;
    if (end - first > MANIFOLD_MAX) end = first + MANIFOLD_MAX;
    HEFT_ASSERT(end - first <= MANIFOLD_MAX);
    for (int i = first; i < end; ++i) x->start[i] = place_of(&point[i]);
    heft_collider_follow(collider, frames, end - first, point + first, found);
    for (int i = first; i < end; ++i) {
      const Constraint* k = &set->list[i];
      if (!found[i - first] || !has_moved(x, collider, dynamics, k, &point[i]))
        carry(x, dynamics, k, &point[i]);
    }
  }
}

static void write_rows(ConstraintSet* set, const HeftDynamics* dynamics, int state) {
  for (int i = 0; i < set->contact_point_count; ++i) {
    if (set->list[i].middle == state)
      heft_constraints_write_contact(set, dynamics, &set->contact_points.point[i], &set->list[i]);
  }
}

static double ratio_of(const StepInput* in) { return (1 - in->def->theta) / in->def->theta; }

// How fast the normal rows of the pair of shapes turn that a contact point belongs to.
static double turning_of_pair(const Midpoint* midpoint, const ConstraintSet* set, int index,
                              const StepInput* in) {
  const HeftContactPoint* point = set->contact_points.point;
  int first = index, end = index + 1;
  while (first > 0 && contact_same_pair(&point[first - 1], &point[index])) --first;
  while (end < set->contact_point_count && contact_same_pair(&point[end], &point[index])) ++end;
  double most = 0;
  for (int i = first; i < end; ++i) {
    const int row = set->list[i].row;
    most = fmax(most, fabs(midpoint->turned[row] - midpoint->speed[row]) / ratio_of(in));
    HEFT_ASSERT(!(most < 0));
  }
  return most;
}

static int is_hit_in_middle(const Midpoint* midpoint, const ConstraintSet* set,
                            const Island* island, const StepInput* in) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    const double speed = midpoint->speed[k->row];
    if (is_hit(k, in, speed, 0) &&
        is_hit(k, in, speed, turning_of_pair(midpoint, set, island->order[i], in)))
      return 1;
  }
  return 0;
}

int heft_lasting_turn(Constraints* c, const StepInput* in, HeftDynamics* dynamics) {
  Lasting* x = &c->lasting;
  ConstraintSet* set = &c->set;
  int any = 0;
  if (!x->any) return 0;
  find_points(x, set, c->collider, dynamics);
  write_rows(set, dynamics, MIDDLE_SMOOTH);
  heft_constraint_set_measure(set, dynamics, NULL, in->start->v, c->midpoint.turned);
  for (int i = 0; i < c->islands.count; ++i) {
    const Island* island = &c->islands.list[i];
    if (island->count == 0 || !x->tree[island->links[0]]) continue;
    if (!is_hit_in_middle(&c->midpoint, set, island, in)) continue;
    any = 1;
    mark(c, island, 0);
    for (int n = 0; n < island->count; ++n)
      put_place(&c->collider->contact[island->order[n]], &x->start[island->order[n]]);
  }
  return any;
}

void heft_lasting_turn_back(Constraints* c, const HeftDynamics* dynamics) {
  ConstraintSet* set = &c->set;
  if (!c->lasting.any) return;
  write_rows(set, dynamics, MIDDLE_TORN);
  for (int i = 0; i < set->contact_point_count; ++i) {
    Constraint* k = &set->list[i];
    k->middle = k->middle == MIDDLE_SMOOTH;
  }
}

// ---- laws

void heft_lasting_pose(Constraints* c, const StepInput* in) {
  const Midpoint* midpoint = &c->midpoint;
  ConstraintSet* set = &c->set;
  for (int i = 0; i < heft_link_count(in->model); ++i)
    c->lasting.touched[i] = midpoint->first_order[i] | c->lasting.tree[i];
  for (int i = 0; i < set->contact_point_count && c->lasting.any; ++i) {
    const Constraint* k = &set->list[i];
    if (!k->middle) continue;
    *heft_constraint_set_start(set, k) = midpoint->turned[k->row];
    set->bias[k->row] += fmax(0, midpoint->speed[k->row]);
    for (int r = k->row; r < k->row + k->rows && r < k->row + 3; ++r)
      set->bias[r] += (midpoint->turned[r] - midpoint->speed[r]) / ratio_of(in);
  }
}
