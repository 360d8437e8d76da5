// SPDX-License-Identifier: Apache-2.0
// Fast rotation: the energy of a tree after a part of a step.
//
// The energy of the tree should change by the work of all forces but weight and springs, which
// follows from the equation of the scheme (balance.c). With a step that turns by a small angle it
// does, to the order of the scheme. With a larger one it does not, and each step would start with
// the error of the last one.
//
// The velocity is therefore projected on the balance: scaled so that kinetic and potential energy
// equal their sum at the start plus the work. The motion of a floating tree consists of its motion
// as one rigid body, which carries all its momentum, and of the rest; both parts of the kinetic
// energy add up, as one does not contribute to the momentum of the other. The rest is scaled, so
// linear and angular momentum stay. Only if the rotation as one body by itself has too much energy,
// it is reduced, too.
//
// The scheme of trees in contact is of order 1, and their velocities obey the laws of contact. They
// are left as they are, unless the error is large and positive.
#include <math.h>
#include <string.h>

#include "world/spin.h"

static const double negligible = 1e-12;  // of the kinetic energy
static const double reported = 1e-3;     // of the kinetic energy: larger corrections are counted
static const double constrained = 0.1;   // the same for trees with constraints
static const double gain_max = 0.21;     // of the kinetic energy: velocities times 1.1 in a part

void heft_spin_find_energies(const HeftDynamics* dynamics, const double* q, const double* v,
                             TreeEnergies* out) {
  heft_tree_energies(dynamics, v, out->kinetic, out->potential);
  heft_tree_add_springs(dynamics->model, q, out->potential);
}

// ---- work

void heft_spin_add_work(SpinScratch* s, const HeftModel* m, double time, const double* joint_force,
                        const double* v) {
  for (int i = 0; i < m->nv; ++i) {
    const int root = heft_dof_root(m, i);
    if (s->fast[root]) s->work[root] += time * joint_force[i] * v[i];
  }
}

// A limit or dry friction of a joint can only remove energy. In a step that hits a limit it may
// seem to give some: its impulse stops a motion that the bias would have caused, and acts at the
// mean with the old velocity, which led away from the limit. That work is left out.
static void drop_work(SpinScratch* s, const HeftModel* m, const ConstraintSet* set,
                      const RowSolution* rows) {
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_LIMIT && k->kind != CONSTRAINT_DRY) continue;
    double work = 0;
    for (int r = k->row; r < k->row + k->rows; ++r) work += rows->impulse[r] * rows->speed[r];
    if (work > 0) s->work[heft_dof_root(m, k->dof[0])] -= work;
  }
}

void heft_spin_work(SpinScratch* s, const StepInput* in, HeftDynamics* dynamics,
                    const ConstraintSet* set, const BalanceStep* step, const RowSolution* rows) {
  const HeftModel* m = in->model;
  if (!s->any) return;
  BalanceStep balance = *step;
  balance.restraint = s->restraint;
  heft_balance_add_work(in, dynamics, &balance, s->work);
  memset(s->touches, 0, (size_t)heft_link_count(m) * sizeof(int));
  for (int i = 0; i < set->contact_point_count; ++i) {
    for (int side = 0; side < 2; ++side) s->touches[heft_link_root(m, set->list[i].link[side])] = 1;
  }
  double* v_mean = step->change;
  for (int i = 0; i < m->nv; ++i) v_mean[i] = 0.5 * (step->v[i] + in->start->v[i]);
  heft_constraint_set_measure_from(set, set->contact_point_count, dynamics, NULL, v_mean,
                                   rows->speed);
  drop_work(s, m, set, rows);
}

// ---- projection

static double dot_sym(HeftSym3 a, HeftVec3 x) { return heft_vec3_dot(x, heft_sym3_mul_vec(a, x)); }

// Shares of the kinetic energy of a tree.
typedef struct Shares {
  HeftSpatial motion;  // as one rigid body
  HeftVec3 center;     // of mass
  double moves, turns, rest;
} Shares;

