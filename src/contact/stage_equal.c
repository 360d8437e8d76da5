// SPDX-License-Identifier: Apache-2.0
// The solution of equal compliance (equal.c) as the main method for robots and small islands: a few
// Newton steps from the contact states of the warm impulses. Where the warm impulses are far and
// something slips, sweeps find better states; where the steps find no way through the states, a
// softer problem does. If all that fails, other stages look for any solution, and its contact
// states are the next start.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/newton/equal.h"
#include "contact/stages.h"
#include "contact/warm_check.h"

static const double SLOW = 10,  // times the tolerance: a touching point is not opening
    TOUCHING = 10,              // g h: speed of a point that opens and may have touched
    APART = 100,                // times the tolerance: two motions differ
    GOAL = 0.03;                // of POLISHED

int equal_fits(const HeftContactSolverDef* def, const HeftContactProblem* p) {
  return def->method == HEFT_CONTACT_METHOD_AUTO && !p->block_start &&
         !heft_contact_problem_yields(p) && p->tree_count <= N.trees_equal;
}

// 1 if the impulse of a point is inside of its cone, clear of its limit.
static int is_inside(const double* r, double mu) {
  const double coupled = mu * r[0];
  return r[1] * r[1] + r[2] * r[2] < (1 - N.at_limit) * coupled * coupled;
}

int equal_keeps(const HeftContactProblem* p, const double* u, double tolerance) {
  const double slow = SLOW * tolerance * problem_reference(p);
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    const double *r = p->warm + c->row, *v = u + c->row;
    if (c->type != HEFT_CONSTRAINT_POINT) continue;
    if (!(r[0] > 0)) {
      if (!p->at_rest && v[0] <= slow) return 0;
      continue;
    }
    if (!is_inside(r, c->mu)) return 0;
  }
  return 1;
}

// ---- one point of equal compliance

static int any_at_limit(const Core* core, const double* r) {
  for (int i = 0; i < core->constraints; ++i) {
    const double* own = r + core->slot[i];
    if (core->is_point[i] && own[0] > 0 && !is_inside(own, core->cone[i].mu[0])) return 1;
  }
  return 0;
}

// Stores core->r, whose residual is known, as the best.
static void keep(Run* run, double residual) {
  const Core* core = &run->s->core;
  HEFT_ASSERT(residual <= run->stop->tolerance);
  run->best = run->last = residual;
  memcpy(run->s->best, core->r, sizeof(double) * (size_t)core->slots);
  run->fresh = 1;
  run->result.status = HEFT_CONTACT_SOLVED;
}

static int may_step(Run* run, int cost) {
  if (!run_spend(run, cost)) return 0;
  run->result.newton_steps++;
  return 1;
}

