// SPDX-License-Identifier: Apache-2.0
// Newton steps converge fast near a solution and not at all far from it; sweeps approach it cheaply
// and converge slowly. So a solve has phases, each of which ends when it no longer gains
// (docs/theory/contact.md, section 5; docs/decisions/021-contact-portfolio.md).
#include "contact/phases.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "contact/newton/primal.h"
#include "contact/sweep/gauss_seidel.h"
#include "contact/sweep/joint_sweep.h"
#include "contact/sweep/nesterov.h"

// Every constant trades effort on one kind of problem for effort on another.
// docs/internals/contact.md states the effect of half and twice its value, as measured by
// tools/tune_constants.py.
// Counts of sweeps and steps:
enum {
  REFRESH = 64,          // sweeps until z is computed anew: rounding against a product with W
  EXPENSIVE = 25,        // sweeps per Newton step from which sweeps go first: large problems
  PATIENCE = 4,          // polishing without a halved residual until it ends
  FINISH_STEPS = 4,      // a quarter of the Newton steps from warm impulses without a halving
  FINISH_SWEEPS = 32,    // sweeps from warm impulses; about as expensive as those steps
  FEW_SWEEPS = 8,        // sweeps before them
  FEW_NEWTON = 20,       // the same where Newton steps are expensive: as many as cost these ...
  FEW_PATIENCE = 4,      // ... unless the residual does not halve in the time of these
  JOINT_SWEEPS = 12,     // the same in joint space, where they are cheap
  JOINT_PORTION = 4,     // of them between two looks at the clock
  PRIMAL_STEPS = 240,    // their Newton steps
  JOINT_COST = 4,        // effort of one of them with a dense factor in joint space
  AGAIN_SWEEPS = 60,     // sweeps in joint space before a second attempt
  PRIMAL_INNER = 25,     // Newton steps of one point
  FINISH_TREES = 300,    // trees from which Newton steps are taken for expensive without counting
  FIRST_SWEEPS = 250,    // accelerated sweeps before the first Newton step ...
  FIRST_PATIENCE = 20,   // ... which end so long after the last halving of the residual
  MANY_PATIENCE = 40,    // the same where Newton steps are expensive
  SMOOTH_STEPS = 100,    // steps with rounded cones from near a solution ...
  SMOOTH_PATIENCE = 30,  // ... which end so long after the last halving
  ZERO_STEPS = 200,      // steps with rounded cones from zero impulses
  FEW_ZERO = 100,        // the same where proximal points fail
  MOMENTUM_SWEEPS = 300  // sweeps of the first round of momentum
};
// Proximal parameters κ, relative to w, and how far cones are rounded, relative to the residual:
static const double KAPPA_SMOOTH = 0.1,  // rounded cones: regular against fast
    KAPPA_WARM = 1e-3,                   // the same from warm impulses
    ROUNDED = 0.3,                       // far from a solution: smooth against close
    ROUNDED_WARM = 0.03,                 // from warm impulses
    KAPPA_PRIMAL = 0.01,                 // proximal points: few steps against short ones
    KAPPA_DISTANT = 0.1,                 // the same from a residual above DISTANT
    KAPPA_POLISH = 1e-3,                 // after the tolerance: rounding of u adds its 1/κ to r
    KAPPA_AGAIN = 1,                     // the same in a second attempt
    PRIMAL_MIN = 1e-6,                   // bound of their κ
    PRIMAL_FALL = 0.3,                   // factor of κ after a point that gained much
    PRIMAL_SLOW = 0.5,                   // the same after one that gained little
    PRIMAL_RISE = 5,                     // and after one that was not reached
    PRIMAL_DONE = 0.3,                   // error of a point that is good enough, of the tolerance
    PRIMAL_WORSE = 100;                  // times the best residual: a point that is given up
// Residuals at which the method changes, relative:
static const double FAR = 0.1,  // a point has gained if the residual falls by this factor
    DISTANT = 0.01,             // a larger residual needs a larger κ of proximal points
    COLD = 0.1,                 // warm impulses with a larger residual are not used
    NEAR = 1e-3,                // sweeps below it are continued by rounded cones, else from zero
    NEARER = 1e-5,              // long runs of rounded cones from here on
    GROWTH = 2,                 // momentum restarts if |f| rises above its lowest by this factor
    STICKING = 0.99,            // share of µ² r_n² below which a contact is far from slipping
    RAISED = 100;               // coefficients of extrapolation after which z is not trusted

