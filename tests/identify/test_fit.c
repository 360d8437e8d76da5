// SPDX-License-Identifier: Apache-2.0
// Papers: R50, R68.
// Least squares, its intervals and its warnings; pulls; calibration of sensors.
#include <heft/heft.h>
#include <math.h>
#include <string.h>
#include "identify/identify.h"

#include "support/check.h"

enum { N = 200 };

// A number from the noise of a sensor: normal, the same in every run.
static double normal(int seed, int index) {
  HeftForceSensor s = heft_force_sensor_default();
  double raw[6];
  s.noise[0] = 1;
  s.seed = (uint64_t)seed;
  heft_force_sensor_read(&s, heft_quat_identity(), (HeftSpatial){0}, (uint64_t)index, raw);
  return raw[0];
}

static void the_factor_is_that_of_student(void** state) {
  (void)state;
  // quantiles of Student's distribution for 95.45 %, from the Guide to the Expression of
  // Uncertainty in Measurement, table G.2
  const struct {
    double freedom, factor;
  } table[] = {{1, 13.97}, {2, 4.53},  {3, 3.31},  {4, 2.87},  {5, 2.65},
               {8, 2.37},  {10, 2.28}, {20, 2.13}, {50, 2.05}, {1e9, 2.0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    assert_true(fabs(heft_estimate_factor(table[i].freedom) - table[i].factor) < 0.015);
}

// ---- any function

typedef struct Data {
  double x[N], y[N];
  int kind;
} Data;

enum { DECAY, SUM, UNUSED, LINE };

static HeftStatus residuals(void* user, const double* p, double* r, HeftError* error) {
  const Data* d = user;
  (void)error;
  for (int i = 0; i < N; ++i) {
    const double t = d->x[i];
    const double model = d->kind == DECAY    ? p[0] * heft_exp(-p[1] * t)
                         : d->kind == SUM    ? (p[0] + p[1]) * t
                         : d->kind == UNUSED ? p[0] * t
                                             : p[0] + p[1] * t;
    r[i] = d->y[i] - model;
  }
  return HEFT_OK;
}

static HeftFitDef def_of(Data* d) {
  static const double start[2] = {1, 1}, step[2] = {1e-4, 1e-4};
  return (HeftFitDef){
      .residuals = residuals, .user = d, .parameters = 2, .count = N, .start = start, .step = step};
}

static void make(Data* d, int kind, int seed, double noise) {
  d->kind = kind;
  for (int i = 0; i < N; ++i) {
    d->x[i] = 0.01 * i;
    d->y[i] = noise * normal(seed, i) + (kind == DECAY  ? 3 * heft_exp(-2 * d->x[i])
                                         : kind == LINE ? 0.5 + 3 * d->x[i]
                                                        : 3 * d->x[i]);
  }
}

static void a_decay_is_found_and_its_intervals_hold(void** state) {
  (void)state;
  int inside[2] = {0};
  for (int seed = 1; seed <= 100; ++seed) {
    Data d;
    HeftFit fit;
    make(&d, DECAY, seed, 0.05);
    const HeftFitDef def = def_of(&d);
    assert_int_equal(heft_fit(&def, &fit, NULL), HEFT_OK);
    assert_true(fit.converged);
    assert_true(fabs(fit.noise - 0.05) < 0.012);
    const double truth[2] = {3, 2};
    for (int k = 0; k < 2; ++k) {
      assert_true(fit.estimate[k].excited);
      assert_true(fabs(fit.estimate[k].value - truth[k]) < 0.2);
      inside[k] += fit.estimate[k].low <= truth[k] && truth[k] <= fit.estimate[k].high;
    }
  }
  // 95.45 of 100 are expected, with a deviation of 2.1
  for (int k = 0; k < 2; ++k) assert_true(inside[k] >= 90 && inside[k] <= 100);
}

static void what_cannot_be_told_apart_is_named(void** state) {
  (void)state;
  Data d;
  HeftFit fit;
  make(&d, SUM, 1, 0.01);
  HeftFitDef def = def_of(&d);
  assert_int_equal(heft_fit(&def, &fit, NULL), HEFT_OK);
  assert_false(fit.estimate[0].excited);
  assert_false(fit.estimate[1].excited);
  assert_int_equal(fit.estimate[0].partner, 1);
  assert_int_equal(fit.estimate[1].partner, 0);
  assert_true(fabs(fit.estimate[0].value + fit.estimate[1].value - 3) < 0.01);
  d.kind = UNUSED;
  assert_int_equal(heft_fit(&def, &fit, NULL), HEFT_OK);
  assert_true(fit.estimate[0].excited);
  assert_false(fit.estimate[1].excited);
  assert_int_equal(fit.estimate[1].partner, -1);
}

static void limits_hold(void** state) {
  (void)state;
  Data d;
  HeftFit fit;
  make(&d, LINE, 2, 0.01);
  HeftFitDef def = def_of(&d);
  const double low[2] = {0.8, -10}, high[2] = {9, 10};
  def.low = low;
  def.high = high;
  assert_int_equal(heft_fit(&def, &fit, NULL), HEFT_OK);
  assert_true(fit.converged);
  assert_true(fit.estimate[0].value == 0.8);
  // the slope of the best line through (0, 0.8): Σ t (y - 0.8) / Σ t²
  double ty = 0, tt = 0;
  for (int i = 0; i < N; ++i) {
    ty += d.x[i] * (d.y[i] - 0.8);
    tt += d.x[i] * d.x[i];
  }
  assert_true(fabs(fit.estimate[1].value - ty / tt) < 1e-5);
}

static void outliers_count_less_in_a_robust_fit(void** state) {
  (void)state;
  Data d;
  HeftFit plain, robust;
  make(&d, LINE, 3, 0.02);
  for (int i = 0; i < N; i += 10) d.y[i] += 5;
  HeftFitDef def = def_of(&d);
  assert_int_equal(heft_fit(&def, &plain, NULL), HEFT_OK);
  def.robust = true;
  assert_int_equal(heft_fit(&def, &robust, NULL), HEFT_OK);
  assert_true(fabs(plain.estimate[0].value - 0.5) > 0.2);
  assert_true(fabs(robust.estimate[0].value - 0.5) < 0.02);
  assert_true(fabs(robust.estimate[1].value - 3) < 0.02);
}

static void correlated_errors_widen_the_intervals(void** state) {
  (void)state;
  Data d;
  HeftFit white, red;
  make(&d, LINE, 4, 0.02);
  HeftFitDef def = def_of(&d);
  def.series = 1;
  assert_int_equal(heft_fit(&def, &white, NULL), HEFT_OK);
  assert_false(white.correlated);
  double slow = 0;
  for (int i = 0; i < N; ++i) {
    slow = 0.9 * slow + 0.02 * normal(5, i);
    d.y[i] += slow;
  }
  assert_int_equal(heft_fit(&def, &red, NULL), HEFT_OK);
  assert_true(red.correlated);
  assert_true(red.correlation > 0.5);
  assert_true(red.estimate[0].error > 3 * white.estimate[0].error);
}

static HeftStatus broken(void* user, const double* p, double* r, HeftError* error) {
  (void)user;
  (void)p;
  (void)error;
  for (int i = 0; i < N; ++i) r[i] = i == 7 ? (double)NAN : 0;
  return HEFT_OK;
}

static void residuals_that_are_not_finite_are_refused(void** state) {
  (void)state;
  Data d;
  HeftFit fit;
  HeftError error;
  make(&d, LINE, 1, 0);
  HeftFitDef def = def_of(&d);
  def.residuals = broken;
  assert_int_equal(heft_fit(&def, &fit, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "residual 7"));
}

// ---- pulls

static void noisy_loads_do_not_flatten_the_line(void** state) {
  (void)state;
  double load[N], pull[N];
  HeftEstimate plain, both, offset;
  for (int i = 0; i < N; ++i) {
    const double truth = 10 + 0.1 * i;
    load[i] = truth + 4 * normal(1, i);
    pull[i] = 0.5 * truth + 4 * normal(2, i) + 6;
  }
  HeftPulls p = {.load = load, .pull = pull, .count = N, .with_offset = true};
  assert_int_equal(heft_identify_pulls(&p, &plain, &offset, NULL), HEFT_OK);
  p.load_noise = 1;
  assert_int_equal(heft_identify_pulls(&p, &both, &offset, NULL), HEFT_OK);
  assert_true(plain.high < 0.5);  // the loads scatter by 5.8 N and have errors of 4 N: a third less
  assert_true(both.low < 0.5 && 0.5 < both.high);
  assert_true(offset.low < 6 && 6 < offset.high);
}

static void proportional_errors_give_the_mean_of_ratios(void** state) {
  (void)state;
  const double load[3] = {10, 20, 80}, pull[3] = {5, 9, 44};
  HeftEstimate found, offset;
  const HeftPulls p = {.load = load, .pull = pull, .count = 3, .proportional = true};
  assert_int_equal(heft_identify_pulls(&p, &found, &offset, NULL), HEFT_OK);
  // a search ends within a thousandth of the standard error; the deviation of the ratios is 0.05
  assert_true(fabs(found.value - (0.5 + 0.45 + 0.55) / 3) < 1e-3 * found.error);
  assert_true(fabs(found.error - 0.05 / sqrt(3)) < 1e-6);
  assert_false(offset.excited);
}

static void wrong_pulls_are_refused(void** state) {
  (void)state;
  const double load[2] = {10, -1}, pull[2] = {5, 9};
  HeftEstimate found, offset;
  HeftError error;
  HeftPulls p = {.load = load, .pull = pull, .count = 2};
  assert_int_equal(heft_identify_pulls(&p, &found, &offset, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "pull 2"));
  p.count = 1;
  assert_int_equal(heft_identify_pulls(&p, &found, &offset, &error), HEFT_ERR_VALUE);
}

// ---- calibration

enum { ROWS = 400 };

static void fill(double* wrench, double* raw, int axes, int weight_only, double noise) {
  for (int t = 0; t < ROWS; ++t) {
    double f[6];
    for (int i = 0; i < 6; ++i) f[i] = 10 * normal(10 + i, t);
    if (weight_only) {  // the torque of one weight at (0, 0, 0.1): 0.1 e_z × f
      f[3] = -0.1 * f[1];
      f[4] = 0.1 * f[0];
      f[5] = 0;
    }
    for (int i = 0; i < axes; ++i) {  // raw = A f - d, with A of 1.1 and 0.05, d = 1 + i
      double sum = -(1.0 + i);
      for (int k = 0; k < axes; ++k) sum += (i == k ? 1.1 : 0.05) * f[k];
      wrench[t * axes + i] = f[i];
      raw[t * axes + i] = sum + noise * normal(20 + i, t);
    }
  }
}

static void a_calibration_is_the_inverse(void** state) {
  (void)state;
  static double wrench[ROWS * 6], raw[ROWS * 6];
  HeftCalibration c;
  fill(wrench, raw, 6, 0, 0);
  assert_int_equal(heft_identify_calibration(6, ROWS, wrench, raw, &c, NULL), HEFT_OK);
  // the inverse of (1.05 I + 0.05 1 1ᵀ): (I - 0.05 / (1.05 + 6 · 0.05) 1 1ᵀ) / 1.05
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k)
      assert_true(fabs(c.matrix[i][k].value - ((i == k) - 0.05 / 1.35) / 1.05) < 1e-9);
    assert_true(fabs(c.offset[i].value - (1 + i)) < 1e-9);
  }
  fill(wrench, raw, 6, 0, 0.3);
  assert_int_equal(heft_identify_calibration(6, ROWS, wrench, raw, &c, NULL), HEFT_OK);
  int inside = 0;
  for (int i = 0; i < 6; ++i) {
    assert_true(fabs(c.noise[i] - 0.3) < 0.04);
    for (int k = 0; k < 6; ++k) {
      const double truth = ((i == k) - 0.05 / 1.35) / 1.05;
      inside += c.matrix[i][k].low <= truth && truth <= c.matrix[i][k].high;
    }
  }
  assert_true(inside >= 31);
}

