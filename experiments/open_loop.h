// SPDX-License-Identifier: Apache-2.0
// Motion in open loop, as in the source papers: joint angles are computed before the run from a
// path of the centre of mass and of the feet, and drives follow them. No sensor and no balance
// control.
#ifndef HEFT_EXPERIMENTS_OPEN_LOOP_H
#define HEFT_EXPERIMENTS_OPEN_LOOP_H

#include "experiments/lab.h"

/// The drives of a robot ([Chardonnet 2012], Eq. 22), in proportion to the max torque of each
/// joint: the source does not state its values.
typedef struct LabDrives {
  double gear;     ///< R
  double kp, kv;   ///< R K_p, R K_v at the joint, over the max torque [1/rad, s/rad]
  double viscous;  ///< μ_v over the max torque [s/rad]
  double dry;      ///< μ_d over the max torque
} LabDrives;

/// Of the small robots and of the large ones.
extern const LabDrives drives_small, drives_large;

/// Sets the controls so that drives follow lab->goal.posture and its velocity.
void lab_drive(Lab* lab, const LabDrives* drives);

/// Writes the goal of a time: centre of mass, pelvis and feet.
typedef void (*LabPath)(const Lab* lab, double time, HeftBipedGoal* goal, void* user);

/// Computes joint angles every 10 ms up to the duration [s], by inverse kinematics. The motion
/// belongs to the laboratory. Returns the largest remaining error [m, rad], or -1, with lab->error,
/// on failure.
double lab_plan_motion(Lab* lab, double duration, LabPath path, void* user);
/// lab->goal.posture at the present time, from the motion.
void lab_play_motion(Lab* lab);

#endif
