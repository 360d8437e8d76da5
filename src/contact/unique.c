// SPDX-License-Identifier: Apache-2.0
// The solution of equal compliance (equal.c) as the main method for robots and small islands: a few
// Newton steps from the contact states of the warm impulses. Where the warm impulses are far and
// something slips, sweeps find better states; where the steps find no way through the states, a
// softer problem does. If all that fails, other phases look for any solution (phases.c), and its
// contact states are the next start.
#include "contact/unique.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "contact/newton/equal.h"
#include "contact/phases.h"
#include "contact/sweep/gauss_seidel.h"
#include "contact/sweep/joint_sweep.h"
#include "contact/warm_check.h"

enum {
  TREES_MAX = 16,         // larger problems keep the solution that they find
  CONSTRAINTS_MAX = 256,  // the same
  EXPENSIVE = 25,         // sweeps per Newton step above which the same holds
  SWEEPS = 6,             // sweeps for better states
  STEPS = 10,             // Newton steps from the warm states
  SOFT_STEPS = 12,        // Newton steps with each κ afterwards
  REFINES = 4,            // proximal points until the tolerance is met ...
  CLOSER = 3,             // ... and after that, towards the goal of polishing
  REST_STEPS = 20,        // Newton steps with each κ for bodies at rest
  REST_REFINES = 12,      // proximal points for them
  REFINE_STEPS = 10       // Newton steps of each
};
static const double KAPPA = 1e-7,  // compliance relative to w: below the usual tolerance
    KAPPA_SOFT = 1e-3,             // of the softer problem
    KAPPA_CLOSER = 1e-5,           // of points beyond the tolerance
    KAPPA_REST = 1e-10,            // of bodies at rest, at least
    LOOSE_SOFT = 0.02,             // error of its solution, relative
    LOOSE = 1e-7,                  // error of the solution, relative
    SURE = 0.1,                    // residual from which states are not trusted if all stick ...
    SLIPPING = 1e-3,               // ... and if something slips
    SLOW = 10,                     // times the tolerance: a touching point is not opening
    INSIDE = 1e-10,                // of the square of a radius: a point is clear of its limit
    AT_LIMIT = 1e-6,               // the same: a point is at its limit
    TOUCHING = 10,                 // g h: speed of a point that opens and may have touched
    APART = 100,                   // times the tolerance: two motions differ
    GOAL = 0.03;                   // of POLISHED

int unique_fits(const HeftContactSolverDef* def, const HeftContactProblem* p) {
  return def->method == HEFT_CONTACT_METHOD_AUTO && !p->block_start &&
         !heft_contact_problem_yields(p) && p->tree_count <= TREES_MAX &&
         p->constraint_count <= CONSTRAINTS_MAX;
}

int unique_keeps(const HeftContactProblem* p, const double* u, double tolerance) {
  const double slow = SLOW * tolerance * problem_reference(p);
  const double inside = 1 - (p->at_rest ? AT_LIMIT : INSIDE);
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    const double *r = p->warm + c->row, *v = u + c->row;
    if (c->type != HEFT_CONSTRAINT_POINT) continue;
    if (!(r[0] > 0)) {
      if (!p->at_rest && v[0] <= slow) return 0;
      continue;
    }
    const double coupled = c->mu * r[0];
    if (!(r[1] * r[1] + r[2] * r[2] < inside * coupled * coupled)) return 0;
  }
  return 1;
}

// ---- one point of equal compliance

static int any_at_limit(const Core* core, const double* r) {
  for (int i = 0; i < core->constraints; ++i) {
    const double *own = r + core->slot[i], coupled = core->cone[i].mu[0] * own[0];
    if (core->is_point[i] && own[0] > 0 &&
        own[1] * own[1] + own[2] * own[2] >= (1 - AT_LIMIT) * coupled * coupled)
      return 1;
  }
  return 0;
}

// Stores core->r, whose residual is known, as the best.
static void keep(Run* run, double residual) {
  const Core* core = &run->s->core;
  run->best = run->last = residual;
  memcpy(run->s->best, core->r, sizeof(double) * (size_t)core->slots);
  run->fresh = 1;
  run->result.status = HEFT_CONTACT_SOLVED;
}