// Multiplications of a sweep, by twenty. A contact of a large tree multiplies its wrench by the Ω
// of all effectors of the tree.
static double blocks_of_sweep(const Core* core) {
  if (!core->by_effectors) return core->row_start[core->constraints];
  double blocks = 12.0 * core->constraints;
  for (int i = 0; i < core->constraints && core->hanging; ++i) {
    for (int s = 0; s < 2; ++s) {
      const int m = core->effector[2 * i + s], tree = m >= 0 ? core->tree_of[m] : 0;
      if (m >= 0 && core->coupled[i].count[s] == HANGS)
        blocks += 36.0 / 20 * (core->tree_first[tree + 1] - core->tree_first[tree]);
    }
  }
  return blocks;
}

// By counting multiplications.
int phases_newton_cost(Run* run) {
  const Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  if (!newton_prepare(newton, core)) return INT_MAX;
  if (newton->joints.dense) return JOINT_COST;
  return 2 + (int)fmin(1e6, newton_effort(newton) / (20 * blocks_of_sweep(core)));
}

// ---- phases: each returns 1 when the solve is over

typedef int Accelerate(Anderson* a, Core* core);

// At most `count` sweeps; ends early if the residual has not halved in `patience` sweeps.
static int sweep_phase(Run* run, Accelerate* accelerate, int count, int patience) {
  Core* core = &run->s->core;
  Anderson* a = &run->s->anderson;
  double goal = 0.5 * run->best;
  int since = 0;
  anderson_restart(a);
  if (!(core->proximal > 0)) core_factor(core, run->s->def.proximal);
  for (int k = 0; k < count; ++k) {
    if (run_spent(run, 1)) return 1;
    if (k % REFRESH == REFRESH - 1) anderson_refresh(a, core, core->r, core->z);
    anderson_before(a, core->r);
    sweep(core, core->r, core->z);
    run->result.effort++;
    run->result.sweeps++;
    const int age = a->raised > RAISED ? INT_MAX : k % REFRESH + 2;
    if (run_judge_until(run, age, run->best)) return 1;
    if (accelerate && accelerate(a, core) > 0) run->result.accelerations++;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
    if (since >= patience) break;
  }
  return 0;
}

// At most `count` Newton steps with rounded cones from the present r; ends early if the residual
// has not halved in `patience` steps. `rounded`: rounding of the cones, relative to the residual.
static int smooth_phase(Run* run, double kappa, double sigma, double rounded, int count,
                        int patience) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = phases_newton_cost(run);
  const double residual = core_residual(core, core->r, core->z, run->s->u);
  double goal = 0.5 * run->best;
  if (!newton_smooth_start(newton, core, kappa, sigma, rounded * residual)) return 0;
  for (int k = 0, since = 0; k < count && since < patience; ++k) {
    if (run_spent(run, cost)) return 1;
    const NewtonEnd end = newton_smooth_step(newton, core);
    run->result.effort += cost;
    run->result.newton_steps++;
    if (end == NEWTON_UNABLE) break;
    if (end == NEWTON_POINT && run_judge(run, 0)) return 1;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
  }
  run_restore_best(run);
  return 0;
}

// The same with strongly rounded cones, from zero impulses.
static int smooth_from_zero(Run* run, double sigma, int count) {
  Core* core = &run->s->core;
  memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  return smooth_phase(run, KAPPA_SMOOTH, sigma, ROUNDED, count, count);
}

int phases_all_stick(const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    if (!core->is_point[i]) continue;
    const double *r = core->r + core->slot[i], coupled = core->cone[i].mu[0] * r[0];
    if (!(r[1] * r[1] + r[2] * r[2] < STICKING * (coupled * coupled))) return 0;
  }
  return 1;
}

// From good warm impulses, slightly rounded cones and a small κ need a few Newton steps. Sweeps go
// first as long as each halving of the residual takes no more than its share of FINISH_SWEEPS.
static int warm_phase(Run* run) {
  const Core* core = &run->s->core;
  if (!core->by_effectors || core->trees > FINISH_TREES || !(run->best < COLD)) return 0;
  int halvings = 1;
  for (double e = run->best; e > run->stop->tolerance && halvings < 64; e *= 0.5) ++halvings;
  const int share = FINISH_SWEEPS / halvings;
  if (sweep_phase(run, anderson_after, FINISH_SWEEPS, share > 2 ? share : 2)) return 1;
  if (phases_newton_cost(run) > EXPENSIVE) return 0;
  run_restore_best(run);
  return smooth_phase(run, KAPPA_WARM, 0.1, ROUNDED_WARM, 10 * FINISH_STEPS, 2 * FINISH_STEPS);
}

