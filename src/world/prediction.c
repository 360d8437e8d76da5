// SPDX-License-Identifier: Apache-2.0
// The motion without constraints,
//
//     M̂ (v⁺ - v) = h (τ - b(q_m, v̄) - C v - K (q_m - q_s) - h (2θ - 1) K v).
//
// v̄ is the velocity in the middle of the step. It depends on the result, so that there are two
// passes, the first one with v. Trees of first order keep their velocity: the contacts prevent the
// free motion, and a robot that stands would feel the centrifugal forces of its fall.
#include "world/prediction.h"

#include <string.h>

#include "dynamics/bonds.h"
#include "dynamics/links.h"

enum { VELOCITY_PASSES = 2 };

void heft_prediction_place(Prediction* x, Arena* arena, const HeftModel* m, double* scratch) {
  x->v_middle = scratch;
  x->bias_force = arena_take(arena, m->nv, double);
  x->acceleration = arena_take(arena, m->nv, double);
  heft_tension_place(&x->tension, arena, m);
}

// The velocity in the middle of the step, as predicted before the constraints are solved.
// Constraints of islands of second order act with the warm impulses, from the last step or the last
// pass.
static void look_ahead(Prediction* x, const StepInput* in, HeftDynamics* dynamics, Constraints* c) {
  const HeftModel* m = in->model;
  const double half = 0.5 * in->h, *v = in->start->v;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int stays = c->lasting.touched[heft_link_root(m, k)];
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i)
      x->v_middle[i] = stays ? v[i] : v[i] + half * x->acceleration[i];
  }
  if (!c->midpoint.any) return;
  for (int i = 0; i < c->set.count; ++i) {
    const Constraint* k = &c->set.list[i];
    for (int r = k->row; r < k->row + k->rows; ++r)
      c->round_impulse[r] = k->middle && k->kind != CONSTRAINT_CONTACT ? 0.5 * c->set.warm[r] : 0;
  }
  heft_constraints_apply(c, &c->set, dynamics, c->round_impulse, x->v_middle);
  heft_midpoint_judge(&c->midpoint, &c->set, &c->islands, in, dynamics, x->v_middle);
}

static void find_bias(Prediction* x, HeftDynamics* dynamics, const double* v) {
  memcpy(x->v_bias, v, (size_t)dynamics->model->nv * sizeof(double));
  heft_dynamics_rnea(dynamics, x->v_bias, NULL, x->bias_force);
}

// The right-hand side into x->acceleration: drives, springs, dampers, and the bias.
static void gather_forces(Prediction* x, const StepInput* in, const Middle* middle,
                          HeftDynamics* dynamics, const double* drive_force) {
  const HeftModel* m = in->model;
  const double* v = in->start->v;
  for (int i = 0; i < m->nv; ++i) {
    const double ahead = in->h * (2 * middle->theta[i] - 1);
    const double passive = m->dof_damping[i] * v[i] + ahead * m->dof_stiffness[i] * v[i];
    x->acceleration[i] = drive_force[i] - x->bias_force[i] - passive;
  }
  heft_model_spring_forces(m, middle->q, x->acceleration);
  if (heft_dynamics_deform(dynamics)) heft_bonds_add_force(dynamics, v, x->acceleration);
}

// age: how long ago the warm impulses acted. Needs the bias at the velocity of the start.
static int factor(Prediction* x, const StepInput* in, const Middle* middle, HeftDynamics* dynamics,
                  Drives* drives, Constraints* c, double age) {
  const TensionForces forces = {&c->set, c->set.warm, middle->theta, age};
  Deform* deform = heft_dynamics_deform(dynamics);
  heft_tension_find(&x->tension, in, dynamics, &forces);
  heft_tension_mass_matrix(&x->tension, dynamics);
  if (deform && heft_deform_begin(deform, in->h) != 0) return 1;
  heft_islands_refactored(&c->problem, &c->islands);
  return heft_drives_factor(drives, dynamics, middle->implicit);
}

static void restrain(Prediction* x, const StepInput* in, HeftDynamics* dynamics,
                     const Constraints* c, Keepers* keepers) {
  heft_spin_restrain(&keepers->spin, in, dynamics, c->lasting.touched, c->set.soft,
                     &keepers->groups, in->start->v, x->acceleration);
}

