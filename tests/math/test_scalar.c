// SPDX-License-Identifier: Apache-2.0
// Maximum, minimum and limits with their rules for NaN, and histograms.
#include "math/scalar.h"

#include <math.h>

#include "math/histogram.h"
#include "support/check.h"

static void test_rules_for_nan(void** state) {
  (void)state;
  assert_true(heft_max(1, 2) == 2 && heft_max(2, 1) == 2 && heft_min(1, 2) == 1 &&
              heft_min(2, 1) == 1);
  assert_true(heft_max(1, NAN) == 1 && isnan(heft_max(NAN, 1)));
  assert_true(heft_min(1, NAN) == 1 && isnan(heft_min(NAN, 1)));
  assert_true(signbit(heft_max(-0.0, 0.0)) && !signbit(heft_max(0.0, -0.0)));
  assert_true(heft_max_or_nan(1, 2) == 2 && heft_max_or_nan(2, 1) == 2);
  assert_true(isnan(heft_max_or_nan(1, NAN)) && isnan(heft_max_or_nan(NAN, 1)));
}

static void test_limits(void** state) {
  (void)state;
  assert_true(heft_clamp(3, -1, 2) == 2 && heft_clamp(-3, -1, 2) == -1 &&
              heft_clamp(1, -1, 2) == 1);
  assert_true(isnan(heft_clamp(NAN, -1, 2)));
  assert_true(heft_clamp(INFINITY, -1, 2) == 2 && heft_clamp(-INFINITY, -1, 2) == -1);
}

static void test_histogram(void** state) {
  (void)state;
  const HistogramScale scale = {1e-6, 0.17328679513998632735, 64};  // quarters of an octave
  assert_int_equal(histogram_bin(scale, 0), 0);
  assert_int_equal(histogram_bin(scale, -1), 0);
  assert_int_equal(histogram_bin(scale, NAN), 0);
  assert_int_equal(histogram_bin(scale, 1.01e-6), 0);
  assert_int_equal(histogram_bin(scale, 2.01e-6), 4);
  assert_int_equal(histogram_bin(scale, 1.99e-6), 3);
  assert_int_equal(histogram_bin(scale, 1e9), 63);
  assert_int_equal(histogram_bin(scale, INFINITY), 63);
  long bins[64] = {0};
  assert_true(histogram_quantile(scale, bins, 0.5) == 0);
  for (int k = 1; k <= 100; ++k) ++bins[histogram_bin(scale, 1e-5 * k)];
  const double middle = histogram_quantile(scale, bins, 0.5);
  assert_true(middle >= 5e-4 && middle <= 5e-4 * 1.19);
  const double last = histogram_quantile(scale, bins, 1);
  assert_true(last >= 1e-3 && last <= 1e-3 * 1.19);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_for_nan),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_histogram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
