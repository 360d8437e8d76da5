// SPDX-License-Identifier: Apache-2.0
// Cholesky and LU: residuals of random systems, what they may not touch, and matrices that have no
// factor.
#include "math/dense.h"
#include "math/skyline.h"

#include <string.h>

#include "scenes/random.h"
#include "support/check.h"

enum { MAX = 60, PAD = 5, STRIDE = MAX + PAD };

typedef struct Matrix {
  double a[MAX * STRIDE];
} Matrix;

static void fill_random(Matrix* m, int n, Random* r) {
  for (int i = 0; i < n * STRIDE; ++i) m->a[i] = random_between(r, -1, 1);
}

// B Bᵀ + shift 1; only the lower triangle counts, the rest keeps what is no number.
static void fill_positive(Matrix* m, int n, Random* r, double shift) {
  Matrix b;
  fill_random(&b, n, r);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < STRIDE; ++j) {
      double sum = j > i ? NAN : i == j ? shift : 0;
      for (int k = 0; j <= i && k < n; ++k) sum += b.a[i * STRIDE + k] * b.a[j * STRIDE + k];
      m->a[i * STRIDE + j] = sum;
    }
  }
}

// Largest |A x - b| over |A| |x| + |b|, symmetric: A by its lower triangle.
static double residual(int n, const Matrix* m, const double* x, const double* b, int symmetric) {
  double worst = 0, scale = 0;
  for (int i = 0; i < n; ++i) {
    double sum = -b[i];
    double size = fabs(b[i]);
    for (int j = 0; j < n; ++j) {
      const double a = symmetric && j > i ? m->a[j * STRIDE + i] : m->a[i * STRIDE + j];
      sum += a * x[j];
      size += fabs(a * x[j]);
    }
    worst = fmax(worst, fabs(sum));
    scale = fmax(scale, size);
  }
  return worst / scale;
}

static void test_cholesky_solves(void** state) {
  (void)state;
  Random r = {1};
  for (int n = 1; n <= MAX; ++n) {
    for (int round = 0; round < 5; ++round) {
      Matrix m, l;
      double b[MAX], x[MAX];
      fill_positive(&m, n, &r, 0.01);
      for (int i = 0; i < n; ++i) x[i] = b[i] = random_between(&r, -1, 1);
      l = m;
      assert_int_equal(heft_cholesky_factor(n, l.a, STRIDE), 0);
      heft_cholesky_solve(n, l.a, STRIDE, x);
      CHECK_AT_MOST(residual(n, &m, x, b, 1), 1e-14);
    }
  }
}

// The strict upper triangle and the columns beyond n are neither read (they hold NaN) nor written.
static void test_cholesky_touches_the_lower_triangle_only(void** state) {
  (void)state;
  Random r = {2};
  Matrix m, l;
  const int n = 9;
  fill_positive(&m, n, &r, 0.1);
  l = m;
  assert_int_equal(heft_cholesky_factor(n, l.a, STRIDE), 0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < STRIDE; ++j) {
      const double x = l.a[i * STRIDE + j];
      if (j > i) {
        assert_memory_equal(&x, &m.a[i * STRIDE + j], sizeof x);
      } else {
        double sum = 0;
        for (int k = 0; k <= j; ++k) sum += l.a[i * STRIDE + k] * l.a[j * STRIDE + k];
        CHECK_AT_MOST(fabs(sum - m.a[i * STRIDE + j]), 1e-14);
      }
    }
  }
}

static void test_cholesky_reports_the_row(void** state) {
  (void)state;
  Random r = {3};
  const double bad[] = {-1, NAN, -INFINITY};
  for (int n = 1; n <= 12; ++n) {
    for (int row = 0; row < n; ++row) {
      for (int k = 0; k < 3; ++k) {
        Matrix m;
        fill_positive(&m, n, &r, 0.5);
        m.a[row * STRIDE + row] = bad[k];
        assert_int_equal(heft_cholesky_factor(n, m.a, STRIDE), row + 1);
      }
    }
  }
  double zero[4] = {0, 0, 0, 0};
  assert_int_equal(heft_cholesky_factor(2, zero, 2), 1);
  double ones[4] = {1, 0, 1, 1};  // rank one
  assert_int_equal(heft_cholesky_factor(2, ones, 2), 2);
  assert_int_equal(heft_cholesky_factor(0, zero, 2), 0);
}

