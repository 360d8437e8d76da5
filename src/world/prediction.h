// SPDX-License-Identifier: Apache-2.0
// Prediction: the accelerations of a step without constraints.
#ifndef HEFT_SRC_WORLD_PREDICTION_H
#define HEFT_SRC_WORLD_PREDICTION_H

#include "world/keepers.h"
#include "world/middle.h"
#include "world/tension.h"

/// Filled by prediction.c.
typedef struct Prediction {
  double* v_middle;      ///< nv: shared scratch, predicted velocity in the middle of the step
  double* v_bias;        ///< nv: v̄, the velocity at which the bias was evaluated
  double* bias_force;    ///< nv: b(q_m, v̄), which contains the wrenches
  double* scheme_force;  ///< nv: HeftStepMotion
  double* acceleration;  ///< nv: (v⁺ - v) / h without constraints; before that the right-hand side
  Tension tension;       ///< geometric stiffness in M̂
} Prediction;

/// scratch (nv): free again when the velocities were solved. The caller sets v_bias and
/// scheme_force, which are outputs of the step.
void heft_prediction_place(Prediction* prediction, Arena* arena, const HeftModel* model,
                           double* scratch);
/// Factors M̂ and finds the accelerations. Needs the kinematics of q_m and the forces of the drives
/// there. Returns 1 if M̂ is not positive.
int heft_prediction_find(Prediction* prediction, const StepInput* in, const Middle* middle,
                         HeftDynamics* dynamics, Drives* drives, Constraints* constraints,
                         Keepers* keepers);
/// Finds them again with the stiffness of the impulses that were found, if these ask for clearly
/// more or less than M̂ has: they are the warm ones then. Returns 1, 0 if M̂ is right or there are no
/// impulses to start from, -1 if M̂ is not positive.
int heft_prediction_stiffen(Prediction* prediction, const StepInput* in, const Middle* middle,
                            HeftDynamics* dynamics, Drives* drives, Constraints* constraints,
                            Keepers* keepers);
/// Finds them again with other force limits of actuators. Returns 1 if M̂ is not positive.
int heft_prediction_repeat(Prediction* prediction, const StepInput* in, const Middle* middle,
                           HeftDynamics* dynamics, Drives* drives, Constraints* constraints,
                           Keepers* keepers);

/// The forces of the scheme itself, from the velocities v (nv) after the step. Needs the kinematics
/// of q_m; moves the velocities.
void heft_prediction_account(Prediction* prediction, const StepInput* in, const Middle* middle,
                             HeftDynamics* dynamics, const Drives* drives, Constraints* constraints,
                             const Keepers* keepers, const double* v);

#endif
