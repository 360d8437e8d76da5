// SPDX-License-Identifier: Apache-2.0
// The methods of a solve, in order.
#ifndef HEFT_SRC_CONTACT_PHASES_H
#define HEFT_SRC_CONTACT_PHASES_H

#include "contact/run.h"

/// Trees up to which proximal points are sought before long runs of sweeps.
enum { FEW_TREES = 1000 };
/// Sweeps of a heap of so many trees after which proximal points follow at once.
enum { HEAP_SWEEPS = 300 };
/// Trees up to which Newton steps from zero impulses follow them: one robot, or a few.
enum { ZERO_TREES = 4 };

/// Runs the phases of the def's method until the run is over.
void phases_run(Run* run);
/// Continues after the tolerance is met, until the residual is small enough for rest or has not
/// halved for a while.
void phases_polish(Run* run);
/// The effort of a Newton step in sweeps. INT_MAX: there is no memory for Newton steps.
int phases_newton_cost(Run* run);
/// Returns whether all points have an impulse inside of their cone: no contact slips or opens.
int phases_all_stick(const Core* core);

#endif
