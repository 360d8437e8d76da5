// SPDX-License-Identifier: Apache-2.0
// Sweeps approach a solution cheaply and converge slowly; Anderson's method extrapolates them
// (sweep/anderson.c). A few find the contact states for Newton steps; many go first where there are
// no such steps or where one costs as much as many sweeps. Later rounds double, so that neither
// they nor the Newton steps between them delay the other for long.
#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "contact/stages.h"
#include "contact/sweep/gauss_seidel.h"
#include "contact/sweep/joint_sweep.h"
#include "math/block_cholesky.h"

static const double RAISED = 100,  // coefficients of extrapolation after which z is not trusted
    CLOSE = 1e-9;                  // of w: compliance, so that W has a factor

// At most `count` sweeps; ends early if the residual has not halved in `patience` sweeps.
static int sweep_until(Run* run, int accelerate, int count, int patience) {
  Core* core = &run->s->core;
  Anderson* a = &run->s->anderson;
  double goal = 0.5 * run->best;
  int since = 0;
  anderson_begin(a, core);
  if (!(core->proximal > 0)) core_factor(core, run->s->def.proximal);
  HEFT_ASSERT(core->proximal > 0 && count > 0);
  for (int k = 0; k < count && since < patience; ++k) {
    if (!run_spend(run, 1)) return 1;
    if (k % N.refresh == N.refresh - 1) anderson_refresh(a, core, core->r, core->z);
    anderson_before(a, core->r);
    sweep(core, core->r, core->z);
    run->result.sweeps++;
    const int age = a->raised > RAISED ? INT_MAX : k % N.refresh + 2;
    if (run_judge_until(run, age, run->best)) return 1;
    if (accelerate && anderson_after(a, core) > 0) run->result.accelerations++;
    since = run->best < goal ? 0 : since + 1;
    if (since == 0) goal = 0.5 * run->best;
  }
  return 0;
}

int sweeps_plain(Run* run, int count) {
  Core* core = &run->s->core;
  if (!run_spend(run, count)) return 1;
  if (core->by_joints) {
    joint_sweep(core, count);
  } else {
    if (!(core->proximal > 0)) core_factor(core, run->s->def.proximal);
    for (int k = 0; k < count; ++k) sweep(core, core->r, core->z);
  }
  run->result.sweeps += count;
  return run_judge(run, count);
}

// The impulses with which all points of a dense problem stick, W r = -b, cut to their cones: on a
// soft body that lands, sweeps would need hundreds to find the load of its middle. Returns 1 when
// the solve is over.
static int start_stuck(Run* run) {
  Core* core = &run->s->core;
  const int n = 3 * core->constraints;
  Arena pool = run->s->newton.pool;
  double *l = arena_take(&pool, (size_t)n * (size_t)n, double), *x = arena_take(&pool, n, double),
         *inverse = arena_take(&pool, n, double),
         *turned = arena_take(&pool, (size_t)PANEL_MAX * (size_t)n, double);
  if (pool.overflow) return 0;
  newton_begin(&run->s->newton);  // its arrays are overwritten
  if (!run_spend(run, core->constraints)) return 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      l[(size_t)i * n + j] = core->value[(size_t)i * core->slots + 4 * (j / 3) + j % 3];
    l[(size_t)i * n + i] += CLOSE * core->w[i / 3];
    x[i] = -core->b[4 * (i / 3) + i % 3];
  }
  if (!block_cholesky_dense(n, l, inverse, turned)) return 0;
  block_cholesky_dense_solve(n, l, inverse, x);
  for (int i = 0; i < n; ++i) core->r[4 * (i / 3) + i % 3] = x[i];
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  if (run_judge(run, 0)) return 1;
  if (run->last > run->best) run_restore_best(run);
  return 0;
}

// The first sweeps. Where a Newton step is costly, as in a large tree of many effectors, they go on
// while the residual halves in the time of four.
static int sweep_first(Run* run) {
  if (run->s->core.size.dense > 0 && run->best > N.near && start_stuck(run)) return 1;
  const int cost = newton_cost(run), costly = cost > N.costly;
  if (!points_apply(run, 0)) return sweep_until(run, 1, N.sweeps_many, N.patience);
  if (costly) return sweep_until(run, 1, N.costly * cost, 4 * cost);
  if (run->s->core.by_joints) return sweeps_plain(run, N.sweeps_few);
  return sweep_until(run, 1, N.sweeps_few, N.sweeps_few);
}

int sweeps_run(Run* run, int round) {
  const int count = stage_grown(N.sweeps_many, round > 0 ? round - 1 : 0);
  if (run->s->def.method == HEFT_CONTACT_METHOD_SWEEP) return sweep_until(run, 0, count, count);
  if (round > 0) return sweep_until(run, 1, count, count);
  return run->heap ? 0 : sweep_first(run);
}
