// SPDX-License-Identifier: Apache-2.0
// Papers: R10.
// Runge-Kutta of order 4 on the space of positions [Munthe-Kaas 1999], for motion without contact.
//
// Positions are written as q ⊕ Θ; plain coordinates add up, rotations follow R exp(Θ), with ω in
// the body's frame:
//     Θ̇ = ω + ½ Θ × ω + 1/12 Θ × (Θ × ω)        (dexp⁻¹ to the order that is needed)
//     v̇ = ABA(q ⊕ Θ, v, τ - C v - K (q - q_s)).
// Leaving out the two cross products would make the scheme of order 2 wherever a ball or a free
// joint turns.
//
// The scheme leaves out all constraints: it is exact only where none acts. So zero impulses are
// judged at the velocity of the middle of the step, v + h/2 v̇: a limit that closes faster than its
// gap allows, an equality that opens, and a joint that slides in spite of dry friction make the
// step inexact, and the largest of these velocities is its residual. A contact point that closes is
// refused, because bodies would fall through floors: the step is rolled back, and the points that
// were found can be read, with zero force.
#include "world/rk4.h"

#include <math.h>
#include <string.h>

#include "model/joint_kind.h"
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
    const int rotation = joint_rotation(m->joint_type[j]), dof = m->joint_dof[j] + rotation;
    if (rotation >= 0) correct_rotation(theta + dof, rate + dof);
  }
}

typedef struct Powers {
  double work, damping;  ///< [W]
} Powers;

// Accelerations at the q and v of the stage, and the powers there.
static Powers stage_forces(HeftWorld* w, double time, double share, double* acceleration) {
  const StepInput* in = &w->input;
  const HeftModel* m = in->model;
  const double *q = w->rk4.q, *v = w->rk4.velocity;
  double* force = w->rk4.force;
  Powers power = {0, 0};
  heft_drives_stage(w->drives, in, w->dynamics, w->sensors, q, v, time, share, &power.work,
                    &power.damping);
  for (int i = 0; i < m->nv; ++i) {
    force[i] = w->drives->force[i] - m->dof_damping[i] * v[i];
    power.work += in->joint_force[i] * v[i];
    power.damping += m->dof_damping[i] * v[i] * v[i];
  }
  if (w->keepers.spin.any) heft_spin_add_work(&w->keepers.spin, m, in->h * share, force, v);
  heft_model_spring_forces(m, q, force);
  heft_dynamics_aba(w->dynamics, v, force, acceleration);
  memset(force, 0, (size_t)m->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(w->dynamics, force);
  for (int i = 0; i < m->nv; ++i) power.work += force[i] * v[i];
  if (w->keepers.spin.any) heft_spin_add_work(&w->keepers.spin, m, in->h * share, force, v);
  return power;
}

void heft_rk4_place(Rk4Scratch* s, Arena* arena, const HeftModel* m) {
  s->q = arena_take(arena, m->nq, double);
  s->displacement = arena_take(arena, m->nv, double);
  s->velocity = arena_take(arena, m->nv, double);
  s->force = arena_take(arena, m->nv, double);
  for (int i = 0; i < RK4_STAGES; ++i) {
    s->rate[i] = arena_take(arena, m->nv, double);
    s->acceleration[i] = arena_take(arena, m->nv, double);
  }
}

// The velocity by which a constraint without impulses is violated. u: of its first row.
static double violation(const Constraint* k, double u) {
  if (k->type == HEFT_CONSTRAINT_BILATERAL) return fabs(u);
  if (k->type == HEFT_CONSTRAINT_BOX) return k->upper > 0 ? fabs(u) : 0;
  return fmax(0, -u);
}

// Judges zero impulses at velocities v. Returns 1 if a contact point closes.
static int judge_left_out(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                          const double* v, HeftStepReport* report) {
  const ConstraintSet* set = &c->set;
  double scale = in->weight_speed, contact = 0;
  heft_constraint_set_measure(set, dynamics, set->bias, v, c->solution.velocity);
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const double u = c->solution.velocity[k->row];
    scale = fmax(scale, fabs(u));
    report->residual = fmax(report->residual, violation(k, u));
    if (k->kind != CONSTRAINT_CONTACT) continue;
    report->penetration = fmax(report->penetration, -k->gap);
    contact = fmax(contact, violation(k, u));
  }
  report->contact_count = set->contact_points.count;
  report->contact_dropped = heft_constraint_set_dropped(set);
  if (report->residual > 0) report->relative = report->residual / scale;
  for (int i = 0; i < set->count && report->residual > 0; ++i) {
    const Constraint* k = &set->list[i];
    int place[2];
    heft_constraint_set_place(set, in->model, i, place);
    heft_step_report_raise(report, (HeftStepQuantity)heft_constraint_row_kind(k),
                           violation(k, c->solution.velocity[k->row]) / scale, place[0], place[1]);
  }
  report->inexact = report->relative > in->def->tolerance;
  return contact > in->def->tolerance * scale;
}

