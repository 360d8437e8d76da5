// SPDX-License-Identifier: Apache-2.0
// The theta scheme of Moreau and Jean for smooth forces, with Moreau's midpoint (Moreau 1988; Jean
// 1999; Acary and Brogliato 2008, section 10.1):
//
//     q_m = q ⊕ h (1 - θ) v
//     M̂ (v⁺ - v) = h (τ - b(q_m, v̄) - C v - K (q_m - q_s) - h (2θ - 1) K v)
//     q⁺ = q_m ⊕ hθ v⁺,                              M̂ = M(q_m) + hθ C + h²θ² K
//
// Dampers C and springs K of the joints are taken at the moment t + θh, so that they may be as
// stiff as they like; everything else is taken at q_m, which for θ = 1/2 is the middle of the step:
// the scheme is then of order 2, and a pendulum neither gains nor loses. Taken at q instead, weight
// would feed energy to everything that swings (docs/theory/integrators.md).
#include "world/world_internal.h"

enum { VELOCITY_PASSES = 2 };

// Forces from outside, springs and dampers, and the bias of the motion at the velocity in
// w->velocity.
static void gather_forces(HeftWorld* w) {
  const HeftModel* m = w->model;
  const double *v = w->state->v, ahead = w->def.time_step * (2 * w->def.theta - 1);
  heft_rnea(w->dynamics, w->velocity, NULL, w->force);
  for (int i = 0; i < m->nv; ++i) {
    const double passive = m->dof_damping[i] * v[i] + ahead * m->dof_stiffness[i] * v[i];
    w->force[i] = w->joint_force[i] - w->force[i] - passive;
  }
  heft_spring_forces(m, w->q_stage, w->force);
}

HeftStepStatus heft_step_moreau(HeftWorld* w, HeftStepReport* report) {
  const HeftModel* m = w->model;
  const double h = w->def.time_step, theta = w->def.theta;
  double* v = w->state->v;
  heft_q_integrate(m, w->state->q, v, h * (1 - theta), w->q_stage);
  heft_kinematics(w->dynamics, w->q_stage);
  heft_momentum_act(w, h, 0.5 * h * h);
  heft_crba(w->dynamics);
  if (heft_factor(w->dynamics, w->extra) != 0) return HEFT_STEP_SINGULAR;
  for (int i = 0; i < m->nv; ++i) w->velocity[i] = v[i];
  for (int pass = 0; pass < VELOCITY_PASSES; ++pass) {
    gather_forces(w);
    heft_solve(w->dynamics, w->force);
    for (int i = 0; i < m->nv; ++i) w->velocity[i] = v[i] + 0.5 * h * w->force[i];
  }
  double* outside = w->rate[0];
  for (int i = 0; i < m->nv; ++i) outside[i] = w->joint_force[i];
  heft_wrenches_to_joints(w->dynamics, outside);
  for (int i = 0; i < m->nv; ++i) {
    const double change = h * w->force[i], middle = v[i] + theta * change;
    v[i] += change;
    report->work += h * outside[i] * middle;
    report->damping += h * m->dof_damping[i] * middle * middle;
  }
  heft_q_integrate(m, w->q_stage, v, h * theta, w->state->q);
  return HEFT_STEP_SOLVED;
}
