// SPDX-License-Identifier: Apache-2.0
// Small dense linear algebra, row-major with a leading dimension, for matrices of a few to a few
// hundred rows. Functions with HEFT_API are exported for heft_io; no part of the public interface.
#ifndef HEFT_SRC_MATH_DENSE_H
#define HEFT_SRC_MATH_DENSE_H

#include <heft/export.h>

/// Σ a_i b_i, in order.
static inline double heft_dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// A = L Lᵀ in place, lower triangle; the strict upper triangle is neither read nor written.
/// Returns 0, or 1 + the row at which A was found not to be positive definite.
int heft_cholesky_factor(int n, double* a, int lda);
/// Solves L Lᵀ x = b in place.
void heft_cholesky_solve(int n, const double* l, int lda, double* x);

/// P A = L U in place with partial pivoting; pivot[i] is the row exchanged with row i.
/// Returns 0, or 1 + the column in which no pivot was found.
HEFT_API int heft_lu_factor(int n, double* a, int lda, int* pivot);
/// Solves A x = b in place, from heft_lu_factor().
HEFT_API void heft_lu_solve(int n, const double* lu, int lda, const int* pivot, double* x);

#endif
