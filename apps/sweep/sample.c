// SPDX-License-Identifier: Apache-2.0
// Random numbers are hashes of (seed, purpose, run, dimension): a counter instead of a state, as in
// Salmon and others 2011. No function of the C library is used whose bits differ between machines.
//
// Latin hypercube of N runs: run r has in each dimension the place (p(r) + u) / N, with a
// permutation p of 0 .. N - 1 for each dimension. p is a network of Feistel on the least number of
// bits that holds N, taken again until the result is below N (Black and Rogaway 2002): a
// permutation of any length without a table.
//
// Sobol: the points of sobol.c, with all bits of a dimension flipped by a random mask (digital
// shift), which keeps their even distribution; the seed chooses another set.
#include "sweep/sample.h"

#include <heft/math.h>
#include <math.h>

#include "sweep/sobol.h"

enum { PURPOSE_VALUE = 1, PURPOSE_LATIN, PURPOSE_SHIFT, PURPOSE_NOISE, PURPOSE_IMPACT };

static uint64_t mix(uint64_t seed, uint64_t purpose, uint64_t run, uint64_t dimension) {
  const uint64_t word[4] = {seed, purpose, run, dimension};
  unsigned char bytes[32];
  for (int i = 0; i < 32; ++i) bytes[i] = (unsigned char)(word[i / 8] >> (8 * (i % 8)));
  return heft_hash(bytes, sizeof bytes, 0);
}

double sample_uniform(uint64_t seed, uint64_t purpose, uint64_t run, uint64_t dimension) {
  return ((double)(mix(seed, purpose, run, dimension) >> 12) + 0.5) * 0x1p-52;
}

uint64_t sample_noise_seed(const Plan* p, int64_t run) {
  return mix(p->seed, PURPOSE_NOISE, (uint64_t)run, 0);
}

double sample_impact(const Plan* p, int64_t run, uint64_t number) {
  return sample_normal(sample_uniform(p->seed, PURPOSE_IMPACT, (uint64_t)run, number));
}

uint64_t sample_permute(uint64_t x, uint64_t count, uint64_t key) {
  int half = 1;
  while (half < 31 && (count - 1) >> (2 * half)) ++half;
  const uint64_t mask = (1ull << half) - 1;
  do {
    for (uint64_t round = 0; round < 6; ++round) {
      const uint64_t left = x >> half, right = x & mask;
      x = right << half | (left ^ (mix(key, round, right, 0) & mask));
    }
  } while (x >= count);
  return x;
}

// ---- normal

static double polynomial(const double* c, double x) {
  double y = c[7];
  for (int i = 6; i >= 0; --i) y = y * x + c[i];
  return y;
}

// Algorithm AS 241, PPND16 (Wichura 1988): relative error about 1e-16.
double sample_normal(double p) {
  static const double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                             1.9715909503065514427e+3, 1.3731693765509461125e+4,
                             4.5921953931549871457e+4, 6.7265770927008700853e+4,
                             3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[] = {1,
                             4.2313330701600911252e+1,
                             6.8718700749205790830e+2,
                             5.3941960214247511077e+3,
                             2.1213794301586595867e+4,
                             3.9307895800092710610e+4,
                             2.8729085735721942674e+4,
                             5.2264952788528545610e+3};
  static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                             5.76949722146069140550e0,  3.64784832476320460504e0,
                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  double r = sqrt(-heft_log(q < 0 ? p : 1 - p));
  if (r <= 5) {
    r -= 1.6;
    r = polynomial(c, r) / polynomial(d, r);
  } else {
    r -= 5;
    r = polynomial(e, r) / polynomial(f, r);
  }
  return q < 0 ? -r : r;
}

// The p whose quantile is x, by halving: only to cut off a normal distribution.
static double normal_share(double x) {
  double low = 0x1p-53, high = 1 - 0x1p-53;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    if (sample_normal(middle) < x)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

// ---- a run

// u from 0 to 1 becomes a value of the distribution.
static double shape_value(const PlanVary* v, double u) {
  if (v->shape == SHAPE_LOG) {
    const double low = heft_log(v->min), high = heft_log(v->max);
    const double x = heft_exp(low + u * (high - low));
    return x < v->min ? v->min : (x > v->max ? v->max : x);
  }
  if (v->shape == SHAPE_UNIFORM) return v->min + u * (v->max - v->min);
  if (v->min == 0 && v->max == 0) return v->mean + v->deviation * sample_normal(u);
  if (v->deviation == 0) return v->mean;
  const double x = v->mean + v->deviation * sample_normal(v->low + u * (v->high - v->low));
  return x < v->min ? v->min : (x > v->max ? v->max : x);
}

static double place_of(const Plan* p, int64_t run, int dimension) {
  const uint64_t r = (uint64_t)run, n = (uint64_t)p->runs, d = (uint64_t)dimension;
  const double u = sample_uniform(p->seed, PURPOSE_VALUE, r, d);
  if (p->method == METHOD_LATIN) {
    const double at = (double)sample_permute(r, n, mix(p->seed, PURPOSE_LATIN, 0, d));
    return (at + u) / (double)n;
  }
  if (p->method != METHOD_SOBOL) return u;
  const uint64_t shift = mix(p->seed, PURPOSE_SHIFT, 0, d) >> 12;
  return ((double)(sobol_bits(dimension, r) ^ shift) + 0.5) * 0x1p-52;
}

static double grid_value(const PlanVary* v, int at) {
  if (v->what == QUANTITY_KEY) return at;
  if (v->values) return v->values->items[at].number;
  return at == v->count - 1 ? v->max : v->min + (v->max - v->min) * at / (v->count - 1);
}

// Repeats are innermost, then the grid from its last variation to its first, then the list.
void sample_run(const Plan* p, int64_t run, double* values) {
  int64_t left = run / p->repeat;
  int dimension = 0;
  for (int i = p->vary_count - 1; i >= 0; --i) {
    if (p->vary[i].shape != SHAPE_GRID) continue;
    values[i] = grid_value(&p->vary[i], (int)(left % p->vary[i].count));
    left /= p->vary[i].count;
  }
  for (int i = 0; i < p->vary_count; ++i) {
    const PlanVary* v = &p->vary[i];
    if (v->shape == SHAPE_GRID) continue;
    if (v->shape == SHAPE_COLUMN)
      values[i] =
          p->list_table.number[left % p->list_table.rows * p->list_table.columns + v->column];
    else
      values[i] = shape_value(v, place_of(p, run, dimension++));
  }
}

HeftStatus sample_prepare(Plan* p, HeftError* error) {
  int dimensions = 0;
  for (int i = 0; i < p->vary_count; ++i) {
    PlanVary* v = &p->vary[i];
    dimensions += v->shape != SHAPE_GRID && v->shape != SHAPE_COLUMN;
    if (v->shape != SHAPE_NORMAL || !(v->deviation > 0) || (v->min == 0 && v->max == 0)) continue;
    v->low = normal_share((v->min - v->mean) / v->deviation);
    v->high = normal_share((v->max - v->mean) / v->deviation);
  }
  if (p->method == METHOD_SOBOL && dimensions > SOBOL_DIMENSIONS)
    return plan_fail(p, 1, 1, error,
                     "method \"sobol\" is for at most %d variations, the plan has %d; use "
                     "\"latin\"",
                     (int)SOBOL_DIMENSIONS, dimensions);
  return HEFT_OK;
}
