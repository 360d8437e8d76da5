// SPDX-License-Identifier: Apache-2.0
// The theta scheme of Moreau and Jean for smooth forces, with Moreau's midpoint ([Moreau
// 1988]; [Jean 1999]; [Acary 2008], section 10.1):
//
//     q_m = q ⊕ h (1 - θ) v
//     M̂ (v⁺ - v) = h (τ - b(q_m, v̄) - C v - K (q_m - q_s) - h (2θ - 1) K v)
//     q⁺ = q_m ⊕ hθ v⁺,                              M̂ = M(q_m) + hθ C + h²θ² K
//
// Dampers C and springs K of the joints are taken at the moment t + θh, so that they may be as
// stiff as they like; everything else is taken at q_m, which for θ = 1/2 is the middle of the step:
// the scheme is then of order 2, and a pendulum neither gains nor loses. Taken at q instead, weight
// would feed energy to everything that swings (docs/theory/integrators.md).
#include <string.h>

#include "world/world_internal.h"

enum { VELOCITY_PASSES = 2 };

// Trees with constraints start with θ = 1, so that what the constraints say of velocities holds for
// positions too; all others with the θ of the def. Returns 1 if there are any of these.
//
// A tree on which no constraint acts in the end, or which bounces, goes the way of the mean of its
// velocities instead: free flight then is exact, and a bounce takes place where the step began and
// neither lifts nor lowers.
//
// Trees that bounce off each other in flight part where the step began and fly on from there, with
// the velocity v_p after the impact: v⁺ = v_p + h v̇, and the mean is v⁺ - h v̇ / 2. Their angular
// momentum then stays as it was, since the impulse acts between bodies that have not moved yet;
// with the mean of v and v⁺ it would act half a step later, along a line that no longer passes
// through both. Both means keep the energy of an elastic impact.
static int choose_theta(HeftWorld* w) {
  const HeftModel* m = w->model;
  const double h = w->def.time_step, free = w->def.theta;
  const int *active = w->constraints->active, links = heft_link_count(m);
  int early = 0;
  for (int k = 1; k < links; ++k) {
    const double theta = active[heft_link_root(m, k)] ? 1 : free, reach = h * theta;
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i) {
      w->theta[i] = theta;
      w->extra[i] = reach * m->dof_damping[i] + reach * reach * m->dof_stiffness[i];
    }
    early |= theta < 1;
  }
  return early;
}

// q_m, and the kinematics there, unless it is where the step began.
static void go_to_middle(HeftWorld* w, int early) {
  const HeftModel* m = w->model;
  if (!early) {
    memcpy(w->q_stage, w->state->q, (size_t)m->nq * sizeof(double));
    return;
  }
  for (int i = 0; i < m->nv; ++i) w->velocity[i] = (1 - w->theta[i]) * w->state->v[i];
  heft_q_integrate(m, w->state->q, w->velocity, w->def.time_step, w->q_stage);
  heft_dynamics_kinematics(w->dynamics, w->q_stage);
}

// The velocity in the middle of the step, as far as it is known before the constraints are solved.
// Those of trees with constraints count as they are: what they would be without constraints does
// not come, and a robot that stands would feel the centrifugal forces of its fall.
static void look_ahead(HeftWorld* w, const double* v) {
  const HeftModel* m = w->model;
  const double half = 0.5 * w->def.time_step;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int active = w->constraints->active[heft_link_root(m, k)];
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i) w->velocity[i] = active ? v[i] : v[i] + half * w->force[i];
  }
}

// Forces from outside, springs and dampers, and the bias of the motion at the velocity in
// w->velocity.
static void gather_forces(HeftWorld* w) {
  const HeftModel* m = w->model;
  const double* v = w->state->v;
  heft_dynamics_rnea(w->dynamics, w->velocity, NULL, w->force);
  for (int i = 0; i < m->nv; ++i) {
    const double ahead = w->def.time_step * (2 * w->theta[i] - 1);
    const double passive = m->dof_damping[i] * v[i] + ahead * m->dof_stiffness[i] * v[i];
    w->force[i] = w->given[i] - w->force[i] - passive;
  }
  heft_model_spring_forces(m, w->q_stage, w->force);
}

// v⁺ - v without constraints, over h, into w->force. Leaves in w->mean the velocity at which the
// bias was taken.
static void predict(HeftWorld* w, int passes) {
  const HeftModel* m = w->model;
  const double* v = w->state->v;
  memcpy(w->velocity, v, (size_t)m->nv * sizeof(double));
  for (int pass = 0; pass < passes; ++pass) {
    memcpy(w->mean, w->velocity, (size_t)m->nv * sizeof(double));
    gather_forces(w);
    if (pass == passes - 1) heft_drives_note(w, w->force);
    heft_dynamics_solve(w->dynamics, w->force);
    if (pass < passes - 1) look_ahead(w, v);
  }
  heft_spin_restrain(w);
}

