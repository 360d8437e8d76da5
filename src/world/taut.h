// SPDX-License-Identifier: Apache-2.0
// Going taut: steps that are too long for the rotation of loops and tendons.
#ifndef HEFT_SRC_WORLD_TAUT_H
#define HEFT_SRC_WORLD_TAUT_H

#include "world/constraint_set.h"
#include "world/step_input.h"

/// The most parts that a substep is divided into because of them; 1: never.
/// HeftWorldDef::spin_parts is the number for trees that turn by themselves.
int heft_taut_parts_max(const HeftModel* model, const HeftWorldDef* def);
/// How many times too far the links of loops and the pieces of tendons turn in a step from
/// in->start->v to the velocities v (nv). Moves the velocities of the links.
double heft_taut_excess(const ConstraintSet* set, const StepInput* in, HeftDynamics* dynamics,
                        const double* v);

#endif
