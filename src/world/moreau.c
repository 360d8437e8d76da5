// SPDX-License-Identifier: Apache-2.0
// Papers: R10.
// The theta scheme of Moreau and Jean for smooth forces, with Moreau's midpoint ([Moreau
// 1988]; [Jean 1999]; [Acary 2008], section 10.1):
//
//     q_m = q ⊕ h (1 - θ) v
//     M̂ (v⁺ - v) = h (τ - b(q_m, v̄) - C v - K (q_m - q_s) - h (2θ - 1) K v)
//     q⁺ = q_m ⊕ hθ v⁺,                              M̂ = M(q_m) + hθ C + h²θ² K
//
// Dampers C and springs K of the joints are evaluated at the time t + θh, so that every stiffness
// is stable. Everything else is evaluated at q_m, which for θ = 1/2 is the middle of the step: the
// scheme is then of order 2, and the energy of a pendulum does not drift. Evaluated at q instead,
// weight would add energy to everything that swings (docs/theory/integrators.md).
#include "world/moreau.h"

#include <string.h>

#include "dynamics/bonds.h"
#include "dynamics/links.h"
#include "world/balance.h"
#include "world/passage.h"
#include "world/static_friction.h"
#include "world/world_internal.h"

enum { VELOCITY_PASSES = 2, LINK_RANGE = 64, GUESSES = 3 };

void heft_moreau_place(MoreauScratch* s, Arena* arena, const HeftModel* m) {
  s->theta = arena_take(arena, m->nv, double);
  s->implicit = arena_take(arena, m->nv, double);
  s->q_middle = arena_take(arena, m->nq, double);
  s->v_middle = arena_take(arena, m->nv, double);
  s->v_bias = arena_take(arena, m->nv, double);
  s->bias_force = arena_take(arena, m->nv, double);
  s->acceleration = arena_take(arena, m->nv, double);
  s->external_force = arena_take(arena, m->nv, double);
  s->v_correction = arena_take(arena, m->nv, double);
  s->v_mean = arena_take(arena, m->nv, double);
  s->v_position = arena_take(arena, m->nv, double);
}

// ---- prediction without constraints

// Trees of first order (midpoint.c) have θ = 1, so that the laws of contact, which are laws of
// velocities, hold for positions too; all others have the θ of the def. Returns 1 if there are any
// of these.
//
// A tree of first order on which no constraint acts in the end, or which bounces, moves by the mean
// of its velocities instead: free flight is then exact, and a bounce takes place where the step
// began and neither lifts nor lowers.
//
// Trees that bounce off each other in flight separate where the step began and fly on from there,
// with the velocity v_p after the impact: v⁺ = v_p + h v̇, and the mean is v⁺ - h v̇ / 2. This
// conserves their angular momentum, since the impulse acts between bodies that have not moved yet;
// with the mean of v and v⁺ it would act half a step later, along a line that no longer passes
// through both. Both means conserve the energy of an elastic impact.
static int choose_theta(MoreauScratch* s, const StepInput* in, const int* first_order) {
  const HeftModel* m = in->model;
  const double h = in->h, free = in->def->theta;
  const int links = heft_link_count(m);
  int early = 0;
  for (int k = 1; k < links; ++k) {
    const double theta = first_order[heft_link_root(m, k)] ? 1 : free, ahead = h * theta;
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i) {
      s->theta[i] = theta;
      s->implicit[i] = ahead * m->dof_damping[i] + ahead * ahead * m->dof_stiffness[i];
    }
    early |= theta < 1;
  }
  return early;
}

// q_m, and the kinematics there.
static void move_to_middle(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  for (int i = 0; i < m->nv; ++i) s->v_position[i] = (1 - s->theta[i]) * in->start->v[i];
  heft_q_integrate(m, in->start->q, s->v_position, in->h, s->q_middle);
  heft_dynamics_kinematics(dynamics, s->q_middle);
}

// The same, unless it is where the step began.
static void go_to_middle(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics, int early) {
  if (early)
    move_to_middle(s, in, dynamics);
  else
    memcpy(s->q_middle, in->start->q, (size_t)in->model->nq * sizeof(double));
}

// The constraints of islands of second order at q_m. Returns 1 if there are trees with θ < 1 left.
static int meet_constraints(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics,
                            const Drives* drives, Constraints* c, int early) {
  heft_constraints_turn(&c->set, in, dynamics, drives, s->q_middle);
  if (heft_midpoint_find_torn(&c->midpoint, &c->set, &c->islands, in, dynamics)) {
    early = choose_theta(s, in, c->midpoint.first_order);
    move_to_middle(s, in, dynamics);
    heft_constraints_turn(&c->set, in, dynamics, drives, s->q_middle);
  }
  heft_midpoint_pose(&c->midpoint, &c->set, in);
  return early;
}

