// SPDX-License-Identifier: Apache-2.0
// The theta scheme of Moreau and Jean for smooth forces (Jean 1999; Acary and Brogliato 2008,
// section 10.1):
//
//     M̂ (v⁺ - v) = h (τ - b(q, v̄) - C v - K (q - q_s) - hθ K v),    M̂ = M + hθ C + h²θ² K
//     q⁺ = q ⊕ h (θ v⁺ + (1 - θ) v)
//
// Dampers C and springs K of the joints are taken at the moment t + θh, so that they may be as
// stiff as they like; everything else is taken at t.
#include "world/world_internal.h"

enum { VELOCITY_PASSES = 2 };

// Forces from outside, springs and dampers at t, and the bias of the motion at the velocity in
// w->velocity.
static void gather_forces(HeftWorld* w) {
  const HeftModel* m = w->model;
  const double *v = w->state->v, reach = w->def.time_step * w->def.theta;
  heft_rnea(w->dynamics, w->velocity, NULL, w->force);
  for (int i = 0; i < m->nv; ++i) {
    const double passive = m->dof_damping[i] * v[i] + reach * m->dof_stiffness[i] * v[i];
    w->force[i] = w->joint_force[i] - w->force[i] - passive;
  }
  heft_spring_forces(m, w->state->q, w->force);
}

HeftStepStatus heft_step_moreau(HeftWorld* w, HeftStepReport* report) {
  const HeftModel* m = w->model;
  const double h = w->def.time_step, theta = w->def.theta;
  double* v = w->state->v;
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
    w->velocity[i] = middle;
    report->work += h * outside[i] * middle;
    report->damping += h * m->dof_damping[i] * middle * middle;
  }
  heft_q_integrate(m, w->state->q, w->velocity, h, w->state->q);
  return HEFT_STEP_SOLVED;
}
