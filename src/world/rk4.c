// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta of order 4 on the space of positions [Munthe-Kaas 1999], for motion without contact.
//
// Positions are written as q ⊕ Θ; plain coordinates add up, rotations follow R exp(Θ), with ω in
// the body's frame:
//     Θ̇ = ω + ½ Θ × ω + 1/12 Θ × (Θ × ω)        (dexp⁻¹ to the order that is needed)
//     v̇ = ABA(q ⊕ Θ, v, τ - C v - K (q - q_s)).
// Leaving out the two cross products would make the scheme of order 2 wherever a ball or a free
// joint turns.
#include <string.h>

#include "world/world_internal.h"

static void correct_rotation(const double* turn, double* rate) {
  const HeftVec3 theta = heft_vec3_from(turn), omega = heft_vec3_from(rate);
  const HeftVec3 once = heft_vec3_cross(theta, omega), twice = heft_vec3_cross(theta, once);
  const HeftVec3 sum =
      heft_vec3_add_scaled(heft_vec3_add_scaled(omega, 0.5, once), 1.0 / 12, twice);
  rate[0] = sum.x;
  rate[1] = sum.y;
  rate[2] = sum.z;
}

// rate := Θ̇ at Θ for the velocity v.
static void coordinate_rate(const HeftModel* m, const double* theta, const double* v,
                            double* rate) {
  memcpy(rate, v, (size_t)m->nv * sizeof(double));
  for (int j = 0; j < m->njoint; ++j) {
    const int type = m->joint_type[j], dof = m->joint_dof[j];
    if (type == HEFT_JOINT_BALL) correct_rotation(theta + dof, rate + dof);
    if (type == HEFT_JOINT_FREE) correct_rotation(theta + dof + 3, rate + dof + 3);
  }
}

typedef struct Powers {
  double work, damping;  ///< [W]
} Powers;

// Accelerations at the stage's q and v, and what power flows there.
static Powers stage_forces(HeftWorld* w, const double* q, const double* v, double time,
                           double share, double* acceleration) {
  const HeftModel* m = w->model;
  Powers power = {0, 0};
  heft_drives_stage(w, q, v, time, share, &power.work, &power.damping);
  for (int i = 0; i < m->nv; ++i) {
    w->force[i] = w->given[i] - m->dof_damping[i] * v[i];
    power.work += w->joint_force[i] * v[i];
    power.damping += m->dof_damping[i] * v[i] * v[i];
  }
  heft_model_spring_forces(m, q, w->force);
  heft_dynamics_aba(w->dynamics, v, w->force, acceleration);
  memset(w->force, 0, (size_t)m->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(w->dynamics, w->force);
  for (int i = 0; i < m->nv; ++i) power.work += w->force[i] * v[i];
  return power;
}

HeftStepStatus heft_step_rk4(HeftWorld* w, HeftStepReport* report) {
  static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  static const double travel[4] = {1.0 / 6, 1.0 / 6, 1.0 / 6, 0};
  const HeftModel* m = w->model;
  const double h = w->def.time_step;
  const double *q = w->state->q, *v = w->state->v;
  double *theta = w->extra_stage, *velocity = w->velocity;
  heft_momentum_begin(w);
  for (int s = 0; s < 4; ++s) {
    const double step = h * node[s];
    for (int i = 0; i < m->nv; ++i) {
      theta[i] = s > 0 ? step * w->rate[s - 1][i] : 0;
      velocity[i] = s > 0 ? v[i] + step * w->push[s - 1][i] : v[i];
    }
    heft_q_integrate(m, q, theta, 1, w->q_stage);
    if (s > 0) heft_dynamics_kinematics(w->dynamics, w->q_stage);
    const Powers power = stage_forces(w, w->q_stage, velocity, step, weight[s], w->push[s]);
    heft_momentum_act(w, h * weight[s], h * h * travel[s]);
    coordinate_rate(m, theta, velocity, w->rate[s]);
    report->work += h * weight[s] * power.work;
    report->damping += h * weight[s] * power.damping;
  }
  for (int i = 0; i < m->nv; ++i) {
    const double middle = w->rate[1][i] + w->rate[2][i], pushed = w->push[1][i] + w->push[2][i];
    theta[i] = h / 6 * (w->rate[0][i] + 2 * middle + w->rate[3][i]);
    w->state->v[i] += h / 6 * (w->push[0][i] + 2 * pushed + w->push[3][i]);
  }
  heft_q_integrate(m, q, theta, 1, w->state->q);
  return HEFT_STEP_SOLVED;
}