// Steps to the point of κ, to κ of its distance, from the states of core->r. Returns 1 if it is
// reached.
static int find_point(Run* run, EqualLaw law, double kappa, int cost) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  HEFT_ASSERT(kappa > 0 && cost > 0);
  if (!may_step(run, cost)) return 0;
  core_velocity(core, core->r, core->z, run->s->u);
  if (!equal_begin(newton, core, law, kappa, run->s->u)) return 0;
  for (int k = 0;; ++k) {
    if (equal_reached(newton, core, kappa)) return 1;
    if (k == N.steps_equal || !may_step(run, cost)) break;
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
  equal_refine(newton, core, kappa, run->s->u);
  for (int k = 0; !equal_reached(newton, core, 0); ++k) {
    if (!may_step(run, cost)) return 0;
    if (k == N.steps_equal || !equal_step(newton, core)) {
      if (newton->rests) equal_take(newton, core);
      return newton->rests;
    }
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
  if (near_limit) return fmax(N.kappa_soft * N.kappa_equal, 0.1 * run->s->newton.kappa);
  return best < HUGE_VAL ? N.kappa_polish : N.kappa_equal;
}

// From the point core->r to one that meets the tolerance, and the goal of polishing if it can.
// Returns 1 if the tolerance is met.
static int meet_tolerance(Run* run, int cost) {
  Core* core = &run->s->core;
  const int near_limit = run->s->newton.rests && any_at_limit(core, core->r),
            points = near_limit ? N.steps_equal : N.points_equal;
  const double tolerance = run->stop->tolerance, goal = goal_of(run);
  double best = HUGE_VAL, last = HUGE_VAL;
  for (int count = 0;; ++count) {
    const double residual = core_residual(core, core->r, core->z, run->s->u);
    if (residual <= tolerance && residual < best) keep(run, best = residual);
    if (residual > tolerance) run_judge(run, 0);
    if (residual <= goal) return 1;
    if (near_limit && residual > 0.5 * last) break;  // they cannot rest, or not closer
    last = residual;
    if (count >= points) break;
    run->fresh = 0;
    if (!find_closer(run, next_kappa(run, near_limit, best), cost)) break;
  }
  run->fresh = 0;
  if (best == HUGE_VAL) return 0;
  if (run->result.status == HEFT_CONTACT_EFFORT_SPENT) run->result.status = HEFT_CONTACT_SOLVED;
  return 1;
}

// ---- the solve

// The effort of a step, or 0 if there can be none.
static int cost_of_step(Run* run) {
  const Core* core = &run->s->core;
  if (!core->by_effectors || core->holds || !newton_prepare(&run->s->newton, core)) return 0;
  const int cost = newton_cost(run);
  return cost > N.costly ? 0 : cost;
  HEFT_ASSERT(cost > 0);
}

static int solve_softly(Run* run, int cost) {
  run_restore_best(run);
  return find_point(run, EQUAL_COULOMB, N.kappa_soft, cost) &&
         find_point(run, EQUAL_COULOMB, N.kappa_equal, cost) && meet_tolerance(run, cost);
}

static int solve_law(Run* run, int cost) {
  return find_point(run, EQUAL_COULOMB, N.kappa_equal, cost) && meet_tolerance(run, cost);
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

// 1 if the velocities u are another motion than the first solution's.
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
  const Run after = *run;
  HEFT_ASSERT(after.result.effort >= before.result.effort);
  *run = before;
  run->clock = after.clock;
  run->result.effort = after.result.effort;
  run->result.sweeps = after.result.sweeps;
  run->result.newton_steps = after.result.newton_steps;
  run->result.not_unique = differs;
  run->fresh = 0;
  memcpy(run->s->best, first, bytes);
}

// ---- all together

// Near the limit of what the cones can hold, most points are at their limit, and Newton steps find
// them on the way from soft to hard.
static int find_softly(Run* run, EqualLaw law, int cost) {
  double kappa = N.kappa_far;
  while (kappa > N.kappa_equal) {
    if (!find_point(run, law, kappa, cost)) return 0;
    kappa *= 0.01;
  }
  return 1;
}

static int find_rest(Run* run, int cost) {
  if (find_point(run, EQUAL_REST, N.kappa_equal, cost)) return 1;
  run_restore_best(run);
  return find_softly(run, EQUAL_REST, cost) && find_point(run, EQUAL_REST, N.kappa_equal, cost);
}

// Another motion, by Coulomb's law, from soft to hard. If it is the first one when bodies are
// nearly hard, there is none.
static int solve_from_sweeps(Run* run, int cost) {
  Core* core = &run->s->core;
  if (sweeps_plain(run, N.sweeps_few) && !(run->best <= run->stop->tolerance)) return 0;
  if (!find_softly(run, EQUAL_COULOMB, cost)) return 0;
  core_velocity(core, core->r, core->z, run->s->u);
  return is_another(run, run->s->u) && find_point(run, EQUAL_COULOMB, N.kappa_equal, cost) &&
         meet_tolerance(run, cost);
}

// Bodies at rest that can rest. Warm impulses that are good enough were found for bodies at rest.
static int solve_rest(Run* run, int cost) {
  Core* core = &run->s->core;
  if (run->best <= fmin(RESTING, run->stop->tolerance)) {
    run->result.status = HEFT_CONTACT_SOLVED;
  } else if (!find_rest(run, cost) || !meet_tolerance(run, cost)) {
    run->result.status = HEFT_CONTACT_SOLVED;
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

// Returns whether all points have an impulse inside of their cone: no contact slips or opens.
static int all_stick(const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    if (core->is_point[i] && !is_inside(core->r + core->slot[i], core->cone[i].mu[0])) return 0;
  }
  return 1;
}

static int solve_equal(Run* run) {
  Core* core = &run->s->core;
  const int cost = cost_of_step(run);
  if (cost == 0) return 0;
  if (core->problem->at_rest && solve_rest(run, cost)) return 1;
  if (!(run->best < (all_stick(core) ? N.far : N.near))) {
    if (sweeps_plain(run, N.sweeps_few) && !(run->best <= run->stop->tolerance)) return 0;
  }
  return solve_motion(run, cost);
}

int equal_applies(Run* run, int round) { return round == 0 && equal_fits(&run->s->def, &run->p); }

int equal_run(Run* run, int round) {
  (void)round;
  run->result.equal = solve_equal(run);
  HEFT_ASSERT(!run->result.equal || run->best <= run->stop->tolerance);
  if (!run->result.equal && run->best < HUGE_VAL) run_restore_best(run);
  return run->result.equal || run->best <= run->stop->tolerance;
}

void equal_again(Run* run) {
  const int cost = equal_fits(&run->s->def, &run->p) ? cost_of_step(run) : 0;
  if (cost == 0) return;
  run_restore_best(run);
  run->result.equal = solve_motion(run, cost);
  run->result.status = HEFT_CONTACT_SOLVED;
}
