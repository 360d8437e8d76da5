// SPDX-License-Identifier: Apache-2.0
// Dense kernels of the factors of sparse matrices, row-major.
#ifndef HEFT_SRC_MATH_BLOCK_PRODUCT_H
#define HEFT_SRC_MATH_BLOCK_PRODUCT_H

#include "math/simd.h"

// Four components everywhere: gcc stores eight in memory if the machine has four.

// to -= f from, n numbers.
HEFT_INLINE void subtract_row(double* to, double f, const double* from, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) v4_store(to + j, v4_load(to + j) - f * v4_load(from + j));
  for (; j < n; ++j) to[j] -= f * from[j];
}

// to += from, n numbers.
HEFT_INLINE void add_row(double* to, const double* from, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) v4_store(to + j, v4_load(to + j) + v4_load(from + j));
  for (; j < n; ++j) to[j] += from[j];
}

/// c (m x n) -= a (m x k) b (k x n); ld: numbers from one row to the next.
void block_multiply_subtract(int m, int n, int k, const double* a, int lda, const double* b,
                             int ldb, double* c, int ldc);

#endif
