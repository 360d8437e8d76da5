// SPDX-License-Identifier: Apache-2.0
// A point x = (x_n, x_t) has two coordinates along the edges of the cone that lie in its plane,
//
//   x = l1 e1 + l2 e2,   e1 = (µ, -t) / √(1 + µ²),  e2 = (1, µ t) / √(1 + µ²),  t = x_t / |x_t|,
//   √(1 + µ²) l1 = µ x_n - |x_t|,                  √(1 + µ²) l2 = x_n + µ |x_t|,
//
// and projecting on the cone cuts both at zero. The smoothed projection ([Chen 1993];
// [Chen 2003] for round cones) replaces max(l, 0) by p(l) = (l + √(l² + 4 T²)) / 2. Its image lies
// inside of the cone, and r = P(r - û) means that r and û are inside of their cones with l(r) l(û)
// = T²: the central path of an interior-point method, without the need to start on it. T1 = µ T for
// l1 keeps it smooth where x_t = 0.
//
// The derivative is p'(l1) e1 e1ᵀ + p'(l2) e2 e2ᵀ + (P_t / |x_t|) (1 - t tᵀ), symmetric, with all
// eigenvalues between 0 and 1.
#include "contact/newton/smooth_cone.h"
#include "base/assert.h"

#include <math.h>

// p and p' of one coordinate.
typedef struct Bend {
  double value, slope;
} Bend;

static Bend bend(double l, double radius) {
  const double root = sqrt(l * l + 4 * radius * radius);
  Bend b = {0, 0};
  if (!(root > 0)) return b;
  b.value = l >= 0 ? 0.5 * (l + root) : 2 * radius * radius / (root - l);
  b.slope = b.value / root;
  HEFT_ASSERT(!(b.value < 0) && !(b.slope < 0 || b.slope > 1 + 1e-12));
  return b;
}

typedef struct Split {
  double length, scale;  // |x_t|, 1 / (1 + µ²)
  Bend one, two;         // both times √(1 + µ²)
} Split;

static Split split(const Cone* cone, double radius, const double* x) {
  const double mu = cone->mu[0], *v = x + 1;
  const double length = cone->size[0] == 1 ? fabs(v[0]) : sqrt(v[0] * v[0] + v[1] * v[1]);
  return (Split){.length = length,
                 .scale = 1 / (1 + mu * mu),
                 .one = bend(mu * x[0] - length, mu * radius),
                 .two = bend(x[0] + mu * length, radius)};
}

// |P_t| / |x_t|, by its limit where x_t is as good as zero.
static double shrink(const Cone* cone, const Split* s, double radius, double normal) {
  const double mu = cone->mu[0];
  if (s->length > 1e-7 * (fabs(normal) + radius))
    return s->scale * (mu * s->two.value - s->one.value) / s->length;
  return s->scale * (mu * mu * s->two.slope + s->one.slope);
}

static double scalar(const Cone* cone, double radius, double x, double* slope) {
  double value = x;
  *slope = 1;
  if (cone->lower > -HUGE_VAL) {
    const Bend b = bend(x - cone->lower, radius);
    value = cone->lower + b.value;
    *slope = b.slope;
  }
  if (cone->upper < HUGE_VAL) {
    const Bend b = bend(cone->upper - value, radius);
    value = cone->upper - b.value;
    *slope *= b.slope;
  }
  return value;
}

void smooth_cone_project(const Cone* cone, double radius, double* x) {
  double slope;
  if (cone->groups > 1) {
    cone_project(cone, x);
  } else if (cone->groups == 0) {
    x[0] = scalar(cone, radius, x[0], &slope);
  } else {
    const Split s = split(cone, radius, x);
    const double cut = shrink(cone, &s, radius, x[0]);
    x[0] = s.scale * (cone->mu[0] * s.one.value + s.two.value);
    HEFT_ASSERT(!(x[0] < 0));
    for (int k = 1; k < cone->rows; ++k) x[k] *= cut;
  }
}

void smooth_cone_derivative(const Cone* cone, double radius, const double* x, double* d) {
  const int rows = cone->rows;
  if (cone->groups > 1) {
    cone_derivative(cone, x, d);
    return;
  }
  if (cone->groups == 0) {
    scalar(cone, radius, x[0], d);
    return;
  }
  const Split s = split(cone, radius, x);
  const double mu = cone->mu[0], one = s.scale * s.one.slope, two = s.scale * s.two.slope;
  const double cut = shrink(cone, &s, radius, x[0]), along = one + mu * mu * two;
  double t[2] = {0};
  for (int k = 0; k < cone->size[0] && s.length > 0; ++k) t[k] = x[1 + k] / s.length;
  d[0] = mu * mu * one + two;
  for (int a = 1; a < rows; ++a) {
    d[a] = d[a * rows] = mu * (two - one) * t[a - 1];
    for (int b = 1; b < rows; ++b)
      d[a * rows + b] = cut * (a == b) + (along - cut) * t[a - 1] * t[b - 1];
  }
}

static double rounded_length(const Cone* cone, int g, double epsilon, const double* u) {
  double sum = epsilon * epsilon;
  for (int k = 0; k < cone->size[g]; ++k) sum += u[cone->first[g] + k] * u[cone->first[g] + k];
  return sqrt(sum);
}

double smooth_cone_shift(const Cone* cone, double epsilon, const double* u) {
  double shift = 0;
  for (int g = 0; g < cone->groups; ++g)
    shift += cone->mu[g] * (rounded_length(cone, g, epsilon, u) - epsilon);
  return shift;
}

void smooth_cone_shift_derivative(const Cone* cone, double epsilon, const double* u, double* d) {
  for (int g = 0; g < cone->groups; ++g) {
    const double length = rounded_length(cone, g, epsilon, u);
    if (!(length > 1e-300)) continue;
    for (int k = 0; k < cone->size[g]; ++k) {
      const double slope = cone->mu[g] * u[cone->first[g] + k] / length;
      for (int a = 0; a < cone->rows; ++a)
        d[a * cone->rows + cone->first[g] + k] += d[a * cone->rows] * slope;
    }
  }
}
