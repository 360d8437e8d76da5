// SPDX-License-Identifier: Apache-2.0
// Nesterov's momentum [Nesterov 1983] for the sweeps in single precision: each continues from
//
//   g_k + β_k (g_k - g_{k-1}),    β_k = (θ_k - 1) / θ_{k+1},    θ_{k+1} = (1 + √(1 + 4 θ_k²)) / 2,
//
// with δ and z alike (float_sweep.c). Impulses that leave their cones on the way are projected by
// the next sweep. Momentum restarts if the sweep points back or |f| grows a little. With this tight
// limit it needs about as many sweeps as Anderson acceleration on easy heaps and far fewer on hard
// ones (docs/decisions/029-single-precision-sweeps.md).
#include <math.h>

#include "base/assert.h"
#include "contact/sweep/float_sweep.h"

static const double GROWTH = 1.1;  // of |f| above its lowest since the last restart

int float_momentum(FloatSweep* s, const FloatResidual* found) {
  const int first = !(s->norm < HUGE_VAL);
  const double norm = found->norm;
  const int restarts = first || norm > GROWTH * s->lowest || found->onwards < 0;
  const double theta = restarts ? 1 : 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta));
  s->beta = restarts ? 0 : (s->theta - 1) / theta;
  s->theta = theta;
  HEFT_ASSERT(!(s->beta < 0 || s->beta >= 1));
  s->norm = norm;
  if (restarts || norm < s->lowest) s->lowest = norm;
  return s->beta > 0;
}