static void missing_loads_are_named(void** state) {
  (void)state;
  static double wrench[ROWS * 6], raw[ROWS * 6];
  HeftCalibration c;
  HeftError error;
  fill(wrench, raw, 6, 1, 0);
  assert_int_equal(heft_identify_calibration(6, ROWS, wrench, raw, &c, &error), HEFT_ERR_SINGULAR);
  assert_int_equal(c.rank, 4);
  assert_non_null(strstr(error.message, "4 independent directions"));
  assert_non_null(strstr(error.message, "weights at other places"));
  fill(wrench, raw, 3, 1, 0);  // the forces alone
  assert_int_equal(heft_identify_calibration(3, ROWS, wrench, raw, &c, &error), HEFT_OK);
}

static void a_dead_channel_is_named(void** state) {
  (void)state;
  static double wrench[ROWS * 6], raw[ROWS * 6];
  HeftCalibration c;
  HeftError error;
  fill(wrench, raw, 6, 0, 0);
  for (int t = 0; t < ROWS; ++t) raw[6 * t + 2] = 0;
  assert_int_equal(heft_identify_calibration(6, ROWS, wrench, raw, &c, &error), HEFT_ERR_SINGULAR);
  assert_non_null(strstr(error.message, "dead"));
  assert_int_equal(heft_identify_calibration(6, 5, wrench, raw, &c, &error), HEFT_ERR_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_factor_is_that_of_student),
      cmocka_unit_test(a_decay_is_found_and_its_intervals_hold),
      cmocka_unit_test(what_cannot_be_told_apart_is_named),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(outliers_count_less_in_a_robust_fit),
      cmocka_unit_test(correlated_errors_widen_the_intervals),
      cmocka_unit_test(residuals_that_are_not_finite_are_refused),
      cmocka_unit_test(noisy_loads_do_not_flatten_the_line),
      cmocka_unit_test(proportional_errors_give_the_mean_of_ratios),
      cmocka_unit_test(wrong_pulls_are_refused),
      cmocka_unit_test(a_calibration_is_the_inverse),
      cmocka_unit_test(missing_loads_are_named),
      cmocka_unit_test(a_dead_channel_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