static void count_step(Run* run, int cost) {
  run->result.effort += cost;
  run->result.newton_steps++;
}

// At most `count` steps to the point of κ from the states of core->r. Returns 1 if it is reached.
static int find_point(Run* run, EqualLaw law, double kappa, int cost, int count, double loose) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  if (run_spent(run, cost)) return 0;
  core_velocity(core, core->r, core->z, run->s->u);
  if (!equal_begin(newton, core, law, kappa, run->s->u)) return 0;
  for (int k = 0;; ++k) {
    count_step(run, cost);
    if (equal_reached(newton, core, loose)) return 1;
    if (k == count || run_spent(run, cost)) break;
    if (!(k == 0 ? equal_correct(newton, core) : equal_step(newton, core))) break;
  }
  equal_take(newton, core);
  run_judge(run, 0);
  return 0;
}

// The next proximal point of core->r, whose velocities are run->s->u. Returns 1 if it is reached,
// or if bodies at rest come near it: their residual decides.
static int find_closer(Run* run, double kappa, int cost) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int count = newton->rests ? REST_STEPS : REFINE_STEPS;
  equal_refine(newton, core, kappa, run->s->u);
  for (int k = 0; !equal_reached(newton, core, 0); ++k) {
    if (run_spent(run, cost)) return 0;
    if (k == count || !equal_step(newton, core)) {
      if (newton->rests) equal_take(newton, core);
      return newton->rests;
    }
    count_step(run, cost);
  }
  return 1;
}

// The residual at which no further point is needed.
static double goal_of(const Run* run) {
  const double tolerance = run->stop->tolerance;
  return run->stop->polish > 0 ? fmin(GOAL * POLISHED, tolerance) : tolerance;
}

// κ of the next point. Beyond the tolerance points yield more, so that rounding of u, whose 1/κ is
// added to r, is smaller. Bodies that rest near their limit yield less and less: the velocity of a
// point is κ times a large number there, while r is on its way to the only forces that hold.
static double next_kappa(const Run* run, int near_limit, double best) {
  if (near_limit) return fmax(KAPPA_REST, 0.1 * run->s->newton.kappa);
  return best < HUGE_VAL ? KAPPA_CLOSER : KAPPA;
}

// From the point core->r to one that meets the tolerance, and the goal of polishing if it can.
// Returns 1 if the tolerance is met.
static int meet_tolerance(Run* run, int cost) {
  Core* core = &run->s->core;
  const int near_limit = run->s->newton.rests && any_at_limit(core, core->r),
            refines = near_limit ? REST_REFINES : REFINES,
            closer = near_limit ? REST_REFINES : CLOSER;
  const double tolerance = run->stop->tolerance, goal = goal_of(run);
  double best = HUGE_VAL, last = HUGE_VAL;
  for (int count = 0;; ++count) {
    const double residual = core_residual(core, core->r, core->z, run->s->u);
    if (residual <= tolerance && residual < best) keep(run, best = residual);
    if (residual > tolerance) run_judge(run, 0);
    if (residual <= goal) return 1;
    if (near_limit && residual > 0.5 * last) break;  // they cannot rest, or not closer
    last = residual;
    if (count >= (best < HUGE_VAL ? closer : refines)) break;
    run->fresh = 0;
    if (!find_closer(run, next_kappa(run, near_limit, best), cost)) break;
  }
  run->fresh = 0;
  if (best == HUGE_VAL) return 0;
  if (run->result.status == HEFT_CONTACT_EFFORT_SPENT) run->result.status = HEFT_CONTACT_SOLVED;
  return 1;
}

// ---- the solve

static void sweep_for_states(Run* run) {
  Core* core = &run->s->core;
  if (core->by_joints) {
    joint_sweep(core, SWEEPS);
  } else {
    if (!(core->proximal > 0)) core_factor(core, run->s->def.proximal);
    for (int k = 0; k < SWEEPS; ++k) sweep(core, core->r, core->z);
  }
  run->result.sweeps += SWEEPS;
  run->result.effort += SWEEPS;
  run_judge(run, SWEEPS);
}

