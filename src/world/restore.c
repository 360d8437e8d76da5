// SPDX-License-Identifier: Apache-2.0
// The energy of mechanisms with loops.
//
// The midpoint scheme in joint coordinates is of order 2, but not symplectic: M(q) changes during
// the step, and a mechanism that turns always the same way collects the errors (ωh)³ of its steps.
// But the energy after the step is known (balance.c):
//
//     T⁺ + V⁺ = T + V + h τ · v̄ - r · J(q_m) v̄,
//
// T kinetic energy, V gravitational energy, v̄ = (v + v⁺) / 2 and τ the joint forces of all actions
// but weight. The last term leaves out the impulses r of loops and of closed limits, which do no
// work; with the scheme's rows they do work of the order h³ (midpoint.c). So after each step the
// velocities of an island are scaled until this holds, as momentum.c does for momentum. The scale
// differs from 1 by the order of the scheme's own error, so the scheme keeps its order; it changes
// no law that asks for zero velocity. Of islands that float freely, the motion relative to one
// rigid body is scaled, so that momentum is conserved.
//
// Loops carry energy from tree to tree. So an island is balanced as a whole, and spin_energy.c,
// which balances tree by tree, leaves it out.
//
// An island without contact whose rows turn has one step of first order when it hits a limit or its
// loops are torn (midpoint.c). A rope that goes taut would gain energy in these steps, as its
// directions turn far; so energy beyond the balance is taken from it, and none is given.
//
// This is done for islands whose rows turn with the positions (loops, tendons, ball joints at
// their limits), and only with θ = 1/2, since a larger θ is asked for in order to damp.
#include "world/restore.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "world/constraints.h"

// Of the kinetic energy is changed in a step: the error of a link that turns by a quarter of a
// radian.
static const double most = 0.05;
static const double most_of_impact = 0.9;  // the same of islands whose excess is taken
static const double slop = 1e-7;           // loops that are open by less count [m, rad]
static const double slow = 1e-4;           // of the kinetic energy: less is left out
static const double explosion = 0.25;      // an excess above this share is no error of the order

void heft_restore_place(Restore* r, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  r->chosen = arena_take(arena, nlink, int);
  r->balanced = arena_take(arena, nlink, int);
  r->scale = arena_take(arena, nlink, double);
  r->due = arena_take(arena, nlink, double);
  r->kinetic = arena_take(arena, nlink, double);
  r->weight = arena_take(arena, nlink, double);
  r->open = arena_take(arena, nlink, double);
}

// 1 if the direction of a row depends on the positions.
static int turns(const Constraint* k) {
  return k->kind == CONSTRAINT_EQUALITY || k->direction[0] >= 0 || k->dof[1] >= 0;
}

static int is_chosen(const ConstraintSet* set, const Island* island) {
  if (island->count == 0 || set->list[island->order[0]].kind == CONSTRAINT_CONTACT)
    return RESTORE_NONE;
  for (int i = 0; i < island->link_count; ++i) {
    if (set->tied[island->links[i]]) return RESTORE_NONE;
  }
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (turns(k)) return k->middle ? RESTORE_BALANCED : RESTORE_BOUNDED;
  }
  return RESTORE_NONE;
}

void heft_restore_begin(Restore* r, const StepInput* in, HeftDynamics* dynamics, int may) {
  r->any = 0;
  if (!may) return;
  heft_dynamics_velocities(dynamics, in->start->v);
  heft_tree_energies(dynamics, in->start->v, r->kinetic, r->weight);
  for (int k = 0; k < heft_link_count(in->model); ++k) r->due[k] = r->kinetic[k] + r->weight[k];
}

void heft_restore_choose(Restore* r, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands, int smooth) {
  r->any = 0;
  for (int i = 0; i < islands->count && smooth && in->def->theta == 0.5; ++i) {
    r->chosen[i] = is_chosen(set, &islands->list[i]);
    r->any |= r->chosen[i] != RESTORE_NONE;
  }
}