static int predict(Prediction* x, const StepInput* in, const Middle* middle, HeftDynamics* dynamics,
                   Drives* drives, Constraints* c, Keepers* keepers, double age) {
  const int passes = middle->early ? VELOCITY_PASSES : 1;
  find_bias(x, dynamics, in->start->v);
  heft_tension_begin(&x->tension, dynamics);
  if (factor(x, in, middle, dynamics, drives, c, age) != 0) return 1;
  for (int pass = 0; pass < passes; ++pass) {
    if (pass > 0) {
      find_bias(x, dynamics, x->v_middle);
      if (heft_drives_look_ahead(drives, in, dynamics, middle->theta, x->v_middle)) {
        heft_islands_refactored(&c->problem, &c->islands);
        if (heft_drives_factor(drives, dynamics, middle->implicit) != 0) return 1;
      }
    }
    gather_forces(x, in, middle, dynamics, drives->force);
    if (pass == passes - 1) heft_drives_note(drives, x->acceleration);
    heft_dynamics_solve(dynamics, x->acceleration);
    if (pass < passes - 1) look_ahead(x, in, dynamics, c);
  }
  restrain(x, in, dynamics, c, keepers);
  return 0;
}

int heft_prediction_find(Prediction* x, const StepInput* in, const Middle* middle,
                         HeftDynamics* dynamics, Drives* drives, Constraints* c, Keepers* keepers) {
  return predict(x, in, middle, dynamics, drives, c, keepers, in->h);
}

int heft_prediction_stiffen(Prediction* x, const StepInput* in, const Middle* middle,
                            HeftDynamics* dynamics, Drives* drives, Constraints* c,
                            Keepers* keepers) {
  const TensionForces forces = {&c->set, c->solution.impulse, middle->theta, 0};
  if (!heft_tension_differs(&x->tension, in, dynamics, &forces)) return 0;
  if (!heft_constraints_continue(c)) return 0;
  heft_drives_middle(drives, in, dynamics, middle->q, middle->theta);
  return predict(x, in, middle, dynamics, drives, c, keepers, 0) ? -1 : 1;
}

// The bias of the velocity x->v_bias is evaluated again, if it belonged to another velocity, which
// did not occur.
int heft_prediction_repeat(Prediction* x, const StepInput* in, const Middle* middle,
                           HeftDynamics* dynamics, Drives* drives, Constraints* c,
                           Keepers* keepers) {
  const int nv = in->model->nv;
  if (heft_drives_factor(drives, dynamics, middle->implicit) != 0) return 1;
  heft_islands_refactored(&c->problem, &c->islands);
  for (int pass = 0; pass < VELOCITY_PASSES; ++pass) {
    const double* next = pass == 0 ? in->start->v : x->v_middle;
    const int same = memcmp(x->v_bias, next, (size_t)nv * sizeof(double)) == 0;
    if (same && pass > 0) break;
    if (!same) {
      for (int i = 0; i < nv; ++i) drives->base[i] += x->bias_force[i];
      memcpy(x->v_bias, next, (size_t)nv * sizeof(double));
      heft_dynamics_rnea(dynamics, x->v_bias, NULL, x->bias_force);
      for (int i = 0; i < nv; ++i) drives->base[i] -= x->bias_force[i];
    }
    heft_drives_right(drives, x->acceleration);
    heft_dynamics_solve(dynamics, x->acceleration);
    look_ahead(x, in, dynamics, c);
  }
  restrain(x, in, dynamics, c, keepers);
  return 0;
}

// The restraint is an acceleration that is added after M̂ was solved with: its force is M̂ times it.
void heft_prediction_account(Prediction* x, const StepInput* in, const Middle* middle,
                             HeftDynamics* dynamics, const Drives* drives, Constraints* c,
                             const Keepers* keepers, const double* v) {
  const BiasSpin* spin = &keepers->spin.bias;
  heft_tension_force(&x->tension, in, dynamics, v, spin->restrains ? spin->momentum : NULL,
                     c->wrench, x->scheme_force);
  for (int i = 0; i < in->model->nv && spin->restrains; ++i) x->scheme_force[i] += spin->turned[i];
  if (spin->restrains)
    heft_drives_resist(drives, middle->implicit, spin->momentum, x->scheme_force);
  heft_couplings_pull(drives->couplings, in->h, v, x->scheme_force);
  heft_dynamics_wrenches_to_joints(dynamics, x->scheme_force);
}
