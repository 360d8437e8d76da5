// SPDX-License-Identifier: Apache-2.0
// Cholesky and LU, written row by row so that the inner loops run along memory (Golub & Van Loan,
// ch. 3 and 4).
#include "math/dense.h"

#include <math.h>

#include "base/assert.h"

int heft_cholesky_factor(int n, double* a, int lda) {
  HEFT_ASSERT(n >= 0 && lda >= n);
  for (int i = 0; i < n; ++i) {
    double* row_i = a + (long)i * lda;
    for (int j = 0; j <= i; ++j) {
      const double* row_j = a + (long)j * lda;
      double sum = row_i[j];
      for (int k = 0; k < j; ++k) sum -= row_i[k] * row_j[k];
      if (j < i) {
        row_i[j] = sum / row_j[j];
      } else {
        if (!(sum > 0)) return i + 1;
        row_i[i] = sqrt(sum);
      }
    }
  }
  return 0;
}

void heft_cholesky_solve(int n, const double* l, int lda, double* x) {
  for (int i = 0; i < n; ++i) {
    const double* row = l + (long)i * lda;
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = l + (long)i * lda;
    const double value = x[i] / row[i];
    x[i] = value;
    for (int k = 0; k < i; ++k) x[k] -= row[k] * value;
  }
}

static int largest_in_column(int n, const double* a, int lda, int column) {
  int best = column;
  for (int i = column + 1; i < n; ++i) {
    if (fabs(a[(long)i * lda + column]) > fabs(a[(long)best * lda + column])) best = i;
  }
  return best;
}

int heft_lu_factor(int n, double* a, int lda, int* pivot) {
  HEFT_ASSERT(n >= 0 && lda >= n);
  for (int k = 0; k < n; ++k) {
    double* row_k = a + (long)k * lda;
    const int p = largest_in_column(n, a, lda, k);
    pivot[k] = p;
    if (p != k) {
      double* row_p = a + (long)p * lda;
      for (int j = 0; j < n; ++j) {
        const double swap = row_k[j];
        row_k[j] = row_p[j];
        row_p[j] = swap;
      }
    }
    if (!(fabs(row_k[k]) > 0)) return k + 1;
    const double inverse = 1 / row_k[k];
    for (int i = k + 1; i < n; ++i) {
      double* row_i = a + (long)i * lda;
      const double factor = row_i[k] * inverse;
      row_i[k] = factor;
      for (int j = k + 1; j < n; ++j) row_i[j] -= factor * row_k[j];
    }
  }
  return 0;
}

void heft_lu_solve(int n, const double* lu, int lda, const int* pivot, double* x) {
  for (int i = 0; i < n; ++i) {
    const double swap = x[i];
    x[i] = x[pivot[i]];
    x[pivot[i]] = swap;
  }
  for (int i = 1; i < n; ++i) {
    const double* row = lu + (long)i * lda;
    for (int k = 0; k < i; ++k) x[i] -= row[k] * x[k];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = lu + (long)i * lda;
    for (int k = i + 1; k < n; ++k) x[i] -= row[k] * x[k];
    x[i] /= row[i];
  }
}
