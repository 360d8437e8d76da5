// SPDX-License-Identifier: Apache-2.0
// Islands without contact move with second order.
//
// The theta scheme (moreau.c) with θ = 1/2 is of order 2 if its constraints are posed in the middle
// of the step. For a loop g(q) = 0 with J = ∂g/∂q, rows and impulses are at q_m,
//
//     M̂ (v⁺ - v) = h f + J(q_m)ᵀ r,
//
// and the law asks for J(q⁺) v⁺ = 0. With q⁺ = q_m + hθ v⁺ and q_m = q + h (1 - θ) v,
//
//     J(q⁺) v⁺ = J(q_m) v⁺ + hθ J̇ v + O(h²),      h (1 - θ) J̇ v = (J(q_m) - J(q)) v + O(h²),
//
// so the row has the bias velocity
//
//     b = θ / (1 - θ) (J(q_m) - J(q)) v:           J(q_m) v⁺ + b = 0.
//
// The velocity w = J(q) v of a loop at the start of a step is then of order h², and does not
// oscillate, as it would with a law on the mean velocity. Since J(q_m) (v + v⁺) / 2 = w / 2, the
// loop opens by O(h³) in a step (correction.c closes it), and the impulse does work of order h³,
// which restore.c undoes.
//
// Dry friction, limits that are closed, and tendons have the same bias; it is zero for a row along
// one joint. Dry friction acts against v⁺, so that a joint stops and does not oscillate. A limit
// that is open may close, and no further, by the motion of the positions:
//
//     gap + h ((1 - θ) J(q_m) v + θ J(q_m) v⁺) >= 0.
//
// Islands with contact points move with first order (θ = 1) unless their contact lasts (lasting.c),
// and so do trees with couplings or cross-tree tendons, and an island that hits a limit in this
// step: an impact is an event in time, which the scheme places at the end of the step, and only
// θ = 1 leaves no penetration behind. So does an island whose loops are torn apart by more than
// order h², after an inconsistent start or an impact: if |w| > 4 |b| over its loops, since b is of
// order h. With θ = 1 the rows are at q, and w = h J̇ v = 2 b is left after the step. Switching
// changes neither q nor v.
#include "world/midpoint.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "world/surface.h"

static const double torn = 4;  // |w| / |b|

void heft_midpoint_place(Midpoint* x, Arena* arena, int nlink) {
  x->first_order = arena_take(arena, nlink, int);
}

// ---- which islands

// 1 if a limit is reached within the step at the velocity u.
static int is_hit(const Constraint* k, double h, double u) {
  return heft_constraint_is_limit(k) && u < -HIT_SPEED && fmax(0, k->gap) + h * u < 0;
}

// 1 if one of the trees of an island is tied.
static int is_tied(const ConstraintSet* set, const Island* island) {
  for (int i = 0; i < island->link_count; ++i) {
    if (set->tied[island->links[i]]) return 1;
  }
  return 0;
}

// Contact points come first among the constraints of an island.
static int may_be_smooth(const ConstraintSet* set, const Island* island) {
  return island->count > 0 && set->list[island->order[0]].kind != CONSTRAINT_CONTACT &&
         !is_tied(set, island) && !heft_surface_carries(set, island);
}

static int is_smooth(const Midpoint* x, const ConstraintSet* set, const Island* island, double h) {
  if (!may_be_smooth(set, island)) return 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (is_hit(k, h, x->speed[k->row])) return 0;
  }
  return 1;
}

void heft_midpoint_choose(Midpoint* x, ConstraintSet* set, const IslandSet* islands,
                          const StepInput* in, HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  memcpy(x->first_order, islands->active, (size_t)heft_link_count(m) * sizeof(int));
  x->any = x->hit = 0;
  if (set->count == set->contact_point_count || !(in->def->theta < 1)) return;
  int measured = 0;
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (!may_be_smooth(set, island)) continue;
    if (!measured)
      heft_constraint_set_measure_from(set, set->contact_point_count, dynamics, NULL, in->start->v,
                                       x->speed);
    measured = 1;
    if (!is_smooth(x, set, island, in->h)) {
      x->hit = 1;
      continue;
    }
    for (int n = 0; n < island->count; ++n) {
      Constraint* k = &set->list[island->order[n]];
      k->middle = x->any = MIDDLE_SMOOTH;
      heft_constraint_set_roots(set, m, k, 0, x->first_order);
    }
  }
}

