// SPDX-License-Identifier: Apache-2.0
// Piles of balls have many contacts whose impulses may drift without changing any velocity; sweeps
// then converge like 1/k, and Anderson's differences of f vanish. Nesterov's momentum (1983) suits
// such drift: after each sweep go on from
//
//   g_k + β_k (g_k - g_{k-1}),    β_k = (θ_k - 1) / θ_{k+1},    θ_{k+1} = (1 + √(1 + 4 θ_k²)) / 2.
//
// It is restarted (θ = 1) when the sweep wants to go back (f · (g_k - g_{k-1}) < 0; O'Donoghue and
// Candès 2015) or when |f| grows beyond a limit, which with friction does not follow from the
// former. Stacks want no limit, piles a tight one: the solver tries both (solver.c).
#include <string.h>

#include "contact/lanes.h"
#include "contact/momentum.h"

HEFT_CONTACT_CLONES
int momentum_after(Anderson* a, const Core* core, double* r, double* z) {
  const int n = a->slots, m = a->states;
  double *dg = a->dg, *dz = a->dz, *weighted = a->df;
  for (int k = 0; k < n; k += 4) {
    v4_store(a->f + k, (v4_load(r + k) - v4_load(a->start + k)) * v4_load(a->weight + k));
  }
  const double norm = sqrt(lanes_dot(a->f, a->f, n)), last = a->norm;
  a->norm = norm;
  if (last < HUGE_VAL) {
    lanes_subtract(dg, r, a->g_last, n);
    lanes_subtract(dz, z, a->z_last, m);
    for (int k = 0; k < n; k += 4) v4_store(weighted + k, v4_load(dg + k) * v4_load(a->weight + k));
  }
  memcpy(a->g_last, r, sizeof(double) * (size_t)n);
  memcpy(a->z_last, z, sizeof(double) * (size_t)m);
  if (!(last < HUGE_VAL) || norm > a->growth * a->lowest || lanes_dot(a->f, weighted, n) < 0) {
    a->theta = 1;
    a->lowest = norm;
    return 0;
  }
  const double theta = 0.5 * (1 + sqrt(1 + 4 * a->theta * a->theta)), beta = (a->theta - 1) / theta;
  a->theta = theta;
  if (norm < a->lowest) a->lowest = norm;
  lanes_subtract_scaled(r, -beta, dg, n);
  lanes_subtract_scaled(z, -beta, dz, m);
  anderson_repair(core, r, z);
  return 1;
}