// Rows that begin at random columns: B Bᵀ of a B with such rows begins there, too.
static void test_skyline_solves(void** state) {
  (void)state;
  Random r = {7};
  for (int n = 1; n <= MAX; ++n) {
    Matrix b, m, l;
    double right[MAX], x[MAX];
    int first[MAX];
    fill_random(&b, n, &r);
    for (int i = 0; i < n; ++i) {
      first[i] = random_index(&r, i + 1);
      for (int j = 0; j < n; ++j) b.a[i * STRIDE + j] *= j >= first[i] && j <= i;
      b.a[i * STRIDE + i] += 2;
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < STRIDE; ++j) {
        double sum = 0;
        for (int k = 0; j <= i && k < n; ++k) sum += b.a[i * STRIDE + k] * b.a[j * STRIDE + k];
        m.a[i * STRIDE + j] = sum;
        l.a[i * STRIDE + j] = j > i || j < first[i] ? NAN : sum;
      }
    for (int i = 0; i < n; ++i) x[i] = right[i] = random_between(&r, -1, 1);
    assert_true(skyline_factor(n, STRIDE, first, l.a));
    skyline_solve(n, STRIDE, first, l.a, x);
    CHECK_AT_MOST(residual(n, &m, x, right, 1), 1e-14);
  }
  double bad[4] = {1, NAN, 2, 4};
  assert_false(skyline_factor(2, 2, (const int[2]){0, 0}, bad));
}

static void test_lu_solves(void** state) {
  (void)state;
  Random r = {4};
  for (int n = 1; n <= MAX; ++n) {
    for (int round = 0; round < 5; ++round) {
      Matrix m, lu;
      double b[MAX], x[MAX];
      int pivot[MAX];
      fill_random(&m, n, &r);
      for (int i = 0; i < n; ++i) {
        x[i] = b[i] = random_between(&r, -1, 1);
        if (round == 4) m.a[i * STRIDE + i] = 0;  // hopeless without pivots
      }
      if (round == 4 && n == 1) continue;
      lu = m;
      assert_int_equal(heft_lu_factor(n, lu.a, STRIDE, pivot), 0);
      for (int i = 0; i < n; ++i) assert_true(pivot[i] >= i && pivot[i] < n);
      heft_lu_solve(n, lu.a, STRIDE, pivot, x);
      CHECK_AT_MOST(residual(n, &m, x, b, 0), 1e-13);
    }
  }
}

static void test_lu_of_a_permutation_is_exact(void** state) {
  (void)state;
  Random r = {5};
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + random_index(&r, 10);
    int order[10], pivot[10];
    double a[100] = {0}, x[10];
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int i = n - 1; i > 0; --i) {
      const int k = random_index(&r, i + 1), swap = order[i];
      order[i] = order[k];
      order[k] = swap;
    }
    for (int i = 0; i < n; ++i) {
      a[i * n + order[i]] = 2;
      x[i] = 2.0 * order[i];
    }
    assert_int_equal(heft_lu_factor(n, a, n, pivot), 0);
    heft_lu_solve(n, a, n, pivot, x);
    for (int i = 0; i < n; ++i) assert_true(x[i] == i);
  }
}

static void test_lu_keeps_the_padding(void** state) {
  (void)state;
  Random r = {6};
  Matrix m, lu;
  int pivot[MAX];
  const int n = 7;
  fill_random(&m, n, &r);
  for (int i = 0; i < n; ++i) {
    for (int j = n; j < STRIDE; ++j) m.a[i * STRIDE + j] = i + 0.25;
  }
  lu = m;
  assert_int_equal(heft_lu_factor(n, lu.a, STRIDE, pivot), 0);
  for (int i = 0; i < n; ++i)
    assert_memory_equal(lu.a + i * STRIDE + n, m.a + i * STRIDE + n, (STRIDE - n) * sizeof(double));
}

static void test_lu_reports_the_column(void** state) {
  (void)state;
  Random r = {7};
  int pivot[MAX];
  for (int n = 1; n <= 12; ++n) {
    for (int column = 0; column < n; ++column) {
      Matrix m;
      fill_random(&m, n, &r);
      for (int i = 0; i < n; ++i) m.a[i * STRIDE + column] = 0;
      assert_int_equal(heft_lu_factor(n, m.a, STRIDE, pivot), column + 1);
    }
  }
  double twice[4] = {1, 2, 2, 4};  // the second row is twice the first
  assert_int_equal(heft_lu_factor(2, twice, 2, pivot), 2);
  double nan[1] = {NAN};
  assert_int_equal(heft_lu_factor(1, nan, 1, pivot), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_skyline_solves),

      cmocka_unit_test(test_cholesky_solves),
      cmocka_unit_test(test_cholesky_touches_the_lower_triangle_only),
      cmocka_unit_test(test_cholesky_reports_the_row),
      cmocka_unit_test(test_lu_solves),
      cmocka_unit_test(test_lu_of_a_permutation_is_exact),
      cmocka_unit_test(test_lu_keeps_the_padding),
      cmocka_unit_test(test_lu_reports_the_column),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
