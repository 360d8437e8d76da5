// SPDX-License-Identifier: Apache-2.0
// Papers: R68, U4.
// Least squares with confidence intervals.
//
// Residuals r(x) of n measurements with p parameters: x̂ minimises Σ r². With J = ∂r/∂x each step
// solves (JᵀJ + λ S²) δ = -Jᵀ r ([Levenberg 1944], [Marquardt 1963]; S² is the diagonal of JᵀJ),
// and λ falls while steps succeed. J is exact where the caller has derivatives, else by central
// differences. A step that is short against the standard errors ends the search: more
// digits would be below the noise.
//
// Dry friction and contact make residuals that are smooth but for kinks, at which small differences
// mislead. Where the search ends without exact derivatives, it therefore tries again with
// differences over a wider span, and goes on if these lead down.
//
// At the end the covariance is s² (JᵀJ)⁻¹ with s² = Σ r² / (n - p). Residuals of a model that is
// not quite right, or of a slow disturbance, are correlated in time; n then counts measurements
// that are none. For the correlation ρ of neighbours, n (1 - ρ) / (1 + ρ) measurements are
// independent ([Bartlett 1935]), and the intervals are widened accordingly where ρ is beyond
// chance.
//
// Robust fits weight residuals by w = min(1, 1.345 s / |r|) ([Huber 1964]), with s from the median
// of |r|, and the covariance is κ² Σ (w r)² / (n - p) / m² (JᵀJ)⁻¹, where m is the share of
// residuals with w = 1 and κ = 1 + p (1 - m) / (n m) ([Huber 1981], section 7.6).
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/error.h"
#include "identify/estimate.h"
#include "identify/normal.h"

static const double huber = 1.345, weak = 1e-11, close = 1e-3, lambda_max = 1e12, wide = 30;

enum { WIDE_SAMPLES = 4 };

typedef struct Search {
  const HeftFitDef* def;
  HeftFit* fit;
  double *r, *weight, *plus, *minus, *j, *one;  // j, one: parameters x count
  double x[HEFT_FIT_MAX], trial[HEFT_FIT_MAX];
  double a[HEFT_FIT_MAX * HEFT_FIT_MAX], g[HEFT_FIT_MAX];
  double s;                    // scale of the robust weights
  double span;                 // of differences, in steps
  NormalMatrix normal, inner;  // of all parameters, and of those that are not held by a limit
  HeftError exhausted;         // its status is HEFT_ERR_MEMORY once an evaluation had no memory
} Search;

// A step to where the residuals cannot be computed is not taken. Memory that runs out has nothing
// to do with the parameters: it ends the fit.
static HeftStatus evaluate(Search* f, const double* x, double* r, HeftError* error) {
  HeftError why = {0};
  if (f->exhausted.status == HEFT_ERR_MEMORY) return HEFT_ERR_MEMORY;
  const HeftStatus status = f->def->residuals(f->def->user, x, r, &why);
  ++f->fit->evaluations;
  if (error && status != HEFT_OK) *error = why;
  if (status == HEFT_ERR_MEMORY) {
    f->exhausted = why;
    f->exhausted.status = status;
  }
  if (status != HEFT_OK) return status;
  for (long i = 0; i < f->def->count; ++i)
    if (!isfinite(r[i]))
      return heft_error_set(error, HEFT_ERR_VALUE, "residual %ld of the fit is not finite", i);
  return HEFT_OK;
}

static double limited(const HeftFitDef* d, int k, double x) {
  if (d->low && x < d->low[k]) return d->low[k];
  if (d->high && x > d->high[k]) return d->high[k];
  return x;
}

// ---- robust weights