// At most `count` Newton steps towards proximal points (primal.c), from the present r. κ falls with
// the residual; it rises when a point is not reached in PRIMAL_INNER steps. The residual of a point
// may be larger than that of the last one, but not by far.
static int primal_phase(Run* run, double kappa, int count) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = phases_newton_cost(run);
  if (cost == INT_MAX) return 0;
  const double done = PRIMAL_DONE * run->stop->tolerance * core->reference;
  double before = core_residual(core, core->r, core->z, run->s->u);
  primal_begin(newton, core, kappa, run->s->u);
  for (int k = 0; k < count; ++k) {
    if (run_spent(run, cost)) return 1;
    const PrimalEnd end = primal_step(newton, core, done);
    run->result.effort += cost;
    run->result.newton_steps++;
    if (end == PRIMAL_STEP && newton->inner < PRIMAL_INNER) continue;
    if (end == PRIMAL_POINT && run_judge(run, 0)) return 1;
    if (end == PRIMAL_POINT && run->last < PRIMAL_WORSE * run->best) {
      kappa = fmax(PRIMAL_MIN, kappa * (run->last < FAR * before ? PRIMAL_FALL : PRIMAL_SLOW));
      before = run->last;
    } else {
      kappa = fmin(1, PRIMAL_RISE * kappa);
      run_restore_best(run);
      before = core_residual(core, core->r, core->z, run->s->u);
    }
    primal_begin(newton, core, kappa, run->s->u);
  }
  run_restore_best(run);
  return 0;
}

// The same sweeps in joint space, without acceleration. The clock is read every few of them, the
// residual is evaluated at the end.
static int joint_sweep_phase(Run* run, int count) {
  for (int done = 0; done < count; done += JOINT_PORTION) {
    if (run_spent(run, JOINT_PORTION)) {
      if (done > 0) run_judge(run, done);
      return 1;
    }
    joint_sweep(&run->s->core, JOINT_PORTION);
    run->result.effort += JOINT_PORTION;
    run->result.sweeps += JOINT_PORTION;
  }
  return run_judge(run, count);
}

// Sweeps before proximal points. If a Newton step is expensive, as in a large tree of many
// effectors, they go on while the residual halves in the time of a few.
static int few_sweeps(Run* run) {
  const int ratio = phases_newton_cost(run), expensive = ratio > EXPENSIVE;
  return sweep_phase(run, anderson_after, expensive ? FEW_NEWTON * ratio : FEW_SWEEPS,
                     expensive ? FEW_PATIENCE * ratio : FEW_SWEEPS);
}

// Proximal points in joint space, in two attempts.
static int joint_points(Run* run) {
  const double kappa = run->best > DISTANT ? KAPPA_DISTANT : KAPPA_PRIMAL;
  if (primal_phase(run, kappa, PRIMAL_STEPS)) return 1;
  if (joint_sweep_phase(run, AGAIN_SWEEPS)) return 1;
  return primal_phase(run, KAPPA_AGAIN, PRIMAL_STEPS);
}

// Islands of few trees, robots above all: a few sweeps find most contact states, proximal points
// the others. Where the states of a robot change from point to point without end, rounded cones
// find them from zero impulses. The compliance of a start (all rows) needs less; the softness of
// materials (normal rows alone) leaves friction as hard as it is in rigid contact.
static int few_phases(Run* run) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int compliant = core->problem->compliance > 0;
  if (!core->by_effectors || core->trees > FEW_TREES) return 0;
  if (!newton_prepare(newton, core)) return 0;
  if (compliant && core->by_joints) return primal_phase(run, PRIMAL_MIN, PRIMAL_STEPS);
  if (compliant) return 0;
  const int swept = run->result.sweeps >= HEAP_SWEEPS;
  if (!swept && (core->by_joints ? joint_sweep_phase(run, JOINT_SWEEPS) : few_sweeps(run)))
    return 1;
  if (core->by_joints ? joint_points(run) : primal_phase(run, KAPPA_PRIMAL, PRIMAL_STEPS)) return 1;
  if (core->trees > ZERO_TREES || phases_newton_cost(run) > EXPENSIVE) return 0;
  return smooth_from_zero(run, 0.1, FEW_ZERO);
}

// If a Newton step is expensive, longer runs of sweeps go first.
static int expensive_phases(Run* run, int longest) {
  if (sweep_phase(run, anderson_after, FIRST_SWEEPS, MANY_PATIENCE)) return 1;
  run->s->anderson.growth = HUGE_VAL;
  const int over = sweep_phase(run, momentum_after, 12 * longest, 100 + 2 * longest);
  run->s->anderson.growth = GROWTH;
  return over;
}

