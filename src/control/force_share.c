// SPDX-License-Identifier: Apache-2.0
// Distributes a wrench to contacts with exact friction cones.
//
// min over λ_i ∈ K_i of ½|A λ - b|² + ½ Σ r_i |λ_i|². With y = b - A λ the conditions of a minimum
// are λ_i = P_i(A_iᵀ y / r_i), P_i the projection onto the cone. So only the few numbers of y are
// unknown, and they solve
//     F(y) = y + Σ A_i P_i(A_iᵀ y / r_i) - b = 0,
// the gradient of the strongly convex φ(y) = ½|y|² + Σ ½ r_i |P_i(A_iᵀ y / r_i)|² - bᵀy. Newton's
// method with the derivative of the projection and a step that is halved until φ falls finds it
// in a handful of steps; every step costs rows x rows numbers and one pass over the contacts.
//
// A slack |s_k| <= w_k on row k is one more force, on that row by itself: s_k = y_k / ρ, cut to
// ±w_k.
//
// The projection of z = (n, t) onto |t| <= μ n: z itself inside; 0 where μ|t| <= -n; else s (1, μ
// t̂) with s = (n + μ|t|) / (1 + μ²), whose derivative is
//     (1, μ t̂)(1, μ t̂)ᵀ / (1 + μ²) + (s μ / |t|) (0 ⊕ (1 - t̂ t̂ᵀ)).
#include "control/force_share.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"

enum { STEPS_MAX = 100, HALVINGS_MAX = 30 };
static const double tolerance = 1e-8;
static const double rounding = 1e-14;  // relative, of φ: smaller falls cannot be seen

static void project(const double z[3], double mu, double out[3]) {
  const double t = sqrt(z[1] * z[1] + z[2] * z[2]);
  if (t <= mu * z[0]) {
    memcpy(out, z, 3 * sizeof(double));
  } else if (mu * t <= -z[0]) {
    out[0] = out[1] = out[2] = 0;
  } else {
    const double s = (z[0] + mu * t) / (1 + mu * mu);
    out[0] = s;
    out[1] = s * mu * z[1] / t;
    out[2] = s * mu * z[2] / t;
  }
}

// The derivative of the projection, symmetric.
static void slope(const double z[3], double mu, double out[3][3]) {
  const double t = sqrt(z[1] * z[1] + z[2] * z[2]);
  memset(out, 0, 9 * sizeof(double));
  if (t <= mu * z[0]) {
    for (int i = 0; i < 3; ++i) out[i][i] = 1;
    return;
  }
  if (mu * t <= -z[0]) return;
  const double edge[3] = {1, mu * z[1] / t, mu * z[2] / t}, share = 1 / (1 + mu * mu);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = share * edge[i] * edge[j];
  const double side[2] = {-z[2] / t, z[1] / t}, turn = share * (z[0] + mu * t) * mu / t;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) out[1 + i][1 + j] += turn * side[i] * side[j];
}

static double slack_at(const ForceShare* p, const double* y, int row) {
  const double s = y[row] / FORCE_SHARE_SLACK;
  return p->slack ? fmax(-p->slack[row], fmin(s, p->slack[row])) : 0;
}

static void pull_back(const ForceShare* p, int i, const double* y, double z[3]) {
  const long width = 3L * p->count;
  for (int k = 0; k < 3; ++k) {
    z[k] = 0;
    for (int row = 0; row < p->rows; ++row) z[k] += p->a[row * width + 3L * i + k] * y[row];
    z[k] /= p->r[i];
  }
}

// φ(y), and the forces there.
static double value(const ForceShare* p, const double* y, double* lambda) {
  double phi = 0;
  for (int row = 0; row < p->rows; ++row) {
    const double s = slack_at(p, y, row);
    phi += y[row] * (0.5 * y[row] - p->b[row] + s) - 0.5 * FORCE_SHARE_SLACK * s * s;
  }
  for (int i = 0; i < p->count; ++i) {
    double z[3], *x = lambda + 3L * i;
    pull_back(p, i, y, z);
    project(z, p->mu[i], x);
    phi += 0.5 * p->r[i] * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  }
  return phi;
}