void heft_restore_work(Restore* r, const StepInput* in, HeftDynamics* dynamics,
                       const ConstraintSet* set, const BalanceStep* step, const RowSolution* rows) {
  const HeftModel* m = in->model;
  if (!r->any) return;
  heft_balance_add_work(in, dynamics, step, r->due);
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (!k->middle || !heft_constraint_is_workless(k)) continue;
    const double after = rows->velocity[k->row] - rows->bias[k->row];
    r->due[heft_link_root(m, heft_constraint_set_link(set, m, k))] -=
        0.5 * rows->impulse[k->row] * (*heft_constraint_set_start(set, k) + after);
  }
}

// ---- after the step

// Returns the energy that was given.
static double scale_island(Restore* r, const IslandSet* islands, int index,
                           const FloatingGroups* groups, const HeftDynamics* dynamics, double* v) {
  const Island* island = &islands->list[index];
  const HeftModel* m = islands->model;
  const int bounded = r->chosen[index] == RESTORE_BOUNDED;
  double missing = 0, kinetic = 0, open = 0;
  int root = 0;
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    kinetic += r->kinetic[k];
    missing += r->due[k] - (r->kinetic[k] + r->weight[k]);
    open += r->open[k];
    root = k;
  }
  const int slowly = fabs(open) > slow * kinetic;
  if (slowly) missing += open;
  RigidMotion rigid = {.energy = 0};
  const int group = heft_momentum_group_of(groups, root);
  if (group >= 0) rigid = heft_momentum_rigid_motion(groups, dynamics, group);
  const double moves = kinetic - rigid.energy;
  const double less = bounded || missing < -explosion * moves ? most_of_impact : most;
  const double scale = heft_balance_scale(moves, missing, less, bounded ? 0 : most);
  r->scale[index] = scale;
  r->balanced[index] = !bounded && !slowly && !(fabs(missing) >= most * moves);
  heft_island_scale(m, island, scale, v);
  if (group >= 0) heft_momentum_add_rigid_motion(groups, dynamics, group, &rigid, 1 - scale, v);
  return (scale * scale - 1) * moves;
}

// Loops are closed only to `slop` (correction.c). A loop that is open by g under the force λ has
// moved the weights that it holds by g: what is kept is E - λ g, the energy of closed loops, with λ
// of the last step before the step and λ of this step after it. Without this the slow motion of a
// taut rope would be scaled by the errors of its loops; with one λ for both, a wave whose λ and g
// oscillate would lose ∮ g dλ in every period. This is done only where the motion is so slow that
// it matters. Loops that are open further are corrected in the next step.
static void add_open_loops(Restore* r, const RestoreLoops* loops, HeftDynamics* dynamics,
                           const double* q) {
  const ConstraintSet* set = loops->set;
  const HeftModel* m = loops->in->model;
  memset(r->open, 0, (size_t)heft_link_count(m) * sizeof *r->open);
  heft_constraints_foresee(set, loops->in, dynamics, q, loops->error);
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const double after = loops->error[i - set->contact_point_count];
    if (!k->middle || k->kind != CONSTRAINT_EQUALITY || k->direction[0] >= 0) continue;
    if (fabs(after) > slop || fabs(k->gap) > slop) continue;
    r->open[heft_link_root(m, heft_constraint_set_link(set, m, k))] +=
        (loops->impulse[k->row] * after - set->warm[k->row] * k->gap) / loops->in->h;
  }
}

double heft_restore_finish(Restore* r, const RestoreLoops* loops, const IslandSet* islands,
                           FloatingGroups* groups, HeftDynamics* dynamics, int* fast,
                           HeftState* state) {
  double given = 0;
  if (!r->any) return 0;
  heft_dynamics_kinematics(dynamics, state->q);
  heft_dynamics_velocities(dynamics, state->v);
  heft_tree_energies(dynamics, state->v, r->kinetic, r->weight);
  add_open_loops(r, loops, dynamics, state->q);
  if (groups->count > 0) heft_tree_momentum(dynamics, groups->momentum);
  for (int i = 0; i < islands->count; ++i) {
    if (!r->chosen[i]) continue;
    const double energy = scale_island(r, islands, i, groups, dynamics, state->v);
    if (r->chosen[i] == RESTORE_BOUNDED) given += energy;
    for (int n = 0; n < islands->list[i].link_count; ++n) fast[islands->list[i].links[n]] = 0;
  }
  return given;
}