// Judges the step by its first stage. Returns 1 if a contact point closes; the points then stay,
// with zero impulses, otherwise the constraints are forgotten.
static int refuses(Constraints* c, const StepInput* in, HeftDynamics* dynamics,
                   const TendonConstraints* tendons, Rk4Scratch* s, HeftStepReport* report) {
  double* v = s->velocity;
  for (int i = 0; i < in->model->nv; ++i)
    v[i] = in->start->v[i] + 0.5 * in->h * s->acceleration[0][i];
  const int closes = judge_left_out(c, in, dynamics, v, report);
  heft_cross_tree_tendons_judge(tendons, in, v, report);
  if (!closes) {
    heft_constraints_forget(c);
    return 0;
  }
  report->inexact = 0;  // a step that is refused has no solution to judge
  memset(c->solution.impulse, 0, (size_t)c->set.row_count * sizeof(double));
  memset(c->solution.check, 0, (size_t)c->set.count * sizeof *c->solution.check);
  return 1;
}

HeftStepStatus heft_step_rk4(HeftWorld* w, HeftStepReport* report) {
  static const double node[RK4_STAGES] = {0, 0.5, 0.5, 1};
  static const double weight[RK4_STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  static const double travel[RK4_STAGES] = {1.0 / 6, 1.0 / 6, 1.0 / 6, 0};
  const StepInput* in = &w->input;
  const HeftModel* m = in->model;
  Rk4Scratch* s = &w->rk4;
  const double h = in->h, *q = in->start->q, *v = in->start->v;
  Constraints* c = w->constraints;
  heft_constraints_forget(c);
  heft_momentum_begin(&w->keepers.groups, in, &c->set, &c->islands, w->dynamics);
  heft_constraints_gather(c, in, w->dynamics, w->drives);
  for (int k = 0; k < RK4_STAGES; ++k) {
    const double step = h * node[k];
    for (int i = 0; i < m->nv; ++i) {
      s->displacement[i] = k > 0 ? step * s->rate[k - 1][i] : 0;
      s->velocity[i] = k > 0 ? v[i] + step * s->acceleration[k - 1][i] : v[i];
    }
    heft_q_integrate(m, q, s->displacement, 1, s->q);
    if (k > 0) heft_dynamics_kinematics(w->dynamics, s->q);
    const Powers power = stage_forces(w, step, weight[k], s->acceleration[k]);
    heft_momentum_act(&w->keepers.groups, w->dynamics, m, w->drives->force, h * weight[k],
                      h * h * travel[k]);
    coordinate_rate(m, s->displacement, s->velocity, s->rate[k]);
    if (k == 0 && refuses(c, in, w->dynamics, w->drives->tendon_constraints, s, report))
      return HEFT_STEP_CONTACT_REFUSED;
    report->work += h * weight[k] * power.work;
    report->damping += h * weight[k] * power.damping;
  }
  for (int i = 0; i < m->nv; ++i) {
    const double rates = s->rate[1][i] + s->rate[2][i];
    const double accelerations = s->acceleration[1][i] + s->acceleration[2][i];
    s->displacement[i] = h / 6 * (s->rate[0][i] + 2 * rates + s->rate[3][i]);
    w->state->v[i] += h / 6 * (s->acceleration[0][i] + 2 * accelerations + s->acceleration[3][i]);
  }
  heft_q_integrate(m, q, s->displacement, 1, w->state->q);
  heft_step_output_store_smooth(&w->output, in, w->state->v, s->displacement);
  return HEFT_STEP_SOLVED;
}
