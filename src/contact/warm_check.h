// SPDX-License-Identifier: Apache-2.0
// Checks whether the impulses of the last step are the solution.
#ifndef HEFT_SRC_CONTACT_WARM_CHECK_H
#define HEFT_SRC_CONTACT_WARM_CHECK_H

#include <heft/contact.h>

#include "base/share.h"
#include "contact/core/incidence.h"

/// Result of the check.
typedef struct Rest {
  int known;        // twists holds the twists of the effectors, eight numbers each
  int solved;       // they are in their cones, meet the tolerance and add no energy
  int gains;        // they meet the tolerance and add energy
  double relative;  // an upper bound of the relative residual, if they meet the tolerance
  double energy;    // twice the change of kinetic energy, then
} Rest;

/// Checks whether the warm impulses of a problem by effectors are a solution. If so, velocity
/// (row_count) holds W r + b. twists: 16 numbers per effector. incidence: of the problem, if it has
/// INCIDENCE_MIN contacts or more; otherwise without entries.
Rest rest_check(const HeftContactProblem* problem, double tolerance, Share share,
                const Incidence* incidence, double* twists, double* velocity);
/// W r + b of a problem by effectors without compliance; the rest as above.
void problem_velocity(const HeftContactProblem* problem, const double* r, Share share,
                      const Incidence* incidence, double* twists, double* velocity);
/// The velocity to which residuals are relative.
double problem_reference(const HeftContactProblem* problem);

#endif
