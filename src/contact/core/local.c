// SPDX-License-Identifier: Apache-2.0
#include "contact/core/local.h"
#include "base/assert.h"

static void invert(Local* l) {
  const double c00 = l->g11 * l->g22 - l->g12 * l->g12, c01 = l->g02 * l->g12 - l->g01 * l->g22;
  const double c02 = l->g01 * l->g12 - l->g02 * l->g11;
  const double determinant = l->g00 * c00 + l->g01 * c01 + l->g02 * c02;
  const double d = determinant > 0 ? 1 / determinant : 0;
  l->i00 = c00 * d;
  l->i01 = c01 * d;
  l->i02 = c02 * d;
  l->i11 = (l->g00 * l->g22 - l->g02 * l->g02) * d;
  l->i12 = (l->g01 * l->g02 - l->g00 * l->g12) * d;
  l->i22 = (l->g00 * l->g11 - l->g01 * l->g01) * d;
}

// A = Q diag(a0, a1) Qᵀ with Q = [c -s; s c]: one Jacobi rotation.
static void diagonalize(Local* l, double p, double o, double q) {
  if (o == 0) {
    l->c = 1;
    l->s = 0;
    l->a0 = p;
    l->a1 = q;
    return;
  }
  const double theta = (q - p) / (2 * o);
  const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1);
  l->c = c;
  l->s = -t * c;
  l->a0 = p - t * o;
  l->a1 = q + t * o;
  HEFT_ASSERT(!(fabs(l->c * l->c + l->s * l->s - 1) > 1e-9));
}

void local_make(Local* l, const double* g, double mu) {
  l->g00 = g[0];
  l->g01 = 0.5 * (g[1] + g[3]);
  l->g02 = 0.5 * (g[2] + g[6]);
  l->g11 = g[4];
  l->g12 = 0.5 * (g[5] + g[7]);
  l->g22 = g[8];
  l->mu = mu;
  HEFT_ASSERT(!(l->g00 <= 0) && mu >= 0);
  l->imu = mu > 0 ? 1 / mu : 0;
  l->lambda = 0;
  l->ia = 1 / l->g00;
  invert(l);
  diagonalize(l, l->g11 - l->g01 * l->g01 * l->ia, l->g12 - l->g01 * l->g02 * l->ia,
              l->g22 - l->g02 * l->g02 * l->ia);
  l->w0 = l->c * l->g01 + l->s * l->g02;
  l->w1 = -l->s * l->g01 + l->c * l->g02;
}

// One evaluation of the secular equation at λ: y, |y|, µ r_n, and the Newton step for 1/|y| - 1/(µ
// r_n).
typedef struct Secular {
  double y0, y1, n, g, step;
} Secular;

static inline Secular secular(const Local* l, double qn, double e0, double e1, double k,
                              double lambda) {
  Secular x;
  const double d0 = 1 / (l->a0 + lambda), d1 = 1 / (l->a1 + lambda);
  x.y0 = -e0 * d0;
  x.y1 = -e1 * d1;
  const double z0 = x.y0 * d0, z1 = x.y1 * d1;  // -y'
  x.n = sqrt(x.y0 * x.y0 + x.y1 * x.y1);
  x.g = -k * (qn + l->w0 * x.y0 + l->w1 * x.y1);
  const double dn = x.y0 * z0 + x.y1 * z1;          // -n' n
  const double dg = k * (l->w0 * z0 + l->w1 * z1);  // g'
  // f = 1/n - 1/g, f' = dn/n³ + dg/g²: multiplied by n³ g² to leave one division
  const double n2 = x.n * x.n, g2 = x.g * x.g;
  if (x.g > 0) {
    x.step = (x.g - x.n) * n2 * x.g / (dn * g2 + dg * n2 * x.n);
  } else {
    x.step = (x.n - x.g) / (-dn / x.n - dg);
  }
  return x;
}

// y at λ, and the impulse.
static inline void slip_at(const Local* l, double e0, double e1, double lambda, double r[3]) {
  const double y0 = -e0 / (l->a0 + lambda), y1 = -e1 / (l->a1 + lambda);
  r[0] = sqrt(y0 * y0 + y1 * y1) * l->imu;
  r[1] = l->c * y0 - l->s * y1;
  r[2] = l->s * y0 + l->c * y1;
}

int local_slip(Local* l, const double q[3], double near, double r[3]) {
  if (l->mu <= 0) {
    r[0] = -q[0] * l->ia;
    r[1] = r[2] = 0;
    return 0;
  }
  const double shift = q[0] * l->ia, b1 = q[1] - l->g01 * shift, b2 = q[2] - l->g02 * shift;
  const double e0 = l->c * b1 + l->s * b2, e1 = -l->s * b1 + l->c * b2, k = l->mu * l->ia;
  const double min = l->a0 < l->a1 ? l->a0 : l->a1;
  double lo = 0, hi = HUGE_VAL, lambda = l->lambda;
  if (!(lambda > 0)) {
    lambda = sqrt(e0 * e0 + e1 * e1) / (-l->mu * shift) - 0.5 * (l->a0 + l->a1);
    if (!(lambda > 0 && lambda < 1e300)) lambda = 0;
  }
  int steps = 0;
  for (int last = 0; steps < LOCAL_STEPS_MAX && !last;) {
    const Secular x = secular(l, q[0], e0, e1, k, lambda);
    ++steps;
    if (x.n > x.g) {
      lo = lambda;
    } else {
      hi = lambda;
    }
    double next = lambda - x.step;
    if (next > lo && next < hi) {  // the error is squared: after a small step λ is exact enough
      last = fabs(x.step) <= near * (lambda + min);
    } else {
      last = fabs(x.n - x.g) <= 4e-16 * x.n || fabs(x.step) <= 1e-14 * (lambda + min);
      if (last) next = lambda;
      if (!last) next = hi < HUGE_VAL ? 0.5 * (lo + hi) : 4 * lambda + l->a0 + l->a1;
      last |= next == lambda;
    }
    lambda = next;
  }
  l->lambda = lambda;
  HEFT_ASSERT(!(lambda < 0));
  slip_at(l, e0, e1, lambda, r);
  HEFT_ASSERT(!(r[0] < 0) &&
              !(r[1] * r[1] + r[2] * r[2] > (1 + 1e-9) * (l->mu * r[0]) * (l->mu * r[0]) + 1e-280));
  return steps;
}
