// SPDX-License-Identifier: Apache-2.0
// Distributes a desired wrench to contacts with friction.
#ifndef HEFT_SRC_CONTROL_FORCE_SHARE_H
#define HEFT_SRC_CONTROL_FORCE_SHARE_H

enum { FORCE_SHARE_ROWS = 6 };

/// min ½|A λ - b|² + ½ Σ r_i |λ_i|², every λ_i (normal, two tangents) in its friction cone.
typedef struct ForceShare {
  int count;         ///< contacts
  int rows;          ///< rows of A, at most FORCE_SHARE_ROWS
  const double* a;   ///< rows x 3 count, row-major
  const double* b;   ///< rows
  const double* mu;  ///< count
  const double* r;   ///< count, positive
} ForceShare;

/// lambda: 3 count. y (rows) is where the search starts and ends. Returns the steps it took.
int heft_force_share(const ForceShare* problem, double* y, double* lambda);

#endif
