// SPDX-License-Identifier: Apache-2.0
// Newton steps with rounded cones (newton/newton.c), for explicit blocks. From the best iterate if
// it is near a solution, and from zero impulses otherwise, where rounded cones find the contact
// states by themselves.
#include <limits.h>
#include <string.h>

#include "contact/newton/newton.h"
#include "contact/stages.h"

int cones_apply(Run* run, int round) {
  (void)round;
  return stage_may_use_newton(run) && !run->s->core.by_effectors && newton_cost(run) < INT_MAX;
}

// From the present r; ends early if the residual has not halved in `patience` steps.
static int smooth_until(Run* run, int round, int patience) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = newton_cost(run);
  const double residual = core_residual(core, core->r, core->z, run->s->u);
  double goal = 0.5 * run->best;
  if (!newton_smooth_start(newton, core, N.kappa_far, N.kappa_far, N.rounded * residual)) return 0;
  for (int k = 0, since = 0; k < stage_grown(N.steps_many, round) && since < patience; ++k) {
    if (!run_spend(run, cost)) return 1;
    const NewtonEnd end = newton_smooth_step(newton, core);
    run->result.newton_steps++;
    if (end == NEWTON_UNABLE) break;
    if (end == NEWTON_POINT && run_judge(run, 0)) return 1;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
  }
  run_restore_best(run);
  return 0;
}

int cones_run(Run* run, int round) {
  Core* core = &run->s->core;
  if (round == 0 && run->best < N.near && smooth_until(run, round, N.patience)) return 1;
  memset(core->r, 0, sizeof(double) * (size_t)core->slots);
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  return smooth_until(run, round, INT_MAX);
}
