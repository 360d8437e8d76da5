// SPDX-License-Identifier: Apache-2.0
// Local problems of contacts that are no plain points: a semismooth Newton method on r - P_K(r - û
// / w) with a line search; where it stops, projected steps.
#include "contact/core/cone_solve.h"
#include "base/assert.h"

#include <string.h>

#include "math/dense.h"

void scalar_solve(const Core* core, int i, double u, double* r) {
  const double g = core->diagonal[36 * i] + core->proximal * core->w[i];
  HEFT_ASSERT(core->proximal > 0 && !(g <= 0));
  double x = r[0] - u / g;
  if (x < core->cone[i].lower) x = core->cone[i].lower;
  if (x > core->cone[i].upper) x = core->cone[i].upper;
  r[0] = x;
}

typedef struct Small {
  int n;
  double g[36], q[6], w;
} Small;

static double small_residual(const Small* p, const Cone* cone, const double* r, double* u) {
  for (int a = 0; a < p->n; ++a) {
    u[a] = p->q[a];
    for (int b = 0; b < p->n; ++b) u[a] += p->g[6 * a + b] * r[b];
  }
  return cone_residual(cone, p->w, r, u);
}

// One semismooth Newton step on r - P_K(r - û / w); 0 if it does not make the residual smaller.
static int small_newton(const Small* p, const Cone* cone, double* r, double* u, double* residual) {
  const int n = p->n;
  HEFT_ASSERT(n >= 2 && n <= CONE_ROWS && p->w > 0);
  double x[6] = {0}, d[36], a[36], step[6];
  int pivot[6];
  for (int k = 0; k < n; ++k) x[k] = r[k] - u[k] / p->w;
  x[0] -= cone_shift(cone, u) / p->w;
  cone_derivative(cone, x, d);
  double image[6];
  memcpy(image, x, sizeof image);
  cone_project(cone, image);
  double e[36];
  memcpy(e, d, sizeof(double) * (size_t)(n * n));
  cone_shift_derivative(cone, u, e);
  for (int i = 0; i < n; ++i) {
    step[i] = image[i] - r[i];
    for (int j = 0; j < n; ++j) {
      double sum = (i == j) - d[i * n + j];
      for (int k = 0; k < n; ++k) sum += e[i * n + k] * p->g[6 * k + j] / p->w;
      a[i * n + j] = sum;
    }
  }
  if (heft_lu_factor(n, a, n, pivot)) return 0;
  heft_lu_solve(n, a, n, pivot, step);
  double length = 1;
  for (int half = 0; half < 5; ++half, length *= 0.5) {
    double trial[6], trial_u[6];
    for (int k = 0; k < n; ++k) trial[k] = r[k] + length * step[k];
    cone_project(cone, trial);
    const double e_trial = small_residual(p, cone, trial, trial_u);
    if (!(e_trial < (1 - 0.1 * length) * *residual)) continue;
    memcpy(r, trial, sizeof(double) * (size_t)n);
    memcpy(u, trial_u, sizeof(double) * (size_t)n);
    *residual = e_trial;
    return 1;
  }
  return 0;
}

// Projected steps r := P(r - û / λ) with λ >= |G|: slow and sure.
static void small_projected(const Small* p, const Cone* cone, double* r, double* u,
                            double* residual) {
  double norm = 0;
  for (int a = 0; a < p->n; ++a) {
    double sum = 0;
    for (int b = 0; b < p->n; ++b) sum += fabs(p->g[6 * a + b]);
    if (sum > norm) norm = sum;
  }
  HEFT_ASSERT(!(norm <= 0));
  for (int k = 0; k < 8; ++k) {
    r[0] -= cone_shift(cone, u) / norm;
    for (int a = 0; a < p->n; ++a) r[a] -= u[a] / norm;
    cone_project(cone, r);
    *residual = small_residual(p, cone, r, u);
  }
}

void cone_solve(const Core* core, int i, const double* u, double* r) {
  Small p = {.n = core->rows[i], .w = core->w[i]};
  HEFT_ASSERT(core->rows[i] == core->cone[i].rows && core->proximal > 0);
  const Cone* cone = &core->cone[i];
  double v[6] = {0};
  for (int a = 0; a < p.n; ++a) {
    p.q[a] = u[a];
    for (int b = 0; b < p.n; ++b) {
      p.g[6 * a + b] = core->diagonal[36 * i + 6 * a + b] + (a == b ? core->proximal * p.w : 0);
      p.q[a] -= p.g[6 * a + b] * r[b];
    }
  }
  double residual = small_residual(&p, cone, r, v);
  const double enough = 1e-14 * core->reference;
  for (int k = 0; k < 12 && residual > enough; ++k) {
    if (!small_newton(&p, cone, r, v, &residual)) small_projected(&p, cone, r, v, &residual);
  }
}
