// SPDX-License-Identifier: Apache-2.0
// Poses in which robots start.
#ifndef HEFT_EXPERIMENTS_POSES_H
#define HEFT_EXPERIMENTS_POSES_H

#include "experiments/lab.h"

/// The HRP-2-like robot with bent knees and arms, ready for anything.
extern const LabAngle pose_half_sitting[];
/// Smaller robots with the same names of leg joints.
extern const LabAngle pose_small[];

#endif
