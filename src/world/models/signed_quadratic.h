// SPDX-License-Identifier: Apache-2.0
// The quadratic program: minimise ½ xᵀ H x - gᵀ x with x_i >= 0 for some i, H symmetric and
// positive.
#ifndef HEFT_SRC_WORLD_SIGNED_QUADRATIC_H
#define HEFT_SRC_WORLD_SIGNED_QUADRATIC_H

#include <stddef.h>

/// Doubles of scratch for n unknowns.
size_t heft_signed_quadratic_scratch(int n);
/// Solves for x (n). bounded[i]: 1 if x_i >= 0. Returns the number of factorisations, or -1 if H is
/// not positive or it did not end.
int heft_signed_quadratic(int n, const double* h, const double* g, const unsigned char* bounded,
                          double* x, double* scratch);

#endif
