// SPDX-License-Identifier: Apache-2.0
// Initial poses of robots.
#ifndef HEFT_EXPERIMENTS_POSES_H
#define HEFT_EXPERIMENTS_POSES_H

#include "experiments/lab.h"

/// The HRP-2-like robot with bent knees and arms.
extern const LabAngle pose_half_sitting[];
/// A large robot with knees slightly bent and legs 4 degrees apart.
extern const LabAngle pose_legs_apart[];
/// Smaller robots with the same names of leg joints.
extern const LabAngle pose_small[];

/// An avatar, whose hips and ankles are balls: knees bent by an angle [rad], trunk upright.
void pose_bend_legs(Lab* lab, double bend);

/// The HRP-2-like robot: its right hand at a place, fingers ahead, plate and thumb to the sides.
/// Returns 0, with lab->error, if it does not reach it.
int pose_hand_ahead(Lab* lab, HeftVec3 at);

#endif