// The median of |r|, by halving the range until it is narrow: no copy, no order of equal values.
static double median(const double* r, long count) {
  double low = 0, high = 0;
  for (long i = 0; i < count; ++i) high = fmax(high, fabs(r[i]));
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    long below = 0;
    for (long i = 0; i < count; ++i) below += fabs(r[i]) <= middle;
    if (2 * below < count)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static void set_weights(Search* f) {
  const long n = f->def->count;
  f->s = f->def->robust ? median(f->r, n) / 0.6745 : 0;
  for (long i = 0; i < n; ++i)
    f->weight[i] = f->s > 0 && fabs(f->r[i]) > huber * f->s ? huber * f->s / fabs(f->r[i]) : 1;
}

// Half of the sum of squares, or of Huber's function with the present scale.
static double cost_of(const Search* f, const double* r) {
  double sum = 0;
  const double edge = huber * f->s;
  for (long i = 0; i < f->def->count; ++i) {
    const double x = fabs(r[i]);
    sum += f->s > 0 && x > edge ? edge * (x - 0.5 * edge) : 0.5 * x * x;
  }
  return sum;
}

// ---- steps

// One column by central differences; one-sided at a limit. A parameter at which the residuals fail
// has a column of zeros.
static void differentiate(Search* f, int k) {
  const HeftFitDef* d = f->def;
  const double step = f->span * d->step[k];
  const double up = limited(d, k, f->x[k] + step), down = limited(d, k, f->x[k] - step);
  double* column = f->j + k * d->count;
  memcpy(f->trial, f->x, sizeof f->trial);
  f->trial[k] = up;
  int good = evaluate(f, f->trial, f->plus, NULL) == HEFT_OK;
  f->trial[k] = down;
  good = good && evaluate(f, f->trial, f->minus, NULL) == HEFT_OK && up > down;
  for (long i = 0; i < d->count; ++i)
    column[i] = good ? (f->plus[i] - f->minus[i]) / (up - down) : 0;
}

// Leaves parameters out of the step that are at a limit and would go beyond it.
static void hold(Search* f) {
  const HeftFitDef* d = f->def;
  const int p = d->parameters;
  int held = 0;
  for (int k = 0; k < p; ++k) {
    const bool out = (d->low && f->x[k] <= d->low[k] && f->g[k] < 0) ||
                     (d->high && f->x[k] >= d->high[k] && f->g[k] > 0);
    if (!out) continue;
    ++held;
    f->g[k] = 0;
    for (int i = 0; i < p; ++i) f->a[i * p + k] = f->a[k * p + i] = 0;
  }
  if (held > 0)
    heft_normal_decompose(&f->inner, p, f->a, weak);
  else
    f->inner = f->normal;
}

// Point `sample` of those over which derivatives are averaged: within half a span beside x.
static void place_sample(Search* f, int sample) {
  const HeftFitDef* d = f->def;
  for (int k = 0; k < d->parameters; ++k) {
    const unsigned bits = (unsigned)(k + 1) * 2654435761u >> 16;
    const double side = ((bits >> (sample / 2)) + (unsigned)sample) % 2 ? 0.5 : -0.5;
    f->trial[k] = limited(d, k, f->x[k] + (f->span > 1 ? side * f->span * d->step[k] : 0));
  }
}

// The derivatives of all parameters from the caller. Returns false if there are none.
static bool find_exact(Search* f) {
  const HeftFitDef* d = f->def;
  const int samples = f->span > 1 ? WIDE_SAMPLES : 1;
  const long size = d->count * d->parameters;
  if (!d->jacobian) return false;
  memset(f->j, 0, (size_t)size * sizeof(double));
  for (int s = 0; s < samples; ++s) {
    HeftError why = {0};
    place_sample(f, s);
    ++f->fit->jacobians;
    if (d->jacobian(d->user, f->trial, f->one, &why) != HEFT_OK) return false;
    for (long i = 0; i < size; ++i) f->j[i] += f->one[i] / samples;
  }
  for (long i = 0; i < size; ++i)
    if (!isfinite(f->j[i])) return false;
  return true;
}

static void find_jacobian(Search* f) {
  f->fit->exact = find_exact(f);
  for (int k = 0; k < f->def->parameters && !f->fit->exact; ++k) differentiate(f, k);
}

static void assemble(Search* f) {
  const int p = f->def->parameters;
  const long n = f->def->count;
  find_jacobian(f);
  for (int i = 0; i < p; ++i) {
    const double* ji = f->j + i * n;
    f->g[i] = 0;
    for (long t = 0; t < n; ++t) f->g[i] -= f->weight[t] * ji[t] * f->r[t];
    for (int k = 0; k <= i; ++k) {
      const double* jk = f->j + k * n;
      double sum = 0;
      for (long t = 0; t < n; ++t) sum += f->weight[t] * ji[t] * jk[t];
      f->a[i * p + k] = f->a[k * p + i] = sum;
    }
  }
  heft_normal_decompose(&f->normal, p, f->a, weak);
  hold(f);
}

static double variance(const Search* f) {
  const int p = f->def->parameters;
  const long n = f->def->count;
  double sum = 0, inside = 0;
  for (long i = 0; i < n; ++i) {
    sum += f->weight[i] * f->weight[i] * f->r[i] * f->r[i];
    inside += f->weight[i] == 1;
  }
  const double m = inside / (double)n, kappa = 1 + (double)p * (1 - m) / ((double)n * m);
  return f->def->robust && m > 0 ? kappa * kappa * sum / (double)(n - p) / (m * m)
                                 : sum / (double)(n - p);
}

// 1: a step was taken, 0: none reduces the cost, or it is below the noise.
static int improve(Search* f, double* lambda) {
  const int p = f->def->parameters;
  const double s = sqrt(variance(f)), enough = f->span > 1 ? 0.01 * s * s : 0;
  const double below = cost_of(f, f->r) - enough;  // a wide span must gain more than rounding
  for (; *lambda < lambda_max; *lambda *= 10) {
    double step[HEFT_FIT_MAX], far = 0;
    heft_normal_solve(&f->inner, *lambda, f->g, step);
    for (int k = 0; k < p; ++k) {
      f->trial[k] = limited(f->def, k, f->x[k] + step[k]);
      const double error = s * sqrt(heft_normal_inverse(&f->normal, k, k));
      far = fmax(far, fabs(f->trial[k] - f->x[k]) / fmax(error, 1e-9 * f->def->step[k]));
    }
    if (far < close) return 0;
    if (evaluate(f, f->trial, f->plus, NULL) != HEFT_OK || !(cost_of(f, f->plus) < below)) continue;
    memcpy(f->x, f->trial, (size_t)p * sizeof(double));
    memcpy(f->r, f->plus, (size_t)f->def->count * sizeof(double));
    *lambda = fmax(1e-9, *lambda / 10);
    return 1;
  }
  return 0;
}

// ---- the result

// The largest correlation of neighbours in a series, and the factor by which it widens intervals.
static double widen(Search* f) {
  const HeftFitDef* d = f->def;
  double factor = 1;
  const long length = d->series > 0 ? d->count / d->series : 0;
  for (int k = 0; k < d->series && length > 2; ++k) {
    const double* r = f->r + k * length;
    double together = 0, alone = 0;
    for (long t = 0; t + 1 < length; ++t) together += r[t] * r[t + 1];
    for (long t = 0; t < length; ++t) alone += r[t] * r[t];
    const double rho = alone > 0 ? together / alone : 0;
    if (k == 0 || rho > f->fit->correlation) f->fit->correlation = rho;
    if (rho > 3 / sqrt((double)length)) {
      f->fit->correlated = true;
      factor = fmax(factor, sqrt((1 + fmin(rho, 0.9999)) / (1 - fmin(rho, 0.9999))));
    }
  }
  return factor;
}

static void conclude(Search* f) {
  const HeftFitDef* d = f->def;
  const double s2 = variance(f), wider = widen(f);
  f->fit->noise = sqrt(s2);
  for (int k = 0; k < d->parameters; ++k) {
    const double error = wider * sqrt(s2 * heft_normal_inverse(&f->normal, k, k));
    HeftEstimate* e = &f->fit->estimate[k];
    *e = heft_estimate_make(f->x[k], error, (double)(d->count - d->parameters));
    e->excited = heft_normal_excites(&f->normal, k, &e->partner);
  }
}

static HeftStatus search(Search* f, HeftError* error) {
  const int most = f->def->iterations > 0 ? f->def->iterations : 50;
  double lambda = 1e-3;
  const HeftStatus status = evaluate(f, f->x, f->r, error);
  if (status != HEFT_OK) return status;
  f->span = 1;
  for (f->fit->iterations = 0; f->fit->iterations < most; ++f->fit->iterations) {
    set_weights(f);
    assemble(f);
    if (improve(f, &lambda) == 1) {
      if (!f->fit->exact) f->span = 1;
      continue;
    }
    f->fit->converged = f->span > 1;
    if (f->fit->converged) break;
    f->span = wide;
    lambda = 1e-3;
  }
  if (!(f->fit->converged && f->fit->exact)) {  // else the end has its own
    f->span = 1;
    set_weights(f);
    assemble(f);
  }
  if (f->exhausted.status == HEFT_ERR_MEMORY)
    return heft_error_set(error, HEFT_ERR_MEMORY, "%s", f->exhausted.message);
  conclude(f);
  return HEFT_OK;
}

HeftStatus heft_fit(const HeftFitDef* d, HeftFit* out, HeftError* error) {
  HEFT_REQUIRE(d && out && d->residuals && d->start && d->step, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(d->parameters > 0 && d->parameters <= HEFT_FIT_MAX && d->count > d->parameters,
               HEFT_ERR_ARGUMENT);
  const HeftAllocator allocator =
      allocator_or_default(d->allocator.allocate ? &d->allocator : NULL);
  const size_t n = (size_t)d->count,
               size = sizeof(Search) + (4 + 2 * (size_t)d->parameters) * n * 8;
  memset(out, 0, sizeof *out);
  Search* f = allocator.allocate(allocator.user, size, 64);
  if (!f) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a fit of %zu numbers", n);
  memset(f, 0, sizeof *f);
  double* room = (double*)(f + 1);
  f->def = d;
  f->fit = out;
  f->r = room;
  f->weight = room + n;
  f->plus = room + 2 * n;
  f->minus = room + 3 * n;
  f->j = room + 4 * n;
  f->one = f->j + n * (size_t)d->parameters;
  for (int k = 0; k < d->parameters; ++k) f->x[k] = limited(d, k, d->start[k]);
  const HeftStatus status = search(f, error);
  allocator.release(allocator.user, f, size);
  return status;
}