// The velocity in the middle of the step, as predicted before the constraints are solved. Trees of
// first order keep their velocity: the contacts prevent the free motion, and a robot that stands
// would feel the centrifugal forces of its fall. Constraints of islands of second order act with
// the warm impulses, those of the last step or of the last pass.
static void look_ahead(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics,
                       Constraints* c) {
  const HeftModel* m = in->model;
  const double half = 0.5 * in->h, *v = in->start->v;
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int stays = c->midpoint.first_order[heft_link_root(m, k)];
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i)
      s->v_middle[i] = stays ? v[i] : v[i] + half * s->acceleration[i];
  }
  if (!c->midpoint.any) return;
  for (int i = 0; i < c->set.count; ++i) {
    const Constraint* k = &c->set.list[i];
    for (int r = k->row; r < k->row + k->rows; ++r)
      c->round_impulse[r] = k->middle ? 0.5 * c->set.warm[r] : 0;
  }
  heft_constraints_apply(c, &c->set, dynamics, c->round_impulse, s->v_middle);
  heft_midpoint_judge(&c->midpoint, &c->set, &c->islands, in, dynamics, s->v_middle);
}

// The right-hand side into s->acceleration: drives, springs, dampers, and the bias of the motion at
// the velocity s->v_bias.
static void gather_forces(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics,
                          const double* drive_force) {
  const HeftModel* m = in->model;
  const double* v = in->start->v;
  heft_dynamics_rnea(dynamics, s->v_bias, NULL, s->bias_force);
  for (int i = 0; i < m->nv; ++i) {
    const double ahead = in->h * (2 * s->theta[i] - 1);
    const double passive = m->dof_damping[i] * v[i] + ahead * m->dof_stiffness[i] * v[i];
    s->acceleration[i] = drive_force[i] - s->bias_force[i] - passive;
  }
  heft_model_spring_forces(m, s->q_middle, s->acceleration);
  if (heft_dynamics_deform(dynamics)) heft_bonds_add_force(dynamics, v, s->acceleration);
}

// (v⁺ - v) / h without constraints, into s->acceleration.
static void predict(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics, Drives* drives,
                    Constraints* c, int passes) {
  const size_t size = (size_t)in->model->nv * sizeof(double);
  memcpy(s->v_bias, in->start->v, size);
  for (int pass = 0; pass < passes; ++pass) {
    if (pass > 0) memcpy(s->v_bias, s->v_middle, size);
    gather_forces(s, in, dynamics, drives->force);
    if (pass == passes - 1) heft_drives_note(drives, s->acceleration);
    heft_dynamics_solve(dynamics, s->acceleration);
    if (pass < passes - 1) look_ahead(s, in, dynamics, c);
  }
}

// The same with other force limits of actuators. The bias, which is that of the velocity s->v_bias,
// is evaluated again, too, if it belonged to another velocity, which did not occur. Returns 1 if M̂
// is not positive.
static int predict_again(MoreauScratch* s, const StepInput* in, HeftDynamics* dynamics,
                         Drives* drives, Constraints* c) {
  const int nv = in->model->nv;
  if (heft_drives_factor(drives, dynamics, s->implicit) != 0) return 1;
  for (int pass = 0; pass < VELOCITY_PASSES; ++pass) {
    const double* next = pass == 0 ? in->start->v : s->v_middle;
    const int same = memcmp(s->v_bias, next, (size_t)nv * sizeof(double)) == 0;
    if (same && pass > 0) break;
    if (!same) {
      for (int i = 0; i < nv; ++i) drives->base[i] += s->bias_force[i];
      memcpy(s->v_bias, next, (size_t)nv * sizeof(double));
      heft_dynamics_rnea(dynamics, s->v_bias, NULL, s->bias_force);
      for (int i = 0; i < nv; ++i) drives->base[i] -= s->bias_force[i];
    }
    heft_drives_right(drives, s->acceleration);
    heft_dynamics_solve(dynamics, s->acceleration);
    look_ahead(s, in, dynamics, c);
  }
  return 0;
}

// ---- velocities after the step

// v⁺ = v + h v̇ without constraints.
static void free_velocities(HeftWorld* w, double* v) {
  const StepInput* in = &w->input;
  for (int i = 0; i < in->model->nv; ++i)
    v[i] = in->start->v[i] + in->h * w->moreau.acceleration[i];
  heft_cross_tree_tendons_apply(w->drives->tendon_constraints, w->dynamics, v);
}