// The momentum of all trees belongs to the present kinematics. A tree that does not float has
// nothing but `rest`.
static Shares find_shares(const HeftDynamics* dynamics, const HeftModel* m, int root,
                          const TreeMomentum* momentum, double kinetic) {
  Shares x = {.rest = kinetic};
  if (!heft_dof_is_free(m, heft_link_dof(m, root))) return x;
  x.motion = heft_rigid_motion(momentum, momentum->linear, momentum->angular);
  x.center = heft_vec3_add(momentum->com, heft_link_origin(dynamics, root));
  x.moves = 0.5 * momentum->mass * heft_vec3_dot(x.motion.lin, x.motion.lin);
  x.turns = 0.5 * dot_sym(momentum->inertia, x.motion.ang);
  x.rest = fmax(0, kinetic - x.moves - x.turns);
  return x;
}

// v := rigid motion, its rotation scaled, and the rest, scaled.
static void scale_tree(const HeftDynamics* dynamics, const HeftModel* m, int root, const Shares* x,
                       double turn_scale, double rest_scale, double* v) {
  const int floats = heft_dof_is_free(m, heft_link_dof(m, root));
  HeftSpatial motion = x->motion;
  if (floats) {
    const HeftSpatial less = {heft_vec3_neg(motion.ang), heft_vec3_neg(motion.lin)};
    heft_tree_apply_impulse(dynamics, root, less, x->center, v);
  }
  for (int i = 0; i < m->nv; ++i) {
    if (heft_dof_root(m, i) == root) v[i] *= rest_scale;
  }
  motion.ang = heft_vec3_scale(turn_scale, motion.ang);
  if (floats) heft_tree_apply_impulse(dynamics, root, motion, x->center, v);
}

// error: of the energy.
static void project_tree(const HeftDynamics* dynamics, const HeftModel* m, int root,
                         const Shares* x, double error, double* v) {
  const double left = error - x->rest;
  const double rest_scale = heft_balance_scale(x->rest, -error, 1, gain_max);
  const double turn_scale = heft_balance_scale(x->turns, -fmax(0, left), 1, 0);
  scale_tree(dynamics, m, root, x, turn_scale, rest_scale, v);
}

// The work is a difference of numbers as large as the kinetic energy at the end, before the
// projection: below this share of it, it is rounding.
static const double rounding = 1e-9;

static void drop_rounding(SpinScratch* s, const HeftModel* m) {
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (s->work[k] > 0 && s->work[k] < rounding * s->end.kinetic[k]) s->work[k] = 0;
  }
}

static int project_once(SpinScratch* s, const StepInput* in, HeftDynamics* dynamics,
                        const int* active, const int* held, TreeMomentum* momentum,
                        HeftState* state) {
  const HeftModel* m = in->model;
  int count = 0;
  heft_dynamics_velocities(dynamics, state->v);
  heft_spin_find_energies(dynamics, state->q, state->v, &s->end);
  heft_tree_momentum(dynamics, momentum);
  drop_rounding(s, m);
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (heft_link_root(m, k) != k || !s->fast[k]) continue;
    const double due = s->start.kinetic[k] + s->start.potential[k] + s->work[k];
    const double error = s->end.kinetic[k] + s->end.potential[k] - due;
    const Shares x = find_shares(dynamics, m, k, &momentum[k], s->end.kinetic[k]);
    const double scale = x.turns + x.rest + fabs(s->work[k]);
    const int large = !active[k] ? fabs(error) > reported * scale
                      : held[k]  ? error > constrained * scale
                                 : fabs(error) > constrained * scale;
    const int gains = !s->touches[k] && error > reported * scale;
    count += large;
    if (large || gains || (!held[k] && fabs(error) > negligible * scale))
      project_tree(dynamics, m, k, &x, error, state->v);
  }
  return count;
}

int heft_spin_project(SpinScratch* s, const StepInput* in, HeftDynamics* dynamics,
                      const int* active, const int* held, FloatingGroups* groups,
                      HeftState* state) {
  if (!s->any) return 0;
  heft_dynamics_kinematics(dynamics, state->q);
  const int count = project_once(s, in, dynamics, active, held, groups->momentum, state);
  if (count > 0)
    project_once(s, in, dynamics, active, held, groups->momentum, state);  // what rounding left
  return count;
}
