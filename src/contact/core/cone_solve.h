// SPDX-License-Identifier: Apache-2.0
// The local problem of a contact that is no plain point, all other contacts held still.
#ifndef HEFT_SRC_CONTACT_CORE_CONE_SOLVE_H
#define HEFT_SRC_CONTACT_CORE_CONE_SOLVE_H

#include "contact/core/core.h"

/// One scalar row with bounds: r from the velocity u that it has with the present r.
void scalar_solve(const Core* core, int i, double u, double* r);
/// A cone with several friction groups: r from the velocities u that it has with the present r.
void cone_solve(const Core* core, int i, const double* u, double* r);

#endif
