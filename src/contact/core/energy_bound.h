// SPDX-License-Identifier: Apache-2.0
// The energy that impulses may add.
//
// An exact solution r has E = r · (b + u) / 2 = -r · W r / 2 <= 0. Impulses with the residual e may
// have E > 0, at most e (|r| + |û| / w). A small e by itself does not bound that: a normal that
// nearly goes through the centre of a joint stops 1e-11 m/s by 1e13 N s, an energy of 100 J, and
// the error of 1e-11 m/s vanishes beside the velocities of other rows. So E is compared with the
// energies of the rows, of which it is the sum; rounding is far below that share of them.
#ifndef HEFT_SRC_CONTACT_CORE_ENERGY_BOUND_H
#define HEFT_SRC_CONTACT_CORE_ENERGY_BOUND_H

#include <math.h>

/// Σ |r_k| (|b_k| + |u_k|).
static inline double energy_size(int count, const double* r, const double* b, const double* u) {
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += fabs(r[k]) * (fabs(b[k]) + fabs(u[k]));
  return sum;
}

/// relative: the residual. size: energy_size(), half of it if E is the energy and not
/// twice the energy.
static inline double energy_bound(double relative, double size) {
  return relative <= 1e-9 ? 1e-9 * size : 0;
}

#endif
