// SPDX-License-Identifier: Apache-2.0
// The slow lift, for experiments that ask under which contact model it succeeds.
#ifndef HEFT_EXPERIMENTS_LIFT_H
#define HEFT_EXPERIMENTS_LIFT_H

#include "experiments/lab.h"

/// Lifts the bar of 8.4 kg under the contact model of lab_use(), with the time step of lab->def.
/// Returns the height of the bar at the end [m], 0 if the robot has fallen or lost the bar, or -1,
/// with lab->error, on failure.
double lift_height(Lab* lab);

#endif
