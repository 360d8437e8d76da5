// SPDX-License-Identifier: Apache-2.0
// Normal equations by eigenvectors.
//
// The covariance of a fit with residuals of variance s² is s² (JᵀJ)⁻¹. Columns of J have different
// units, so A = JᵀJ is scaled first so that its diagonal is 1. Then an eigenvalue near 0 is a
// combination of parameters on which the measurements do not depend: its eigenvector names them.
// The eigenvectors come from Jacobi's rotations ([Golub 2013], section 8.5), which find small
// eigenvalues accurately.
#include "identify/normal.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 60 };

// Rotates rows and columns p and q so that entry (p, q) becomes 0.
static void rotate(int n, double* a, double* v, int p, int q) {
  const double apq = a[p * n + q];
  if (apq == 0) return;
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; ++k) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
  for (int k = 0; k < n; ++k) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
  for (int k = 0; k < n; ++k) {
    const double x = v[k * n + p], y = v[k * n + q];
    v[k * n + p] = c * x - s * y;
    v[k * n + q] = s * x + c * y;
  }
}

static double off_diagonal(int n, const double* a) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) sum += a[i * n + k] * a[i * n + k];
  return sum;
}

void heft_normal_decompose(NormalMatrix* m, int n, const double* a, double limit) {
  double scaled[HEFT_FIT_MAX * HEFT_FIT_MAX];
  memset(m, 0, sizeof *m);
  m->n = n;
  for (int i = 0; i < n; ++i) m->scale[i] = a[i * n + i] > 0 ? sqrt(a[i * n + i]) : 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const double s = m->scale[i] * m->scale[k];
      scaled[i * n + k] = s > 0 ? a[i * n + k] / s : 0;
    }
    m->vector[i * n + i] = 1;
  }
  for (int sweep = 0; sweep < SWEEPS && off_diagonal(n, scaled) > 1e-30; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) rotate(n, scaled, m->vector, p, q);
  for (int i = 0; i < n; ++i) {
    m->value[i] = scaled[i * n + i];
    m->weak[i] = !(m->value[i] > limit);
  }
}

void heft_normal_solve(const NormalMatrix* m, double damping, const double* g, double* x) {
  double y[HEFT_FIT_MAX] = {0};
  const int n = m->n;
  for (int e = 0; e < n; ++e) {
    if (m->weak[e]) continue;
    double sum = 0;
    for (int i = 0; i < n; ++i)
      if (m->scale[i] > 0) sum += m->vector[i * n + e] * (g[i] / m->scale[i]);
    y[e] = sum / (m->value[e] + damping);
  }
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int e = 0; e < n; ++e) sum += m->vector[i * n + e] * y[e];
    x[i] = m->scale[i] > 0 ? sum / m->scale[i] : 0;
  }
}

double heft_normal_inverse(const NormalMatrix* m, int i, int k) {
  double sum = 0;
  const int n = m->n;
  for (int e = 0; e < n; ++e)
    if (!m->weak[e]) sum += m->vector[i * n + e] * m->vector[k * n + e] / m->value[e];
  const double s = m->scale[i] * m->scale[k];
  return s > 0 ? sum / s : 0;
}

bool heft_normal_excites(const NormalMatrix* m, int i, int* partner) {
  const int n = m->n;
  int direction = -1;
  double most = 1e-4;  // a share of the weak direction below this is rounding
  *partner = -1;
  for (int e = 0; e < n; ++e) {
    if (!m->weak[e] || fabs(m->vector[i * n + e]) <= most) continue;
    most = fabs(m->vector[i * n + e]);
    direction = e;
  }
  if (direction < 0) return true;
  double share = 1e-2;
  for (int k = 0; k < n; ++k) {
    if (k == i || fabs(m->vector[k * n + direction]) <= share) continue;
    share = fabs(m->vector[k * n + direction]);
    *partner = k;
  }
  return false;
}
