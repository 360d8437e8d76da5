// SPDX-License-Identifier: Apache-2.0
// Evaluates every iterate of a phase and stores the best one, which the solve returns whatever ends
// it. Effort is counted in sweeps. A unit of effort that would end after the deadline is not
// started.
#include "contact/run.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "contact/sweep/gauss_seidel.h"

enum { STALE = 16 };                  // sweeps after which z is recomputed before it is evaluated
static const double TRUSTED = 1e-10;  // tolerances below this, by steepness, always recompute z

int run_judge_until(Run* run, int age, double limit) {
  Core* core = &run->s->core;
  const double tolerance = run->stop->tolerance;
  double residual = core_residual_until(core, core->r, core->z, run->s->u, limit, &run->hot);
  if (residual <= tolerance && age > (tolerance < TRUSTED * run->steep ? 0 : STALE)) {
    core_state(core, core->r, core->z);
    residual = core_residual(core, core->r, core->z, run->s->u);
  }
  run->fresh = 0;
  run->last = residual;
  HEFT_ASSERT(!(residual < 0));
  if (residual < run->best) {
    run->best = residual;
    memcpy(run->s->best, core->r, sizeof(double) * (size_t)core->slots);
    run->fresh = residual <= tolerance;
  }
  HEFT_ASSERT(!(run->best > run->last));
  if (!(run->best <= tolerance)) return 0;
  run->result.status = HEFT_CONTACT_SOLVED;
  return 1;
}

int run_judge(Run* run, int age) { return run_judge_until(run, age, HUGE_VAL); }

// Returns whether another unit of effort would end after the deadline, if it lasts as long as the
// longest so far.
static int is_late(RunClock* clock) {
  const uint64_t now = heft_clock_ns();
  const uint64_t lasted = clock->mark ? now - clock->mark : 0;
  clock->longest = lasted > clock->longest / 2 ? lasted : clock->longest / 2;
  clock->search_ns += lasted;
  clock->mark = now;
  return now + clock->longest >= clock->deadline;
}

// Returns whether the clock refuses more effort, now or before.
static int is_over(Run* run) {
  RunClock* clock = &run->clock;
  if (clock->deadline && !clock->over)
    clock->over = is_late(clock) && run->result.effort >= run->stop->effort_min;
  return clock->over;
}

int run_spend(Run* run, int cost) {
  HEFT_ASSERT(cost >= 0);
  if (cost > run->effort_max - run->result.effort || is_over(run)) {
    run->result.status = HEFT_CONTACT_EFFORT_SPENT;
    return 0;
  }
  run->result.effort += cost;
  HEFT_ASSERT(run->result.effort <= run->effort_max);
  return 1;
}

void run_restore_best(Run* run) {
  Core* core = &run->s->core;
  HEFT_ASSERT(run->loaded);
  memcpy(core->r, run->s->best, sizeof(double) * (size_t)core->slots);
  core_state(core, core->r, core->z);
}

// ---- where to begin

// The warm impulses, in their cones, and z, which may be known already.
static void start_warm(Run* run) {
  Core* core = &run->s->core;
  const size_t slots = (size_t)core->slots * sizeof(double);
  const int twists = EFFECTOR_PAD * core->effectors;  // joint velocities follow two of them
  memcpy(core->r, core->warm, slots);
  core_project(core, core->r);
  if (!run->known || core->dense || memcmp(core->r, core->warm, slots) != 0) {
    core_state(core, core->r, core->z);
    return;
  }
  if (core->by_joints) {
    memcpy(core->z, core->twists + 2 * twists, (size_t)core->dofs * sizeof(double));
    return;
  }
  memcpy(core->z, core->twists, (size_t)twists * sizeof(double));
  memset(core->z + twists, 0, (size_t)(core->states - twists) * sizeof(double));
}

void run_start(Run* run) {
  Core* core = &run->s->core;
  const HeftContactProblem* p = &run->p;
  run->best = HUGE_VAL;
  HEFT_ASSERT(run->steep >= 1);
  if (p->warm) {
    start_warm(run);
    const int solved = run_judge(run, 0);
    run->result.start = run->best;
    if (solved || run->best < 0.1) return;
    memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  }
  const double warm = run->best;
  core_state(core, core->r, core->z);
  run_judge(run, 0);
  if (run->best == HUGE_VAL) {  // no residual is a number
    memset(run->s->best, 0, sizeof(double) * (size_t)core->slots);
    core_project(core, run->s->best);
  }
  if (run->best == warm && p->warm) run_restore_best(run);
}
