// SPDX-License-Identifier: Apache-2.0
// Numbers of runs: Sobol points and Latin hypercubes fill their strata exactly, random numbers are
// uniform, permutations are permutations, quantiles are those of the distribution, and a run
// depends on its number alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "sweep/sample.h"
#include "sweep/sobol.h"

static Plan* plan_of(const char* text) {
  HeftError error = {0};
  Plan* plan = NULL;
  if (plan_read_bytes(&plan, text, strlen(text), "plan.toml", 0, &error) != HEFT_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return plan;
}

// The first 2^k points have one point in each of 2^k intervals of each coordinate.
static void test_sobol_strata(void** state) {
  (void)state;
  for (int d = 0; d < SOBOL_DIMENSIONS; ++d)
    for (int k = 1; k <= 12; ++k) {
      char seen[1 << 12] = {0};
      for (uint64_t i = 0; i < 1u << k; ++i) ++seen[sobol_bits(d, i) >> (SOBOL_BITS - k)];
      for (int i = 0; i < 1 << k; ++i) assert_int_equal(seen[i], 1);
    }
}

// The first points in two dimensions: Bratley and Fox 1988, in the order of binary numbers.
static void test_sobol_points(void** state) {
  (void)state;
  static const double first[8][2] = {{0, 0},         {0.5, 0.5},     {0.25, 0.75},
                                     {0.75, 0.25},   {0.125, 0.625}, {0.625, 0.125},
                                     {0.375, 0.375}, {0.875, 0.875}};
  for (int i = 0; i < 8; ++i)
    for (int d = 0; d < 2; ++d)
      assert_true((double)sobol_bits(d, (uint64_t)i) * 0x1p-52 == first[i][d]);
}

// Pairs of dimensions 0 and 1: each of 2^k equal boxes of any shape has one of 2^k points.
static void test_sobol_boxes(void** state) {
  (void)state;
  enum { K = 10 };
  for (int split = 0; split <= K; ++split) {
    char seen[1 << K] = {0};
    for (uint64_t i = 0; i < 1u << K; ++i) {
      const uint64_t a = split ? sobol_bits(0, i) >> (SOBOL_BITS - split) : 0;
      const uint64_t b = split < K ? sobol_bits(1, i) >> (SOBOL_BITS - (K - split)) : 0;
      ++seen[a << (K - split) | b];
    }
    for (int i = 0; i < 1 << K; ++i) assert_int_equal(seen[i], 1);
  }
}

static void test_permutation(void** state) {
  (void)state;
  static const uint64_t counts[] = {1, 2, 3, 7, 64, 1000, 4097};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (uint64_t key = 0; key < 3; ++key) {
      char seen[4097] = {0};
      uint64_t fixed = 0;
      for (uint64_t i = 0; i < counts[c]; ++i) {
        const uint64_t x = sample_permute(i, counts[c], key);
        assert_true(x < counts[c]);
        ++seen[x];
        fixed += x == i;
      }
      for (uint64_t i = 0; i < counts[c]; ++i) assert_int_equal(seen[i], 1);
      if (counts[c] >= 64) assert_true(fixed < 10);
    }
}

static void test_latin(void** state) {
  (void)state;
  enum { N = 1000 };
  Plan* plan = plan_of(
      "model = 'm'\nduration = 1\nruns = 1000\nmethod = 'latin'\nseed = 3\n"
      "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nmin = 0\nmax = 1\n"
      "[[vary]]\nname = 'b'\nwhat = 'gravity_x'\nmin = 0\nmax = 1\n");
  char seen[2][N] = {{0}};
  double product = 0;
  for (int64_t run = 0; run < N; ++run) {
    double x[2];
    sample_run(plan, run, x);
    for (int d = 0; d < 2; ++d) ++seen[d][(int)(x[d] * N)];
    product += (x[0] - 0.5) * (x[1] - 0.5);
  }
  for (int d = 0; d < 2; ++d)
    for (int i = 0; i < N; ++i) assert_int_equal(seen[d][i], 1);
  assert_true(fabs(product / N * 12) < 0.1);  // the correlation of two dimensions
  plan_destroy(plan);
}

// Chi-squared of 100 cells and 1e5 numbers: 99 +- 14; and both halves of a run are independent.
static void test_uniform(void** state) {
  (void)state;
  enum { N = 100000, CELLS = 100 };
  for (uint64_t d = 0; d < 3; ++d) {
    int count[CELLS] = {0};
    double sum = 0, chi = 0;
    for (uint64_t i = 0; i < N; ++i) {
      const double u = sample_uniform(7, 1, i, d);
      assert_true(u > 0 && u < 1);
      ++count[(int)(u * CELLS)];
      sum += (u - 0.5) * (sample_uniform(7, 1, i, d + 1) - 0.5);
    }
    for (int i = 0; i < CELLS; ++i) chi += pow(count[i] - N / CELLS, 2) / (N / CELLS);
    assert_true(chi > 50 && chi < 160);
    assert_true(fabs(12 * sum / N) < 0.015);
  }
}

static void test_normal(void** state) {
  (void)state;
  for (double x = -8; x <= 8; x += 0.01) {
    const double p = 0.5 * erfc(-x / sqrt(2));
    if (p > 0.999) continue;  // 1 - p has lost its digits
    assert_true(fabs(sample_normal(p) - x) < 1e-12 * fmax(1, fabs(x)) + 1e-15 / p);
  }
  assert_true(sample_normal(0.5) == 0);
}

static void test_distributions(void** state) {
  (void)state;
  enum { N = 20000 };
  Plan* plan = plan_of(
      "model = 'm'\nduration = 1\nruns = 20000\n"
      "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nshape = 'normal'\nmean = 2\ndeviation = 3\n"
      "[[vary]]\nname = 'b'\nwhat = 'gravity_x'\nshape = 'log'\nmin = 1\nmax = 100\n"
      "[[vary]]\nname = 'c'\nwhat = 'gravity_y'\nshape = 'normal'\nmean = 0\ndeviation = 1\n"
      "min = -1\nmax = 2\n");
  double mean = 0, square = 0, below = 0, cut = 0;
  for (int64_t run = 0; run < N; ++run) {
    double x[3];
    sample_run(plan, run, x);
    mean += x[0] / N;
    square += (x[0] - 2) * (x[0] - 2) / N;
    below += (x[1] < 10) / (double)N;
    assert_true(x[1] >= 1 && x[1] <= 100);
    assert_true(x[2] >= -1 && x[2] <= 2);
    cut += (x[2] < 0) / (double)N;
  }
  assert_true(fabs(mean - 2) < 0.1);
  assert_true(fabs(square - 9) < 0.4);
  assert_true(fabs(below - 0.5) < 0.02);
  // (Φ(0) - Φ(-1)) / (Φ(2) - Φ(-1))
  assert_true(fabs(cut - 0.341345 / 0.818595) < 0.02);
  plan_destroy(plan);
}

static void test_grid(void** state) {
  (void)state;
  Plan* plan = plan_of(
      "model = 'm'\nduration = 1\nrepeat = 2\n"
      "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nvalues = [1, 2, 3]\n"
      "[[vary]]\nname = 'r'\nwhat = 'gravity_y'\nmin = 0\nmax = 1\n"
      "[[vary]]\nname = 'b'\nwhat = 'gravity_x'\nmin = 0\nmax = 1\ncount = 5\n");
  assert_int_equal(plan->runs, 30);
  double x[3], last = -1;
  for (int64_t run = 0; run < 30; ++run) {
    sample_run(plan, run, x);
    assert_true(x[0] == 1 + run / 10);
    assert_true(x[2] == 0.25 * (double)(run / 2 % 5));
    assert_true(x[1] != last);
    last = x[1];
  }
  plan_destroy(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sobol_strata), cmocka_unit_test(test_sobol_points),
      cmocka_unit_test(test_sobol_boxes),  cmocka_unit_test(test_permutation),
      cmocka_unit_test(test_latin),        cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_normal),       cmocka_unit_test(test_distributions),
      cmocka_unit_test(test_grid)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