// The effort of a step, or 0 if there can be none.
static int cost_of_step(Run* run) {
  const Core* core = &run->s->core;
  if (!core->by_effectors || core->holds || !newton_prepare(&run->s->newton, core)) return 0;
  const int cost = phases_newton_cost(run);
  return cost > EXPENSIVE ? 0 : cost;
}

static int solve_softly(Run* run, int cost) {
  run_restore_best(run);
  return find_point(run, EQUAL_COULOMB, KAPPA_SOFT, cost, SOFT_STEPS, LOOSE_SOFT) &&
         find_point(run, EQUAL_COULOMB, KAPPA, cost, SOFT_STEPS, LOOSE) &&
         meet_tolerance(run, cost);
}

static int solve_law(Run* run, int cost) {
  return find_point(run, EQUAL_COULOMB, KAPPA, cost, STEPS, LOOSE) && meet_tolerance(run, cost);
}

// ---- is there another motion?

// r := -W⁻¹ b of a point, which then sticks. Returns whether it is in the cone, and not zero.
static int sticks(const double* w, double mu, const double* b, double* r) {
  const double c0 = w[7] * w[14] - w[8] * w[8], c1 = w[2] * w[8] - w[1] * w[14],
               c2 = w[1] * w[8] - w[2] * w[7], det = w[0] * c0 + w[1] * c1 + w[2] * c2;
  if (!(det > 0)) return 0;
  r[0] = -(c0 * b[0] + c1 * b[1] + c2 * b[2]) / det;
  r[1] =
      -(c1 * b[0] + (w[0] * w[14] - w[2] * w[2]) * b[1] + (w[1] * w[2] - w[0] * w[8]) * b[2]) / det;
  r[2] =
      -(c2 * b[0] + (w[1] * w[2] - w[0] * w[8]) * b[1] + (w[0] * w[7] - w[1] * w[1]) * b[2]) / det;
  return r[0] > 0 && r[1] * r[1] + r[2] * r[2] <= mu * mu * r[0] * r[0];
}

// The rod of Painlevé opens or sticks by the same law. So does any point, as far as its own W_ii
// and the impulses of all others decide: one that its own impulse does not push apart would open
// without it; one that touches without load may be pressed down by its own friction, if w_nn <= µ
// |w_nt|. (A third solution, which slips, lies between these two.) Writes the other impulse of
// point i, if there is one.
static int may_change(const Core* core, int i, const double* r, const double* u, double touching,
                      double* other) {
  const double *w = core->diagonal + 36 * i, mu = core->cone[i].mu[0];
  if (r[0] > 0) {
    other[0] = other[1] = other[2] = 0;
    return w[0] * r[0] + w[1] * r[1] + w[2] * r[2] <= 0;
  }
  return u[0] <= touching && w[0] * w[0] <= mu * mu * (w[1] * w[1] + w[2] * w[2]) &&
         sticks(w, mu, u, other);
}

// core->r := the solution `r` with the other impulses of all points that have one. u: its
// velocities. Returns whether there are any.
static int change_states(Core* core, const double* r, const double* u) {
  const double touching = TOUCHING * core->problem->velocity_scale;
  int any = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i];
    double other[3];
    if (!core->is_point[i] || !may_change(core, i, r + at, u + at, touching, other)) continue;
    if (!any) memcpy(core->r, r, sizeof(double) * (size_t)core->slots);
    memcpy(core->r + at, other, sizeof other);
    any = 1;
  }
  return any;
}

// 1 if the velocities u are another motion than that of the first solution.
static int is_another(const Run* run, const double* u) {
  const Core* core = &run->s->core;
  const double* first = run->s->newton.tangent;
  double worst = 0;
  for (int k = 0; k < core->slots; ++k) worst = fmax(worst, fabs(u[k] - first[k]));
  return worst > APART * run->stop->tolerance * core->reference;
}

