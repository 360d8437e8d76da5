// SPDX-License-Identifier: Apache-2.0
// Normal equations of least squares, solved in the directions that the measurements excite.
#ifndef HEFT_SRC_IDENTIFY_NORMAL_H
#define HEFT_SRC_IDENTIFY_NORMAL_H

#include "identify/identify.h"

/// A = JᵀJ by its eigenvectors, after scaling the diagonal to 1: A = S V Λ Vᵀ S.
typedef struct NormalMatrix {
  int n;
  double scale[HEFT_FIT_MAX];                  ///< S; 0: the column of J is 0
  double value[HEFT_FIT_MAX];                  ///< Λ
  double vector[HEFT_FIT_MAX * HEFT_FIT_MAX];  ///< V, one eigenvector per column
  bool weak[HEFT_FIT_MAX];                     ///< eigenvalue is only rounding: not excited
} NormalMatrix;

/// Decomposes A (n x n, symmetric, row by row). limit: eigenvalues below it are weak.
void heft_normal_decompose(NormalMatrix* out, int n, const double* a, double limit);
/// x = (A + damping S²)⁻¹ g in the excited directions, 0 in the others.
void heft_normal_solve(const NormalMatrix* m, double damping, const double* g, double* x);
/// Entry of A⁻¹ in the excited directions.
double heft_normal_inverse(const NormalMatrix* m, int i, int k);
/// Whether a parameter lies in the excited directions. If not, *partner is the parameter with the
/// largest share in its weakest direction, -1 if there is none.
bool heft_normal_excites(const NormalMatrix* m, int i, int* partner);

#endif
