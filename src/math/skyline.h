// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of symmetric matrices whose rows begin late: stacks of bodies, trees of joints.
// Row i has no number before column first[i], and its factor has none there either.
#ifndef HEFT_SRC_MATH_SKYLINE_H
#define HEFT_SRC_MATH_SKYLINE_H

/// A = L Lᵀ in place, lower triangle, rows `stride` apart; the diagonal holds 1 / l. Numbers before
/// first[i] are not read. Returns 0 if A is not positive definite.
int skyline_factor(int n, int stride, const int* first, double* a);
/// Solves L Lᵀ x = b in place.
void skyline_solve(int n, int stride, const int* first, const double* l, double* x);

#endif
