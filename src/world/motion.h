// SPDX-License-Identifier: Apache-2.0
// Motion: the velocities by which positions move in a step.
#ifndef HEFT_SRC_WORLD_MOTION_H
#define HEFT_SRC_WORLD_MOTION_H

#include "world/budget.h"
#include "world/middle.h"

/// Filled by motion.c. Positions move by h (1 - θ) v to q_m (Middle), and from there by
/// h (v_position + v_correction).
typedef struct Motion {
  double* v_mean;        ///< nv: mean velocity of the step
  double* v_impulse;     ///< nv: mean velocity while impulses act
  double* v_beyond;      ///< nv: motion of the positions beyond the mean; v_correction replaces it
  double* v_position;    ///< nv: from the middle to the end
  double* v_correction;  ///< nv: reduces penetrations and errors of equalities only
  double* v_sum;         ///< nv: shared scratch, v_position + v_correction
} Motion;

/// scratch (nv): is used by heft_motion_integrate().
void heft_motion_place(Motion* motion, Arena* arena, const HeftModel* model, double* scratch);
/// Finds all but the correction, from the velocities v (nv) after the step.
void heft_motion_find(Motion* motion, const StepInput* in, const Middle* middle,
                      Constraints* constraints, const FloatingGroups* groups, const double* v);
/// Finds the correction. Needs the kinematics of q_m. q (nq): scratch.
void heft_motion_correct(Motion* motion, const StepInput* in, const Middle* middle,
                         HeftDynamics* dynamics, Constraints* constraints, Budget* budget,
                         double* q, HeftStepReport* report);
/// Writes the positions q (nq) after the step.
void heft_motion_integrate(Motion* motion, const StepInput* in, const Middle* middle, double* q);

#endif
