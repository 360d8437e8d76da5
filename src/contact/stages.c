// SPDX-License-Identifier: Apache-2.0
// Newton steps converge fast near a solution and not at all far from it; sweeps approach it cheaply
// and converge slowly. So a solve has stages, each of which ends when it no longer gains
// (docs/theory/contact.md, section 5; docs/decisions/239-table-of-stages.md). The table below is
// the order. A solve that comes to its end begins again at the sweeps, with the next round.
#include "contact/stages.h"
#include "base/assert.h"

static int first_round(Run* run, int round) {
  (void)run;
  return round == 0;
}

static int always(Run* run, int round) {
  (void)run;
  (void)round;
  return 1;
}

static const Stage stages[] = {
    {"warm", first_round, warm_run},       // the impulses of the last step may be the solution
    {"heap", heap_applies, heap_run},      // free bodies: sweeps in single precision
    {"load", first_round, load_run},       // the problem in the form of the stages that follow
    {"equal", equal_applies, equal_run},   // robots, few bodies: the solution of equal compliance
    {"sweeps", always, sweeps_run},        // contact states: a few sweeps; later rounds: momentum
    {"points", points_apply, points_run},  // up to 1000 trees: proximal points by Newton steps
    {"cones", cones_apply, cones_run},     // explicit blocks: Newton steps on rounded cones
};
enum { STAGE_COUNT = sizeof stages / sizeof *stages, FIRST_ON_CORE = 3 };

// Runs the stages from one on until the solve is over; from the second round on, those on the core.
static void run_from(Run* run, int first) {
  for (int round = 0;; ++round, first = FIRST_ON_CORE) {
    for (int k = first; k < STAGE_COUNT; ++k) {
      if (stages[k].applies(run, round) && stages[k].run(run, round)) return;
    }
  }
}

// ---- static friction

// Sets contacts that slip in spite of static friction to kinetic friction. Returns their number.
static int release_slipping(Run* run) {
  Core* core = &run->s->core;
  int released = 0;
  core_velocity(core, core->r, core->z, run->s->u);
  for (int i = 0; i < core->constraints; ++i) {
    const double *r = core->r + core->slot[i], *u = run->s->u + core->slot[i];
    if (!core->held[i] || !(r[0] > 0)) continue;
    HEFT_ASSERT(core->cone[i].mu[0] > 0);
    const double slip = cone_shift(&core->cone[i], u) / core->cone[i].mu[0];
    if (slip <= 2 * run->stop->tolerance * core->reference) continue;
    core->held[i] = 0;
    core->cone[i].mu[0] = core->problem->constraints[core->source[i]].mu;
    released++;
  }
  return released;
}

// Solves with static friction, sets slipping contacts to kinetic friction, and solves again until
// no contact has to be changed.
void stages_run(Run* run) {
  Core* core = &run->s->core;
  run_from(run, 0);
  while (run->loaded && core->holds && run->result.status == HEFT_CONTACT_SOLVED) {
    run_restore_best(run);
    if (release_slipping(run) == 0) break;
    core->proximal = 0;
    core_project(core, core->r);
    core_state(core, core->r, core->z);
    run->best = HUGE_VAL;
    if (!run_judge(run, 0)) run_from(run, FIRST_ON_CORE);
  }
  if (run->loaded && run->result.status == HEFT_CONTACT_SOLVED && !run->result.equal)
    equal_again(run);
}

// ---- after the tolerance is met

void stages_polish(Run* run) {
  const HeftContactTermination* given = run->stop;
  const HeftContactTermination goal = {.tolerance = POLISHED, .effort_min = given->effort_min};
  const int end = run->result.effort + given->polish;
  const int effort_max = run->effort_max;
  run->stop = &goal;
  run->effort_max = end < effort_max ? end : effort_max;
  HEFT_ASSERT(run->result.effort <= run->effort_max);
  run_restore_best(run);
  if (run->s->core.by_effectors) points_from(run, 0, N.kappa_polish);
  run->stop = given;
  run->effort_max = effort_max;
  run->fresh = 0;
  run->result.status = HEFT_CONTACT_SOLVED;
}
