// SPDX-License-Identifier: Apache-2.0
// Static friction above kinetic friction: which contact points may hold by it.
#ifndef HEFT_SRC_WORLD_STATIC_FRICTION_H
#define HEFT_SRC_WORLD_STATIC_FRICTION_H

#include "world/island.h"
#include "world/step_input.h"
#include "world/warm_start.h"

/// Removes static friction from the new contact points that slip at the start of the step. Those
/// that the last step had were judged at its end. Needs the link velocities of the start.
void heft_static_friction_choose(ConstraintSet* set, const StepInput* in,
                                 const HeftDynamics* dynamics);
/// Notes the contact points that slip at the end of the step, among the stored ones.
void heft_static_friction_note(const ConstraintSet* set, const StepInput* in,
                               const int* island_of_constraint, const IslandSolution* solution,
                               WarmStart* warm);

#endif
