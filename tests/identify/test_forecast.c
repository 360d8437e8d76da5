// SPDX-License-Identifier: Apache-2.0
// Probabilities from ensembles: their trust, their score, and regions.
#include <heft/heft.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "identify/identify.h"

#include "support/check.h"

static double uniform(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void shares_become_probabilities(void** state) {
  (void)state;
  const HeftForecast f = {3, {9, 0, 0}, -1};
  double p[HEFT_OUTCOMES_MAX];
  heft_forecast_probabilities(&f, heft_trust_default(), p);
  assert_true(fabs(p[0] - 9.5 / 10.5) < 1e-12);
  assert_true(fabs(p[1] - 0.5 / 10.5) < 1e-12);
  heft_forecast_probabilities(&f, (HeftTrust){1, 0.5}, p);
  assert_true(fabs(p[0] - sqrt(10) / (sqrt(10) + 2)) < 1e-12);
}

// Ensembles of 100 runs whose odds are the cube of the true ones: too sure.
enum { MANY = 4000 };
static HeftForecast* make(double power) {
  HeftForecast* f = calloc(MANY, sizeof *f);
  uint64_t s = 3;
  for (int i = 0; i < MANY; ++i) {
    const double p = uniform(&s), a = heft_exp(power * heft_log(p)),
                 b = heft_exp(power * heft_log(1 - p));
    f[i].outcomes = 2;
    for (int k = 0; k < 100; ++k) ++f[i].runs[uniform(&s) < a / (a + b)];
    f[i].happened = uniform(&s) < p;
  }
  return f;
}

static void trust_is_learned(void** state) {
  (void)state;
  const double powers[] = {1, 3};
  for (int i = 0; i < 2; ++i) {
    HeftForecast* f = make(powers[i]);
    HeftTrust trust;
    HeftForecastScore raw, mended;
    assert_int_equal(heft_trust_fit(f, MANY / 2, &trust, NULL), HEFT_OK);
    // the expectation draws it towards 1
    assert_true(fabs(trust.power * powers[i] - 1) < 0.2);
    heft_forecast_score(f + MANY / 2, MANY / 2, heft_trust_default(), &raw);
    heft_forecast_score(f + MANY / 2, MANY / 2, trust, &mended);
    // what it expects of itself is what it gets
    assert_true(fabs(mended.log_loss - mended.expected_loss) < 0.03);
    if (i == 1) assert_true(raw.log_loss > mended.log_loss + 0.05);
    for (int b = 0; b < HEFT_FORECAST_BINS; ++b) {
      const HeftForecastBin* bin = &mended.bin[b];
      if (bin->count < 50) continue;
      const double share = (double)bin->happened / (double)bin->count;
      assert_true(fabs(share - bin->said) < 4 * sqrt(0.25 / (double)bin->count));
    }
    free(f);
  }
}

static void few_observations_are_refused(void** state) {
  (void)state;
  HeftForecast f[12];
  HeftTrust trust;
  HeftError error = {0};
  for (int i = 0; i < 12; ++i) f[i] = (HeftForecast){2, {5, 5}, i < 9 ? 0 : -1};
  assert_int_equal(heft_trust_fit(f, 12, &trust, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "9 observations"));
}

static void regions_hold_their_share(void** state) {
  (void)state;
  enum { CASES = 2000, RUNS = 50 };
  static double distance[CASES];
  uint64_t s = 5;
  for (int i = 0; i < CASES; ++i) {
    double x[RUNS + 1][2];
    for (int k = 0; k <= RUNS; ++k) {
      const double a = uniform(&s), b = uniform(&s);
      x[k][0] = 3 + a;
      x[k][1] = 1000 * a + b;  // nearly along a line, in another unit
      if (k == RUNS) x[k][1] += b;
    }
    distance[i] = heft_region_distance(2, RUNS, x[0], x[RUNS]);
  }
  const double size = heft_region_size(distance, CASES / 2, 0.9);
  int inside = 0;
  for (int i = CASES / 2; i < CASES; ++i) inside += distance[i] <= size;
  assert_in_range(inside, 870, 930);
  const double square[] = {0, 0, 2, 0, 0, 2, 2, 2}, at[] = {1, 1 + sqrt(4.0 / 3)};
  assert_true(fabs(heft_region_distance(2, 4, square, at) - 1) < 1e-12);
  assert_true(isinf(heft_region_size(distance, 5, 0.9)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_become_probabilities),
      cmocka_unit_test(trust_is_learned),
      cmocka_unit_test(few_observations_are_refused),
      cmocka_unit_test(regions_hold_their_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
