// SPDX-License-Identifier: Apache-2.0
// Proximal points by Newton steps for velocities (newton/primal.c): the main method for islands of
// trees. Each point is the solution of a problem that is regular by κ; κ falls from point to point,
// and rises when a point is not reached. The residual of a point may be larger than the last one's.
// A second attempt begins with the largest κ, after sweeps that bring it closer.
#include <limits.h>
#include <math.h>

#include "base/assert.h"
#include "contact/newton/primal.h"
#include "contact/stages.h"

static const double WORSE = 100;  // times the best residual: a point that is given up

int points_apply(Run* run, int round) {
  const Core* core = &run->s->core;
  (void)round;
  return stage_may_use_newton(run) && core->by_effectors && core->trees <= N.trees_points &&
         newton_prepare(&run->s->newton, core);
}

int points_from(Run* run, int round, double kappa) {
  Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  const int cost = newton_cost(run);
  if (cost == INT_MAX) return 0;
  const double done = N.done * run->stop->tolerance * core->reference;
  double before = core_residual(core, core->r, core->z, run->s->u);
  primal_begin(newton, core, kappa, run->s->u);
  for (int k = 0; k < stage_grown(N.steps_many, round); ++k) {
    if (!run_spend(run, cost)) return 1;
    const PrimalEnd end = primal_step(newton, core, done);
    run->result.newton_steps++;
    if (end == PRIMAL_STEP && newton->inner < N.steps_point) continue;
    if (end == PRIMAL_POINT && run_judge(run, 0)) return 1;
    if (end == PRIMAL_POINT && run->last < WORSE * run->best) {
      kappa =
          fmax(N.kappa_equal, kappa * (run->last < N.far * before ? N.kappa_fall : N.kappa_slow));
      before = run->last;
    } else {
      kappa = fmin(1, N.kappa_rise * kappa);
      run_restore_best(run);
      before = core_residual(core, core->r, core->z, run->s->u);
    }
    HEFT_ASSERT(kappa > 0 && kappa <= 1);
    primal_begin(newton, core, kappa, run->s->u);
  }
  run_restore_best(run);
  return 0;
}

int points_run(Run* run, int round) {
  if (round > 0) return points_from(run, round, 1);
  return points_from(run, 0, run->best > N.far * N.far ? N.kappa_far : N.kappa_points);
}
