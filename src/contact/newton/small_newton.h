// SPDX-License-Identifier: Apache-2.0
// Newton steps for small islands: a few effectors, a few dozen contacts.
#ifndef HEFT_SRC_CONTACT_NEWTON_SMALL_NEWTON_H
#define HEFT_SRC_CONTACT_NEWTON_SMALL_NEWTON_H

#include "contact/core/core.h"

enum {
  SMALL_EFFECTORS = 4,
  SMALL_ROWS = 6 * SMALL_EFFECTORS,
  SMALL_LINE = 8 * SMALL_EFFECTORS,  // six columns per effector and two spare ones
  SMALL_CONTACTS = 64
};

typedef struct SmallNewton {
  double s[SMALL_ROWS * SMALL_LINE];  // Σ Xᵀ H X; the wrenches Xᵀ g in the first spare column
  double a[SMALL_ROWS * SMALL_LINE];  // Ω S + 1, Ω Xᵀ g   of the last effector
  unsigned tied[SMALL_EFFECTORS];     // blocks of an effector's rows of S that are not zero
  double twist[8 * SMALL_EFFECTORS];
  double h[12 * SMALL_CONTACTS];  // H by rows of four
  double g[4 * SMALL_CONTACTS];
} SmallNewton;

/// Returns whether the loaded problem is small, rigid, and made of points and single rows.
int small_newton_fits(const Core* core);
/// One step from r, whose velocities are u (slots), towards the proximal point of `center` with the
/// parameter kappa; r stays in its cones. Returns 0 and keeps r if the system could not be solved.
int small_newton_step(SmallNewton* newton, const Core* core, double kappa, const double* center,
                      const double* u, double* r);

#endif
