// SPDX-License-Identifier: Apache-2.0
// The inputs in which a run differs from a reference.
#ifndef HEFT_APPS_WHY_DEVIATIONS_H
#define HEFT_APPS_WHY_DEVIATIONS_H

#include "why/trial.h"

/// Lists the deviations of a run from another one with the same bodies, joints and actuators; NULL:
/// from the numbers that the model states, and from no pushes. At most `capacity` are written.
/// Returns how many.
int why_deviations(const WhyRun* run, const WhyRun* reference, WhyChange* out, int capacity);

#endif
