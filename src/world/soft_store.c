// SPDX-License-Identifier: Apache-2.0
// Papers: R7, U10.
// Soft contact returns no more energy than it stored.
//
// With the rows of one step, soft contact loses energy: with the depth d, the force f⁺ at the end
// and the stored energy S(d), which is convex, S⁺ - S <= -h f⁺ u⁺, and the scheme of first order
// dissipates its part. But rows change from step to step, and S(q) with them. The area of a patch
// belongs to the pose to which the velocity leads: for a box that rocks on its edge it changes by
// factors. Normals turn, and points come and go at a depth. So energy may appear, and more than the
// steps lose.
//
// So each tree has an account s of the energy that its soft points may return. In a step with the
// energies T and V, and the work A of all forces but contact forces (balance.c),
//
//     T⁺ + V⁺ + s⁺ <= T + V + s + A,      s⁺ <= S⁺,
//
// summed over the trees of an island. Energy that contact absorbs beyond S⁺ is lost; energy that it
// gives comes from s. If T⁺ + V⁺ by itself is more than the right-hand side, the velocities are
// scaled, as in restore.c: by a few millionths, seldom by a thousandth. Where bodies settle, there
// may be less kinetic energy than that; s < 0 is what is still owed. Islands that float freely keep
// their momentum. They are examined without soft points, too: the correction of their momentum may
// add energy.
//
// The account of a tree whose past is unknown (a new world, a state that was set) is the energy at
// the depths of its points. Energy from position correction is allowed.
#include "world/soft_store.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "world/softness.h"

static const double rounding = 1e-14;  // of the energies

void heft_soft_store_place(SoftStore* s, Arena* arena, const HeftModel* m) {
  const int nlink = heft_softness_stores(m) ? heft_link_count(m) : 0;
  s->due = arena_take(arena, nlink, double);
  s->next = arena_take(arena, nlink, double);
  s->kinetic = arena_take(arena, nlink, double);
  s->potential = arena_take(arena, nlink, double);
}

static void find_energies(SoftStore* s, HeftDynamics* dynamics, const double* q, const double* v) {
  heft_dynamics_velocities(dynamics, v);
  heft_tree_energies(dynamics, v, s->kinetic, s->potential);
  heft_tree_add_springs(dynamics->model, q, s->potential);
}

void heft_soft_store_begin(SoftStore* s, const StepInput* in, HeftDynamics* dynamics,
                           const ConstraintSet* set, const WarmStart* warm) {
  const HeftModel* m = in->model;
  s->slowed = 0;
  s->any = warm->stored && set->contact_point_count > 0;
  if (!s->any) return;
  find_energies(s, dynamics, in->start->q, in->start->v);
  if (*warm->known == 0) heft_softness_store(set, in, NULL, NULL, s->next);
  for (int k = 0; k < heft_link_count(m); ++k)
    s->due[k] =
        s->kinetic[k] + s->potential[k] + (*warm->known != 0 ? warm->stored[k] : s->next[k]);
}

void heft_soft_store_work(SoftStore* s, const StepInput* in, HeftDynamics* dynamics,
                          const ConstraintSet* set, const BalanceStep* step,
                          const RowSolution* rows) {
  const HeftModel* m = in->model;
  if (!s->any) return;
  heft_balance_add_work(in, dynamics, step, s->due);
  double* v_mean = step->change;
  for (int i = 0; i < m->nv; ++i) v_mean[i] = 0.5 * (in->start->v[i] + step->v[i]);
  heft_constraint_set_measure(set, dynamics, NULL, v_mean, rows->speed);
  for (int i = 0; i < set->contact_point_count; ++i) {
    const Constraint* k = &set->list[i];
    double* due = &s->due[heft_link_root(m, heft_constraint_set_link(set, m, k))];
    for (int r = k->row; r < k->row + k->rows; ++r) *due -= rows->impulse[r] * rows->speed[r];
  }
  heft_softness_store(set, in, rows->velocity, rows->bias, s->next);
}

// ---- after the step

// The sums of an island.
typedef struct Account {
  double energy, due, stored, kinetic, size;
  int root;  // of one of its trees
} Account;

static Account account_of(const SoftStore* s, const Island* island, const HeftModel* m) {
  Account a = {0};
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    a.energy += s->kinetic[k] + s->potential[k];
    a.size += s->kinetic[k] + fabs(s->potential[k]);
    a.due += s->due[k];
    a.stored += s->next[k];
    a.kinetic += s->kinetic[k];
    a.root = k;
  }
  return a;
}

static int yields(const ConstraintSet* set, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    if (set->list[island->order[i]].softness > 0) return 1;
  }
  return 0;
}

// Removes energy from the motion of an island, but not from a floating one's motion as a rigid
// body. Returns how much.
static double slow_down(const Island* island, const Account* a, double gain,
                        const FloatingGroups* groups, const HeftDynamics* dynamics, double* v) {
  const HeftModel* m = dynamics->model;
  RigidMotion rigid = {.energy = 0};
  const int group = heft_momentum_group_of(groups, a->root);
  if (group >= 0) rigid = heft_momentum_rigid_motion(groups, dynamics, group);
  const double kinetic = a->kinetic - rigid.energy;
  const double scale = heft_balance_scale(kinetic, -gain, 1, 0);
  heft_island_scale(m, island, scale, v);
  if (group >= 0) heft_momentum_add_rigid_motion(groups, dynamics, group, &rigid, 1 - scale, v);
  return kinetic > 0 ? (1 - scale * scale) * kinetic : 0;
}

// Stores what the soft points of an island may return after the step.
static void settle(const SoftStore* s, const Island* island, const Account* a, double left,
                   const HeftModel* m, double* stored) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) == k) stored[k] = s->next[k];
  }
  if (left < a->stored) stored[a->root] -= a->stored - left;
}

void heft_soft_store_finish(SoftStore* s, const IslandSet* islands, const ConstraintSet* set,
                            FloatingGroups* groups, HeftDynamics* dynamics, double lifted,
                            WarmStart* warm, HeftState* state) {
  const HeftModel* m = dynamics->model;
  if (!warm->stored) return;
  *warm->known = 1;
  for (int k = 0; k < heft_link_count(m); ++k) warm->stored[k] = fmin(0, warm->stored[k]);
  if (!s->any) return;
  heft_dynamics_kinematics(dynamics, state->q);
  find_energies(s, dynamics, state->q, state->v);
  if (groups->count > 0) heft_tree_momentum(dynamics, groups->momentum);
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    Account a = account_of(s, island, m);
    if (island->count == 0 || !(yields(set, island) || heft_momentum_group_of(groups, a.root) >= 0))
      continue;
    double left = a.due + fmax(0, lifted) - a.energy;
    if (left < -rounding * a.size) {
      left += slow_down(island, &a, -left, groups, dynamics, state->v);
      s->slowed = 1;
    }
    settle(s, island, &a, left, m, warm->stored);
  }
}
