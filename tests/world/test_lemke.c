// SPDX-License-Identifier: Apache-2.0
// Lemke's method finds solutions of linear complementarity problems, also of degenerate ones.
#include "world/models/lemke.h"

#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"
#include "support/check.h"

enum { MAX = 40 };

static double worst_error(int n, const double* m, const double* q, const double* z) {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double w = q[i];
    for (int j = 0; j < n; ++j) w += m[i * n + j] * z[j];
    worst = fmax(worst, fmax(fabs(fmin(w, z[i])), -fmin(0, z[i])));
  }
  return worst;
}

static void test_known(void** state) {
  (void)state;
  // Two rows that pull against each other: z = (4/3, 7/3).
  const double m[4] = {2, -1, -1, 2}, q[2] = {-1.0 / 3, -10.0 / 3}, none[2] = {1, 0};
  double z[2], scratch[64];
  assert_true(heft_lemke_scratch(2) <= 64);
  assert_true(heft_lemke(2, m, q, z, scratch) > 0);
  CHECK_AT_MOST(fabs(z[0] - 4.0 / 3), 1e-14);
  CHECK_AT_MOST(fabs(z[1] - 7.0 / 3), 1e-14);
  assert_int_equal(heft_lemke(2, m, none, z, scratch), 0);
  assert_true(z[0] == 0 && z[1] == 0);
}

static void test_ray(void** state) {
  (void)state;
  const double m[1] = {-1}, q[1] = {-1};  // -z - 1 >= 0 has no solution
  double z[1], scratch[16];
  assert_int_equal(heft_lemke(1, m, q, z, scratch), -1);
}

// M = A Aᵀ of rank k, with q = -A x: there is a solution, and for k < n many bases tie.
static void test_random(void** state) {
  (void)state;
  Random random = {7};
  double* scratch = malloc(heft_lemke_scratch(MAX) * sizeof(double));
  for (int round = 0; round < 300; ++round) {
    double a[MAX * MAX], m[MAX * MAX], q[MAX], z[MAX];
    const int n = 2 + round % (MAX - 2), k = round % 3 == 0 ? n : 1 + n / 3;
    for (int i = 0; i < n * k; ++i) a[i] = random_between(&random, -1, 1);
    for (int i = 0; i < n; ++i) {
      q[i] = 0;
      for (int c = 0; c < k; ++c) q[i] -= a[i * k + c] * (c % 2 == 0 ? 1 : -0.5);
      for (int j = 0; j < n; ++j) {
        m[i * n + j] = 0;
        for (int c = 0; c < k; ++c) m[i * n + j] += a[i * k + c] * a[j * k + c];
      }
    }
    assert_true(heft_lemke(n, m, q, z, scratch) >= 0);
    CHECK_AT_MOST(worst_error(n, m, q, z), 1e-9);
  }
  free(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_ray),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