// 1 if the force limits at the velocity v differ from those assumed; the prediction is then that
// with the new ones. *singular: M̂ is not positive.
static int change_limits(HeftWorld* w, const double* v, int pass, int* singular) {
  const StepInput* in = &w->input;
  Constraints* c = w->constraints;
  MoreauScratch* s = &w->moreau;
  if (!heft_drives_repeat(w->drives, in, w->dynamics, s->theta, v, pass)) return 0;
  *singular = predict_again(s, in, w->dynamics, w->drives, c);
  heft_islands_refactored(&c->problem, &c->islands);
  if (!*singular)
    heft_spin_restrain(&w->spin, in, w->dynamics, c->midpoint.first_order, c->set.soft, &w->groups,
                       in->start->v, s->acceleration);
  return 1;
}

// Guesses the force limits by the warm impulses. Returns 1 if M̂ is not positive.
static int guess_limits(HeftWorld* w, double* v, int pass) {
  Constraints* c = w->constraints;
  int singular = 0;
  for (int k = 0, differ = 1; k < GUESSES && differ && !singular; ++k) {
    free_velocities(w, v);
    heft_constraints_apply(c, &c->set, w->dynamics, c->set.warm, v);
    differ = change_limits(w, v, pass, &singular);
  }
  return singular;
}

// v⁺ and the impulses of the constraints, repeated while the force limits of actuators differ from
// those assumed and there is time. Impulses cost more than everything else. So the limits are first
// guessed by the impulses of the last step, or of the last pass, which change less than the limits
// do. A step whose forces exceed a limit in the end is inexact. Returns 1 if M̂ is not positive.
static int solve_velocities(HeftWorld* w, double* v, HeftStepReport* report) {
  Constraints* c = w->constraints;
  const HeftStepReport start = *report;
  int guess = c->set.count > 0 && heft_drives_limited(w->drives);
  for (int pass = 0;; ++pass) {
    int singular = guess ? guess_limits(w, v, pass) : 0;
    if (singular) return 1;
    free_velocities(w, v);
    heft_constraints_solve(c, &w->input, w->dynamics, &w->budget, v, report);
    if (heft_drives_settled(w->drives, &w->input, v, 0)) return 0;
    if (!heft_budget_may_go_on(&w->budget, BUDGET_PASS) || !change_limits(w, v, pass, &singular)) {
      report->inexact += !heft_drives_settled(w->drives, &w->input, v, 1);
      return 0;
    }
    if (singular) return 1;
    *report = start;
    guess = heft_constraints_continue(c);
  }
}

// ---- positions after the step

// The same for joints first to end - 1 of an island in which bodies meet after the share `time` of
// the step (passage.c): the old velocity until then, the new one after it. Not for trees that
// bounce off the world: their weight would do other work than the change of their velocity shows.
static void find_mean_of_impact(const MoreauScratch* s, ContactRegime regime, double time,
                                const double* drift, const double* old, const double* now,
                                int first, int end) {
  const int flies = regime == REGIME_FLIGHT;
  for (int i = first; i < end; ++i) {
    const double mean = 0.5 * (old[i] + now[i]), change = flies ? drift[i] : 0;
    const double moved = time * old[i] + (1 - time) * (now[i] - change) + 0.5 * change;
    s->v_middle[i] = mean - 0.5 * change;
    s->v_mean[i] = flies ? moved : mean;
    s->v_position[i] = moved;
    s->v_correction[i] = flies ? 0 : moved - mean;
  }
}

// The mean velocity of a link's joints, and the velocity by which they move from the middle to the
// end of the step; see choose_theta(). While the impulses of trees in flight act, weight does not:
// their mean velocity, into s->v_middle, is that of the impact. s->v_correction becomes the
// velocity by which positions move beyond the mean.
static void find_mean(const MoreauScratch* s, const StepInput* in, const Constraints* c, int link,
                      const double* v) {
  const HeftModel* m = in->model;
  const double *old = in->start->v, *drift = c->round.drift;
  const int root = heft_link_root(m, link), first = heft_link_dof(m, link);
  const int node = heft_link_deforms(m, link);  // moves by the law that its elasticity has
  const ContactRegime regime =
      c->midpoint.first_order[root] && !node ? (ContactRegime)c->regime[root] : REGIME_SUSTAINED;
  const int end = first + heft_link_dof_count(m, link);
  const double time = node ? 0 : heft_passage_time(c, link);
  if (time > 0 && regime != REGIME_LOOSE) {
    find_mean_of_impact(s, regime, time, drift, old, v, first, end);
    return;
  }
  for (int i = first; i < end; ++i) {
    const double mean = 0.5 * (old[i] + v[i]), half = regime == REGIME_FLIGHT ? 0.5 * drift[i] : 0;
    s->v_middle[i] = mean - half;
    s->v_mean[i] = regime == REGIME_FLIGHT ? v[i] - half : mean;
    s->v_position[i] = regime == REGIME_SUSTAINED ? s->theta[i] * v[i] : s->v_mean[i];
    s->v_correction[i] = regime == REGIME_SUSTAINED ? (s->theta[i] - 0.5) * (v[i] - old[i]) : 0;
  }
}