// ---- loops that are torn apart

static double ratio_of(const StepInput* in) { return (1 - in->def->theta) / in->def->theta; }

static int is_torn(const Midpoint* x, const ConstraintSet* set, const Island* island,
                   double ratio) {
  double apart = 0, turned = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (k->kind != CONSTRAINT_EQUALITY) continue;
    const double speed = x->speed[k->row],
                 bias = (*heft_constraint_set_start(set, k) - speed) / ratio;
    apart += speed * speed;
    turned += bias * bias;
  }
  return apart > HIT_SPEED * HIT_SPEED + torn * torn * turned;
}

int heft_midpoint_find_torn(const Midpoint* x, ConstraintSet* set, const IslandSet* islands,
                            const StepInput* in, HeftDynamics* dynamics) {
  int any = 0;
  heft_constraint_set_measure_from(set, set->contact_point_count, dynamics, NULL, in->start->v,
                                   x->turned);
  for (int i = set->contact_point_count; i < set->count; ++i)
    *heft_constraint_set_start(set, &set->list[i]) = x->turned[set->list[i].row];
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (island->count == 0 || !set->list[island->order[0]].middle) continue;
    if (!is_torn(x, set, island, ratio_of(in))) continue;
    any = 1;
    for (int n = 0; n < island->count; ++n) {
      Constraint* k = &set->list[island->order[n]];
      k->middle = MIDDLE_TORN;
      heft_constraint_set_roots(set, in->model, k, 1, x->first_order);
    }
  }
  return any;
}

// ---- laws

static void pose_row(ConstraintSet* set, const Constraint* k, const StepInput* in, double speed) {
  const double start = *heft_constraint_set_start(set, k), ratio = ratio_of(in);
  HEFT_ASSERT(ratio > 0 && in->h > 0);
  const int open = heft_constraint_is_limit(k) && k->gap > 0;
  set->bias[k->row] =
      open ? ratio * start + k->gap / (in->def->theta * in->h) : (start - speed) / ratio;
}

void heft_midpoint_pose(Midpoint* x, ConstraintSet* set, const StepInput* in) {
  x->any = 0;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    Constraint* k = &set->list[i];
    k->middle = k->middle == MIDDLE_SMOOTH;
    HEFT_ASSERT(k->middle == 0 || k->middle == 1);
    if (k->middle) pose_row(set, k, in, x->speed[k->row]);
    x->any |= k->middle;
  }
}

// ---- the velocity in the middle of the step

// 1 if the loops of an island keep together at the velocities `speed` of its rows.
static int is_plausible(const ConstraintSet* set, const Island* island, const double* speed) {
  double apart = 0, turned = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (k->kind != CONSTRAINT_EQUALITY) continue;
    apart += speed[k->row] * speed[k->row];
    turned += set->bias[k->row] * set->bias[k->row];
  }
  return apart <= HIT_SPEED * HIT_SPEED + torn * torn * turned;
}

void heft_midpoint_judge(const Midpoint* x, const ConstraintSet* set, const IslandSet* islands,
                         const StepInput* in, HeftDynamics* dynamics, double* v_middle) {
  heft_constraint_set_measure_from(set, set->contact_point_count, dynamics, NULL, v_middle,
                                   x->speed);
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    if (island->count == 0 || !set->list[island->order[0]].middle) continue;
    if (is_plausible(set, island, x->speed)) continue;
    for (int n = 0; n < island->link_count; ++n) {
      const int dof = heft_link_dof(in->model, island->links[n]);
      memcpy(v_middle + dof, in->start->v + dof,
             (size_t)heft_link_dof_count(in->model, island->links[n]) * sizeof(double));
    }
  }
}