static void residual(const ForceShare* p, const double* y, const double* lambda, double* out) {
  const long width = 3L * p->count;
  for (int row = 0; row < p->rows; ++row) {
    double sum = y[row] - p->b[row] + slack_at(p, y, row);
    for (long k = 0; k < width; ++k) sum += p->a[row * width + k] * lambda[k];
    out[row] = sum;
  }
}

static void jacobian(const ForceShare* p, const double* y, double* out) {
  const long width = 3L * p->count;
  const int n = p->rows;
  for (int k = 0; k < n * n; ++k) out[k] = k % (n + 1) == 0 ? 1 : 0;
  for (int k = 0; k < n && p->slack; ++k)
    if (fabs(y[k]) < FORCE_SHARE_SLACK * p->slack[k]) out[k * (n + 1)] += 1 / FORCE_SHARE_SLACK;
  for (int i = 0; i < p->count; ++i) {
    double z[3], d[3][3];
    pull_back(p, i, y, z);
    slope(z, p->mu[i], d);
    for (int row = 0; row < n; ++row) {
      const double* a = p->a + row * width + 3L * i;
      double ad[3];
      for (int k = 0; k < 3; ++k)
        ad[k] = (a[0] * d[0][k] + a[1] * d[1][k] + a[2] * d[2][k]) / p->r[i];
      for (int column = 0; column <= row; ++column) {
        const double* c = p->a + column * width + 3L * i;
        out[row * n + column] += ad[0] * c[0] + ad[1] * c[1] + ad[2] * c[2];
      }
    }
  }
}

static double norm(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

// Goes along -step until φ falls; if its fall is within rounding, all the way if the residual f
// falls. Returns 0 if it does not.
static int descend(const ForceShare* p, const double* step, double fall, double* f, double* next,
                   double* y, double* phi, double* lambda) {
  double length = 1;
  if (fall <= rounding * (1 + fabs(*phi))) {
    const double before = norm(p->rows, f);
    for (int i = 0; i < p->rows; ++i) next[i] = y[i] - step[i];
    *phi = value(p, next, lambda);
    residual(p, next, lambda, f);
    if (!(norm(p->rows, f) < 0.5 * before)) return 0;
    memcpy(y, next, (size_t)p->rows * sizeof(double));
    return 1;
  }
  for (int k = 0; k < HALVINGS_MAX; ++k, length /= 2) {
    for (int i = 0; i < p->rows; ++i) next[i] = y[i] - length * step[i];
    const double there = value(p, next, lambda);
    if (there <= *phi - 1e-4 * length * fall) {
      memcpy(y, next, (size_t)p->rows * sizeof(double));
      *phi = there;
      return 1;
    }
  }
  return 0;
}

int heft_force_share(const ForceShare* p, double* y, double* lambda) {
  double own[FORCE_SHARE_ROWS * (FORCE_SHARE_ROWS + 3)];
  const size_t rows = (size_t)p->rows;
  double *f = p->scratch ? p->scratch : own, *step = f + rows, *next = step + rows,
         *h = next + rows;
  double phi = value(p, y, lambda);
  const double enough = tolerance * (1 + norm(p->rows, p->b));
  for (int k = 0; k < STEPS_MAX; ++k) {
    residual(p, y, lambda, f);
    if (norm(p->rows, f) <= enough) return k;
    jacobian(p, y, h);
    if (heft_cholesky_factor(p->rows, h, p->rows) != 0) return STEPS_MAX;
    memcpy(step, f, rows * sizeof *step);
    heft_cholesky_solve(p->rows, h, p->rows, step);
    double fall = 0;
    for (int i = 0; i < p->rows; ++i) fall += step[i] * f[i];
    if (!descend(p, step, fall, f, next, y, &phi, lambda)) {  // nothing but rounding is left
      (void)value(p, y, lambda);
      return k;
    }
  }
  return STEPS_MAX;
}

double heft_force_share_bound(const ForceShare* p, const double* y, double* lambda) {
  return -value(p, y, lambda);
}