typedef struct MeanTask {
  const MoreauScratch* s;
  const StepInput* in;
  const Constraints* c;
  const double* v;
} MeanTask;

static void find_range(void* arg, int first, int end) {
  const MeanTask* t = arg;
  for (int k = first > 0 ? first : 1; k < end; ++k) find_mean(t->s, t->in, t->c, k, t->v);
}

// Mean velocities, and the work of outside forces and dampers at them.
static void find_means(const MoreauScratch* s, const StepInput* in, const Constraints* c,
                       const double* v, HeftStepReport* report) {
  const HeftModel* m = in->model;
  MeanTask task = {s, in, c, v};
  double work = report->work, damping = report->damping;
  heft_pool_run_ranges(c->solvers.pool, heft_link_count(m), LINK_RANGE, find_range, &task);
  for (int i = 0; i < m->nv; ++i) {
    work += in->h * s->external_force[i] * s->v_mean[i];
    damping += in->h * m->dof_damping[i] * s->v_mean[i] * s->v_mean[i];
  }
  report->work = work;
  report->damping = damping;
}

// Stores the solution for the next step: warm impulses, and islands that sleep.
static void store_solution(Constraints* c, const StepInput* in) {
  heft_warm_start_store(&c->warm_start, c->model, &c->set, c->solution.impulse,
                        c->contact_model ? c->model_memory : NULL, c->solvers.pool);
  if (c->contact_model) return;
  heft_static_friction_note(&c->set, in, c->islands.of_constraint, &c->solution, &c->warm_start);
  if (in->def->sleep) heft_rest_fall_asleep(&c->islands, &c->set, &c->solution, c->sleep_cache);
}

static void gather_external_force(const StepInput* in, HeftDynamics* dynamics, double* out) {
  memcpy(out, in->joint_force, (size_t)in->model->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(dynamics, out);
}

// ---- deformable bodies

// The work of elastic forces along the motion of nodes beyond their mean velocity.
static double elastic_scheme_work(const MoreauScratch* s, HeftDynamics* dynamics, const double* v) {
  return heft_dynamics_deform(dynamics) ? -heft_bonds_work(dynamics, v, s->v_correction) : 0;
}

static int any_node_moves(const HeftModel* m, const double* v) {
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end && heft_link_deforms(m, k); ++i) {
      if (v[i] != 0) return 1;
    }
  }
  return 0;
}

// The elastic energy that the position correction s->v_correction adds to the motion by
// s->v_position. q: scratch.
static double elastic_correction_work(const MoreauScratch* s, const StepInput* in,
                                      HeftDynamics* dynamics, double* q) {
  const HeftModel* m = in->model;
  if (!heft_dynamics_deform(dynamics) || !any_node_moves(m, s->v_correction)) return 0;
  heft_q_integrate(m, s->q_middle, s->v_position, in->h, q);
  const double before = heft_bonds_energy_at(dynamics, q);
  heft_q_integrate(m, q, s->v_correction, in->h, q);
  const double after = heft_bonds_energy_at(dynamics, q);
  heft_dynamics_kinematics(dynamics, s->q_middle);
  return after - before;
}

