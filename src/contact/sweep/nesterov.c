// SPDX-License-Identifier: Apache-2.0
// Piles of balls have many contacts whose impulses may drift without changing any velocity; sweeps
// then converge like 1/k, and Anderson's differences of f vanish. Nesterov's momentum [Nesterov
// 1983] suits such drift: each sweep continues from
//
//   g_k + β_k (g_k - g_{k-1}),    β_k = (θ_k - 1) / θ_{k+1},    θ_{k+1} = (1 + √(1 + 4 θ_k²)) / 2.
//
// Momentum restarts (θ = 1) if the sweep points back (f · (g_k - g_{k-1}) < 0; [O'Donoghue 2015])
// or if |f| grows beyond a limit, which with friction does not follow from the former. Stacks need
// no limit, piles a tight one: phases.c tries both.
#include "contact/sweep/nesterov.h"
#include "math/slot_vector.h"

// f · (g - g_last), both weighted.
HEFT_INLINE double onwards(const Anderson* a, const double* g) {
  V4 sum0 = {0}, sum1 = {0};  // in the order of packed_dot()
  int k = 0;
  for (; k + 8 <= a->slots; k += 8) {
    sum0 +=
        v4_load(a->f + k) * ((v4_load(g + k) - v4_load(a->g_last + k)) * v4_load(a->weight + k));
    sum1 += v4_load(a->f + k + 4) *
            ((v4_load(g + k + 4) - v4_load(a->g_last + k + 4)) * v4_load(a->weight + k + 4));
  }
  for (; k < a->slots; k += 4)
    sum0 +=
        v4_load(a->f + k) * ((v4_load(g + k) - v4_load(a->g_last + k)) * v4_load(a->weight + k));
  sum0 += sum1;
  return (sum0[0] + sum0[1]) + (sum0[2] + sum0[3]);
}

// last := g + β (g - last)
HEFT_INLINE void go_on(double* last, const double* g, double beta, int n) {
  for (int k = 0; k < n; k += 4) {
    const V4 x = v4_load(g + k);
    v4_store(last + k, x + beta * (x - v4_load(last + k)));
  }
}

HEFT_CLONES
static int momentum_extrapolate(Anderson* a, Core* core) {
  const double norm = anderson_change(a, core->r), last = a->norm;
  a->norm = norm;
  if (!(last < HUGE_VAL) || norm > a->growth * a->lowest || onwards(a, core->r) < 0) {
    a->theta = 1;
    a->lowest = norm;
    packed_copy(a->g_last, core->r, a->slots);
    packed_copy(a->z_last, core->z, a->states);
    return 0;
  }
  const double theta = 0.5 * (1 + sqrt(1 + 4 * a->theta * a->theta)), beta = (a->theta - 1) / theta;
  a->theta = theta;
  if (norm < a->lowest) a->lowest = norm;
  go_on(a->g_last, core->r, beta, a->slots);
  go_on(a->z_last, core->z, beta, a->states);
  anderson_turn(a, core);
  return 1;
}

int momentum_after(Anderson* a, Core* core) {
  const int goes_on = momentum_extrapolate(a, core);
  if (goes_on) anderson_repair(core, core->r, core->z);
  return goes_on;
}
