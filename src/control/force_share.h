// SPDX-License-Identifier: Apache-2.0
// Distributes a desired wrench to contacts with friction.
#ifndef HEFT_SRC_CONTROL_FORCE_SHARE_H
#define HEFT_SRC_CONTROL_FORCE_SHARE_H

#include <stddef.h>

enum { FORCE_SHARE_ROWS = 6 };
/// Doubles that a problem with more rows needs.
#define FORCE_SHARE_SCRATCH(rows) ((size_t)(rows) * ((size_t)(rows) + 3))

/// min ½|A λ + s - b|² + ½ Σ r_i |λ_i|², every λ_i (normal, two tangents) in its friction cone. s:
/// a slack within ±slack, at a price of ½ FORCE_SHARE_SLACK |s|².
typedef struct ForceShare {
  int count;            ///< contacts
  int rows;             ///< rows of A
  const double* a;      ///< rows x 3 count, row-major
  const double* b;      ///< rows
  const double* mu;     ///< count
  const double* r;      ///< count, positive
  const double* slack;  ///< rows, >= 0; NULL: none
  double* scratch;      ///< NULL for at most FORCE_SHARE_ROWS rows
} ForceShare;

#define FORCE_SHARE_SLACK 1e-12

/// lambda: 3 count. y (rows) is where the search starts and ends. Returns the steps it took.
int heft_force_share(const ForceShare* problem, double* y, double* lambda);
/// A lower bound of the minimum, whatever y is: the dual function. lambda is overwritten.
double heft_force_share_bound(const ForceShare* problem, const double* y, double* lambda);

#endif