// Solves once more, from core->r, and compares the motions; the first one stays.
static void look_for_another(Run* run, int cost, int (*solve)(Run*, int)) {
  Core* core = &run->s->core;
  const size_t bytes = sizeof(double) * (size_t)core->slots;
  double *first = run->s->newton.base, *motion = run->s->newton.tangent;
  const Run before = *run;
  HeftContactTermination rough = *run->stop;
  rough.polish = 0;
  memcpy(first, run->s->best, bytes);
  core_state(core, first, core->z);
  core_velocity(core, first, core->z, motion);
  core_state(core, core->r, core->z);
  run->best = HUGE_VAL;
  run->stop = &rough;
  run_judge(run, 0);
  const int found = solve(run, cost);
  core_state(core, run->s->best, core->z);
  core_velocity(core, run->s->best, core->z, run->s->u);
  const int differs = found && is_another(run, run->s->u);
  const HeftContactResult after = run->result;
  *run = before;
  run->result.effort = after.effort;
  run->result.sweeps = after.sweeps;
  run->result.newton_steps = after.newton_steps;
  run->result.not_unique = differs;
  run->fresh = 0;
  memcpy(run->s->best, first, bytes);
}

// ---- all together

// Near the limit of what the cones can hold, most points are at their limit, and Newton steps find
// them on the way from soft to hard.
static int find_rest(Run* run, int cost) {
  static const double kappas[] = {0.1, 1e-3, 1e-5};
  if (find_point(run, EQUAL_REST, KAPPA, cost, STEPS, LOOSE)) return 1;
  run_restore_best(run);
  for (int k = 0; k < 3; ++k) {
    if (!find_point(run, EQUAL_REST, kappas[k], cost, REST_STEPS, LOOSE_SOFT)) return 0;
  }
  return find_point(run, EQUAL_REST, KAPPA, cost, REST_STEPS, LOOSE);
}

// Another motion, by Coulomb's law, from soft to hard. If it is the first one when bodies are
// nearly hard, there is none.
static int solve_from_sweeps(Run* run, int cost) {
  static const double kappas[] = {0.1, 1e-3, 1e-5};
  Core* core = &run->s->core;
  if (run_spent(run, SWEEPS)) return 0;
  sweep_for_states(run);
  for (int k = 0; k < 3; ++k) {
    if (!find_point(run, EQUAL_COULOMB, kappas[k], cost, REST_STEPS, k < 2 ? LOOSE_SOFT : LOOSE))
      return 0;
  }
  core_velocity(core, core->r, core->z, run->s->u);
  if (!is_another(run, run->s->u)) return 0;
  return find_point(run, EQUAL_COULOMB, KAPPA, cost, REST_STEPS, LOOSE) &&
         meet_tolerance(run, cost);
}

// Bodies at rest that can rest. Warm impulses that are good enough were found for bodies at rest.
static int solve_rest(Run* run, int cost) {
  Core* core = &run->s->core;
  if (run->best <= fmin(RESTING, run->stop->tolerance)) {
    run->result.status = HEFT_CONTACT_SOLVED;
  } else if (!find_rest(run, cost) || !meet_tolerance(run, cost)) {
    if (run->result.status != HEFT_CONTACT_DEADLINE) run->result.status = HEFT_CONTACT_SOLVED;
    run_restore_best(run);
    return 0;
  }
  if (any_at_limit(core, run->s->best)) {  // then it may also move
    memset(core->r, 0, sizeof(double) * (size_t)core->slots);
    core_project(core, core->r);
    look_for_another(run, cost, solve_from_sweeps);
  }
  return 1;
}

static int solve_motion(Run* run, int cost) {
  if (!solve_law(run, cost) && !solve_softly(run, cost)) return 0;
  if (change_states(&run->s->core, run->s->best, run->s->u)) look_for_another(run, cost, solve_law);
  return 1;
}

int unique_solve(Run* run) {
  Core* core = &run->s->core;
  const int cost = cost_of_step(run);
  if (cost == 0) return 0;
  if (core->problem->at_rest && solve_rest(run, cost)) return 1;
  if (!(run->best < (phases_all_stick(core) ? SURE : SLIPPING))) {
    if (run_spent(run, SWEEPS)) return 0;
    sweep_for_states(run);
  }
  return solve_motion(run, cost);
}

int unique_again(Run* run) {
  const int cost = cost_of_step(run);
  if (cost == 0) return 0;
  run_restore_best(run);
  return solve_motion(run, cost);
}
