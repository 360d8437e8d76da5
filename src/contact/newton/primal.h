// SPDX-License-Identifier: Apache-2.0
// The proximal method of multipliers with Newton steps for velocities: robust from any start.
#ifndef HEFT_SRC_CONTACT_NEWTON_PRIMAL_H
#define HEFT_SRC_CONTACT_NEWTON_PRIMAL_H

#include "contact/newton/newton.h"

/// Result of one step: go on; the proximal point is reached, and core->r holds its impulses, which
/// are in their cones; or there is no descent.
typedef enum PrimalEnd { PRIMAL_STEP, PRIMAL_POINT, PRIMAL_FAILED } PrimalEnd;

/// Begins a proximal point at core->r, whose velocities are u (slots). newton_prepare() must have
/// succeeded.
void primal_begin(Newton* newton, const Core* core, double kappa, const double* u);
/// One Newton step. done: the velocity error [m/s] at which a point need not be better.
PrimalEnd primal_step(Newton* newton, Core* core, double done);

#endif
