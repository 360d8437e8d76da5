// SPDX-License-Identifier: Apache-2.0
// The velocities after a step, and the impulses of its constraints.
#ifndef HEFT_SRC_WORLD_VELOCITIES_H
#define HEFT_SRC_WORLD_VELOCITIES_H

#include "world/budget.h"
#include "world/prediction.h"

/// The stages that the velocities depend on. The prediction and the forces of the drives are found
/// again where a force limit differs from the one assumed.
typedef struct VelocityStages {
  const StepInput* in;
  const Middle* middle;
  HeftDynamics* dynamics;
  Drives* drives;
  Constraints* constraints;
  Keepers* keepers;
  Prediction* prediction;
  Budget* budget;
} VelocityStages;

/// Finds the velocities v (nv) after the step. Returns 1 if M̂ is not positive.
int heft_velocities_solve(const VelocityStages* stages, double* v, HeftStepReport* report);
/// Finds islands that sleep. To be called before other solutions.
void heft_velocities_fall_asleep(Constraints* constraints, const StepInput* in);
/// Stores the solution for the next step: warm impulses, and contact points that slip.
void heft_velocities_store(Constraints* constraints, const StepInput* in);

#endif
