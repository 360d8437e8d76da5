// SPDX-License-Identifier: Apache-2.0
// Nesterov's momentum (nesterov.c) for the sweeps in single precision: each continues from
//
//   g_k + β_k (g_k - g_{k-1}),
//
// with δ and z alike. Impulses that leave their cones on the way are projected by the next sweep.
// Momentum restarts if the sweep points back or |f| grows a little. With this
// tight limit it needs about as many sweeps as Anderson acceleration on easy heaps and far fewer on
// hard ones (docs/decisions/029-single-precision-sweeps.md).
#include <math.h>

#include "contact/sweep/float_sweep.h"

static const double GROWTH = 1.1;  // of |f| above its lowest since the last restart

// f · (g_k - g_{k-1}), weighted by w.
HEFT_CLONES
static double float_onwards(const FloatSweep* s) {
  F8 sum = f8_all(0);
  for (int g = 0; g < s->groups; ++g) {
    const F8 mean = s->law[g].mean;
    const size_t at = FLOAT_CHANGE * F8_SIZE * (size_t)g;
    for (size_t k = at; k < at + FLOAT_CHANGE * F8_SIZE; k += F8_SIZE) {
      const F8 after = f8_load(s->after + k);
      sum += mean * (after - f8_load(s->start + k)) * (after - f8_load(s->last + k));
    }
  }
  return f8_sum(sum);
}

HEFT_CLONES
static void float_go_on(FloatSweep* s, double factor) {
  const size_t changes = FLOAT_CHANGE * F8_SIZE * (size_t)s->groups,
               twists = FLOAT_TWIST * ((size_t)s->bodies + 1);
  const F8 beta = f8_all((float)factor);
  for (size_t at = 0; at < changes; at += F8_SIZE) {
    const F8 after = f8_load(s->after + at);
    f8_store(s->start + at, after + beta * (after - f8_load(s->last + at)));
  }
  for (size_t at = 0; at < twists; at += F8_SIZE) {
    const F8 z = f8_load(s->z + at);
    f8_store(s->z + at, z + beta * (z - f8_load(s->z_last + at)));
    f8_store(s->z_last + at, z);
  }
}

// The next start is the result of the sweep.
static void start_over(FloatSweep* s) {
  memcpy(s->start, s->after, sizeof(float) * FLOAT_CHANGE * F8_SIZE * (size_t)s->groups);
  memcpy(s->z_last, s->z, sizeof(float) * FLOAT_TWIST * ((size_t)s->bodies + 1));
}

int float_momentum(FloatSweep* s, double norm) {
  const int first = !(s->norm < HUGE_VAL);
  const int restarts = first || norm > GROWTH * s->lowest || float_onwards(s) < 0;
  const double theta = restarts ? 1 : 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta)),
               beta = restarts ? 0 : (s->theta - 1) / theta;
  s->theta = theta;
  s->norm = norm;
  if (restarts || norm < s->lowest) s->lowest = norm;
  if (beta > 0) {
    float_go_on(s, beta);
  } else {
    start_over(s);
  }
  float* other = s->after;
  s->after = s->last;
  s->last = other;
  return beta > 0;
}
