// SPDX-License-Identifier: Apache-2.0
// The linear complementarity problem: w = M z + q, w >= 0, z >= 0, wᵀz = 0.
#ifndef HEFT_SRC_WORLD_LEMKE_H
#define HEFT_SRC_WORLD_LEMKE_H

#include <stddef.h>

/// Doubles of scratch for n unknowns.
size_t heft_lemke_scratch(int n);
/// Solves for z (n), M row-major. Returns the number of pivots, or -1 if it ended on a ray, did not
/// end, or ended at no solution because of rounding.
int heft_lemke(int n, const double* m, const double* q, double* z, double* scratch);

#endif
