// SPDX-License-Identifier: Apache-2.0
// v⁺ = v + h v̇ + M̂⁻¹ Jᵀ r, with impulses r that obey the laws of the constraints, and with drives
// whose forces obey their limits.
#include "world/velocities.h"

#include "world/rest.h"
#include "world/static_friction.h"

enum { GUESSES = 3, STIFFEN_ROUNDS = 3 };

// v⁺ = v + h v̇ without constraints.
static void free_velocities(const VelocityStages* x, double* v) {
  const StepInput* in = x->in;
  for (int i = 0; i < in->model->nv; ++i)
    v[i] = in->start->v[i] + in->h * x->prediction->acceleration[i];
  heft_cross_tree_tendons_apply(x->drives->tendon_constraints, x->dynamics, v);
}

// 1 if the force limits at the velocity v differ from those assumed; the prediction is then that
// with the new ones. *singular: M̂ is not positive.
static int change_limits(const VelocityStages* x, const double* v, int pass, int* singular) {
  if (!heft_drives_repeat(x->drives, x->in, x->dynamics, x->middle->theta, v, pass)) return 0;
  *singular = heft_prediction_repeat(x->prediction, x->in, x->middle, x->dynamics, x->drives,
                                     x->constraints, x->keepers);
  return 1;
}

// Guesses the force limits by the warm impulses. Returns 1 if M̂ is not positive.
static int guess_limits(const VelocityStages* x, double* v, int pass) {
  Constraints* c = x->constraints;
  int singular = 0;
  for (int k = 0, differ = 1; k < GUESSES && differ && !singular; ++k) {
    free_velocities(x, v);
    heft_constraints_apply(c, &c->set, x->dynamics, c->set.warm, v);
    differ = change_limits(x, v, pass, &singular);
  }
  return singular;
}

// Repeated while the force limits of actuators differ from those assumed and there is time.
// Impulses cost more than everything else. So the limits are first guessed by the impulses of the
// last step, or of the last pass, which change less than the limits do. A step whose forces exceed
// a limit in the end is inexact.
static int solve_with_limits(const VelocityStages* x, double* v, HeftStepReport* report) {
  Constraints* c = x->constraints;
  const HeftStepReport start = *report;
  int guess = c->set.count > 0 && heft_drives_limited(x->drives);
  for (int pass = 0;; ++pass) {
    int singular = guess ? guess_limits(x, v, pass) : 0;
    if (singular) return 1;
    free_velocities(x, v);
    heft_constraints_solve(c, x->in, x->dynamics, x->budget, v, report);
    if (heft_drives_settled(x->drives, x->in, v, 0)) break;
    if (!heft_budget_may_go_on(x->budget, BUDGET_PASS) || !change_limits(x, v, pass, &singular)) {
      report->inexact += !heft_drives_settled(x->drives, x->in, v, 1);
      break;
    }
    if (singular) return 1;
    *report = start;
    guess = heft_constraints_continue(c);
  }
  return 0;
}

// 1 if the impulses ask for clearly more or less geometric stiffness than M̂ has; the prediction is
// then that with it. -1: M̂ is not positive.
static int stiffen(const VelocityStages* x) {
  if (!heft_budget_may_go_on(x->budget, BUDGET_PASS)) return 0;
  return heft_prediction_stiffen(x->prediction, x->in, x->middle, x->dynamics, x->drives,
                                 x->constraints, x->keepers);
}

int heft_velocities_solve(const VelocityStages* x, double* v, HeftStepReport* report) {
  const HeftStepReport start = *report;
  heft_impacts_prepare(&x->constraints->round, &x->constraints->set);
  if (solve_with_limits(x, v, report)) return 1;
  for (int round = 0, more = 1; round < STIFFEN_ROUNDS && more; ++round) {
    more = stiffen(x);
    if (more < 0) return 1;
    if (more == 0) break;
    *report = start;
    if (solve_with_limits(x, v, report)) return 1;
  }
  heft_cross_tree_tendons_judge(x->drives->tendon_constraints, x->in, v, report);
  return 0;
}

void heft_velocities_fall_asleep(Constraints* c, const StepInput* in) {
  if (c->contact_model || !in->def->sleep) return;
  heft_rest_fall_asleep(&c->islands, &c->set, &c->solution, c->sleep_cache);
}

void heft_velocities_store(Constraints* c, const StepInput* in) {
  heft_warm_start_store(&c->warm_start, c->model, &c->set, c->solution.impulse,
                        c->contact_model ? c->model_memory : NULL, c->solvers.pool);
  if (c->contact_model) return;
  heft_static_friction_note(&c->set, in, c->islands.of_constraint, &c->solution, &c->warm_start);
}