// Islands of trees: proximal points, with runs of momentum between one attempt and the next, which
// bring the iterate closer. Returns 0 if the solve is not over, because there can be none.
static int tree_phases(Run* run) {
  const Core* core = &run->s->core;
  if (!core->by_effectors || core->trees > FEW_TREES || core->problem->compliance > 0) return 0;
  if (!newton_prepare(&run->s->newton, core)) return 0;
  for (int count = MOMENTUM_SWEEPS;; count += count / 3) {
    if (few_phases(run) || sweep_phase(run, momentum_after, count, count)) return 1;
  }
}

// Other problems: sweeps with Anderson acceleration; then Newton steps with rounded cones, from the
// best iterate if it is near a solution and from zero otherwise. The problems left are piles whose
// curves have turning points. For them momentum and Newton steps alternate with growing effort:
// momentum brings the iterate closer, which helps Newton, and neither delays the other for long.
static void auto_phases(Run* run) {
  static const double sigmas[] = {0.03, 0.03, 1, 0.01, 0.1, 0.1};
  if (tree_phases(run) || few_phases(run) || warm_phase(run)) return;
  // with many trees Newton steps are expensive, and counting their effort is expensive too
  const int many = run->s->core.by_effectors && run->s->core.trees > FINISH_TREES;
  if (sweep_phase(run, anderson_after, FIRST_SWEEPS, many ? MANY_PATIENCE : FIRST_PATIENCE)) return;
  const int ratio = phases_newton_cost(run), longest = ratio < 1000 ? ratio : 1000;
  if (ratio > EXPENSIVE && expensive_phases(run, longest)) return;
  if (ratio < INT_MAX && run->best < NEAR &&
      smooth_phase(run, KAPPA_SMOOTH, 0.1, ROUNDED, SMOOTH_STEPS, SMOOTH_PATIENCE))
    return;
  if (ratio < INT_MAX && smooth_from_zero(run, 0.1, ZERO_STEPS)) return;
  int count = MOMENTUM_SWEEPS + 5 * longest;
  for (int round = 0;; ++round, count += count / 3) {
    if (sweep_phase(run, momentum_after, count, count)) return;
    const int steps = run->best < NEARER && count < 1000 ? 1000 : count;
    if (ratio < INT_MAX && smooth_from_zero(run, sigmas[round % 6], steps)) return;
  }
}

void phases_run(Run* run) {
  anderson_begin(&run->s->anderson, &run->s->core);
  run->s->anderson.growth = GROWTH;
  switch (run->s->def.method) {
    case HEFT_CONTACT_METHOD_SWEEP:
      sweep_phase(run, NULL, INT_MAX, INT_MAX);
      break;
    case HEFT_CONTACT_METHOD_ACCELERATED:
      if (sweep_phase(run, anderson_after, 300, 60)) break;
      sweep_phase(run, momentum_after, INT_MAX, INT_MAX);
      break;
    case HEFT_CONTACT_METHOD_NEWTON:
      if (sweep_phase(run, anderson_after, 20, 20)) break;
      while (!smooth_from_zero(run, 0.1, ZERO_STEPS)) {
        if (sweep_phase(run, momentum_after, 20, 20)) break;
      }
      break;
    default:
      auto_phases(run);
      break;
  }
}

// ---- after the tolerance is met

// By Newton steps, which reach rounding where the contacts stay in their states; sweeps spend what
// effort is left.
void phases_polish(Run* run) {
  const HeftContactTermination* given = run->stop;
  const HeftContactTermination goal = {.tolerance = POLISHED};
  const int end = run->result.effort + given->polish;
  const int effort_max = run->effort_max;
  run->stop = &goal;
  run->effort_max = end < effort_max ? end : effort_max;
  run_restore_best(run);
  run->last = core_residual(&run->s->core, run->s->core.r, run->s->core.z, run->s->u);
  if (run->s->core.by_effectors) primal_phase(run, KAPPA_POLISH, PRIMAL_STEPS);
  if (run->best > POLISHED) {
    anderson_begin(&run->s->anderson, &run->s->core);
    sweep_phase(run, anderson_after, given->polish, PATIENCE);
  }
  run->stop = given;
  run->effort_max = effort_max;
  run->fresh = 0;
  // a solve that the clock has ended must be reported as such, so that a replay can repeat it
  if (run->result.status != HEFT_CONTACT_DEADLINE) run->result.status = HEFT_CONTACT_SOLVED;
}