// The same again with other force limits of actuators: the bias, too, was taken at a velocity that
// did not come.
static int predict_again(HeftWorld* w, const double* old, double* bias) {
  const int nv = w->model->nv;
  if (heft_drives_factor(w) != 0) return 1;
  heft_islands_refactored(w);
  for (int pass = 0; pass < VELOCITY_PASSES; ++pass) {
    heft_dynamics_rnea(w->dynamics, w->mean, NULL, bias);
    for (int i = 0; i < nv; ++i) w->drives->base[i] += bias[i];
    if (pass == 0) memcpy(w->mean, old, (size_t)nv * sizeof(double));
    if (pass > 0) memcpy(w->mean, w->velocity, (size_t)nv * sizeof(double));
    heft_dynamics_rnea(w->dynamics, w->mean, NULL, bias);
    for (int i = 0; i < nv; ++i) w->drives->base[i] -= bias[i];
    heft_drives_right(w, w->force);
    heft_dynamics_solve(w->dynamics, w->force);
    look_ahead(w, old);
  }
  heft_spin_restrain(w);
  return 0;
}

// v⁺ = v + h v̇ and what constraints make of it, repeated as long as the force limits of actuators
// turn out otherwise than assumed.
static int solve(HeftWorld* w, const double* old, HeftStepReport* report) {
  const HeftStepReport start = *report;
  double* v = w->state->v;
  for (int pass = 0;; ++pass) {
    for (int i = 0; i < w->model->nv; ++i) v[i] = old[i] + w->def.time_step * w->force[i];
    heft_wires_sweep(w, v);
    heft_constraints_solve(w, v, report);
    if (!heft_drives_repeat(w, v, pass)) return 0;
    *report = start;
    if (predict_again(w, old, w->push[0]) != 0) return 1;
  }
}

// The mean velocity of a dof during the step; see choose_theta().
static double mean_velocity(const HeftWorld* w, Hold hold, int dof, double old) {
  const double now = w->state->v[dof];
  if (hold == HOLD_FLIGHT) return now - 0.5 * w->constraints->drift[dof];
  return old + (hold == HOLD_LOOSE ? 0.5 : w->theta[dof]) * (now - old);
}

// The velocity with which a link's joints go on to the end of the step, into w->velocity; what
// their forces did at the mean velocity, which takes the place of the old one.
static void go_on(HeftWorld* w, int link, const double* outside, const double* shift, double* old,
                  HeftStepReport* report) {
  const HeftModel* m = w->model;
  const double h = w->def.time_step, *v = w->state->v;
  const int root = heft_link_root(m, link), first = heft_link_dof(m, link);
  const Hold hold = w->constraints->active[root] ? (Hold)w->constraints->held[root] : HOLD_FAST;
  const int end = first + heft_link_dof_count(m, link);
  double work = report->work, damping = report->damping;
  for (int i = first; i < end; ++i) {
    const double middle = mean_velocity(w, hold, i, old[i]);
    work += h * outside[i] * middle;
    damping += h * m->dof_damping[i] * middle * middle;
    old[i] = middle;
    w->velocity[i] = hold == HOLD_FAST ? w->theta[i] * (v[i] + shift[i]) : middle + shift[i];
  }
  report->work = work;
  report->damping = damping;
}

HeftStepStatus heft_step_moreau(HeftWorld* w, HeftStepReport* report) {
  const HeftModel* m = w->model;
  const double h = w->def.time_step;
  double *v = w->state->v, *outside = w->rate[0], *old = w->rate[1], *shift = w->rate[2];
  heft_constraints_gather(w);
  heft_constraints_group(w);
  heft_momentum_begin(w);
  const int early = choose_theta(w);
  go_to_middle(w, early);
  heft_drives_middle(w);
  heft_momentum_act(w, h, 0.5 * h * h);
  heft_dynamics_crba(w->dynamics);
  if (heft_drives_factor(w) != 0) return HEFT_STEP_SINGULAR;
  predict(w, early ? VELOCITY_PASSES : 1);
  memcpy(outside, w->joint_force, (size_t)m->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(w->dynamics, outside);
  memcpy(old, v, (size_t)m->nv * sizeof(double));
  if (solve(w, old, report) != 0) return HEFT_STEP_SINGULAR;
  heft_constraints_remember(w);
  heft_rest_fall_asleep(w);
  heft_constraints_find_held(w);
  heft_constraints_correct(w, shift, report);
  for (int k = 1; k < heft_link_count(m); ++k) go_on(w, k, outside, shift, old, report);
  heft_drives_finish(w, v, old, report);
  heft_q_integrate(m, w->q_stage, w->velocity, h, w->state->q);
  return HEFT_STEP_SOLVED;
}