HeftStepStatus heft_step_moreau(HeftWorld* w, HeftStepReport* report) {
  const StepInput* in = &w->input;
  const HeftModel* m = in->model;
  const double h = in->h;
  HeftDynamics* dynamics = w->dynamics;
  Drives* drives = w->drives;
  Constraints* c = w->constraints;
  MoreauScratch* s = &w->moreau;
  Deform* deform = heft_dynamics_deform(dynamics);
  const int* first_order = c->midpoint.first_order;
  double *q = w->state->q, *v = w->state->v;

  const ConstraintSet* set = heft_constraints_gather(c, in, dynamics, drives);
  heft_islands_group(&c->islands, set, m, c->collider, c->solvers.pool);
  heft_islands_refactored(&c->problem, &c->islands);
  heft_passage_schedule(c, in, dynamics);
  heft_momentum_begin(&w->groups, in, set, &c->islands, dynamics);

  heft_midpoint_choose(&c->midpoint, &c->set, &c->islands, in, dynamics);
  heft_soft_store_begin(&w->soft_store, in, dynamics, set, &c->warm_start);
  w->restore.any = 0;
  if (c->midpoint.any) heft_restore_begin(&w->restore, in, dynamics);
  int early = choose_theta(s, in, first_order);
  go_to_middle(s, in, dynamics, early);
  if (c->midpoint.any) {
    early = meet_constraints(s, in, dynamics, drives, c, early);
    heft_restore_choose(&w->restore, in, set, &c->islands);
  }
  heft_impacts_prepare(&c->round, set);
  heft_drives_middle(drives, in, dynamics, s->q_middle, s->theta);
  heft_momentum_act(&w->groups, dynamics, m, drives->force, h, 0.5 * h * h);
  heft_dynamics_crba(dynamics);
  if (deform && heft_deform_begin(deform, h) != 0) return HEFT_STEP_SINGULAR;
  if (heft_drives_factor(drives, dynamics, s->implicit) != 0) return HEFT_STEP_SINGULAR;
  predict(s, in, dynamics, drives, c, early ? VELOCITY_PASSES : 1);
  heft_spin_restrain(&w->spin, in, dynamics, first_order, c->set.soft, &w->groups, in->start->v,
                     s->acceleration);
  gather_external_force(in, dynamics, s->external_force);

  if (solve_velocities(w, v, report) != 0) return HEFT_STEP_SINGULAR;
  heft_cross_tree_tendons_judge(drives->tendon_constraints, in, v, report);
  store_solution(c, in);
  heft_constraints_find_regime(c, &w->groups);
  find_means(s, in, c, v, report);
  for (int i = 0; i < m->nv; ++i)  // the bias contains the wrenches
    s->bias_force[i] += s->external_force[i] - in->joint_force[i];
  report->scheme_work +=
      heft_ledger_lift_by_bias(in, s->q_middle, s->bias_force, s->v_correction, s->acceleration) +
      elastic_scheme_work(s, dynamics, v);
  const LedgerImpulses impulses = {.set = set,
                                   .impulse = c->solution.impulse,
                                   .joint = heft_constraints_joint_impulse(c),
                                   .v_mean = s->v_middle,
                                   .of_constraint = c->islands.of_constraint,
                                   .restored = w->restore.any ? w->restore.chosen : NULL,
                                   .speed = c->free_velocity};
  heft_ledger_add_impulses(&impulses, m, dynamics, report);
  heft_cross_tree_tendons_work(drives->tendon_constraints, s->v_mean, report);
  const PositionStep position = {s->q_middle, s->v_position, q};
  heft_constraints_correct(c, in, dynamics, &w->budget, &position, s->v_correction, report);
  report->correction_work +=
      heft_ledger_lift(in, dynamics, s->q_middle, s->v_correction, s->acceleration) +
      elastic_correction_work(s, in, dynamics, q);
  for (int i = 0; i < m->nv; ++i) s->v_position[i] += s->v_correction[i];
  if (w->restore.any) {
    const BalanceStep step = {
        .v = v, .v_bias = s->v_bias, .change = s->v_middle, .force = s->acceleration};
    const RestoreWork work = {
        .impulse = c->solution.impulse, .velocity = c->solution.velocity, .bias = c->round.bias};
    heft_balance_add_work(in, dynamics, &step, w->restore.due);
    heft_restore_leave_out_loops(&w->restore, set, m, &work);
  }
  if (w->soft_store.any) {
    const BalanceStep step = {.v = v,
                              .v_bias = s->v_bias,
                              .q_middle = s->q_middle,
                              .change = s->v_middle,
                              .force = s->acceleration};
    const SoftSolution solution = {.impulse = c->solution.impulse,
                                   .velocity = c->solution.velocity,
                                   .bias = c->round.bias,
                                   .v_mean = s->v_middle,
                                   .speed = c->free_velocity};
    heft_soft_store_work(&w->soft_store, in, dynamics, set, &step, &solution);
  }
  heft_drives_finish(drives, in, dynamics, w->sensors, v, s->v_mean, report);
  heft_spin_find_work(&w->spin, in, dynamics, s->q_middle, s->v_bias, v);
  if (w->spin.any) {
    for (int i = 0; i < m->nv; ++i) s->v_middle[i] = 0.5 * (v[i] + in->start->v[i]);
    heft_spin_drop_work(&w->spin, m, set, dynamics, c->solution.impulse, s->v_middle,
                        c->free_velocity);
  }
  heft_q_integrate(m, s->q_middle, s->v_position, h, q);
  return HEFT_STEP_SOLVED;
}
