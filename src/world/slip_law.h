// SPDX-License-Identifier: Apache-2.0
// Friction that depends on the slip speed: Stribeck and viscous terms of materials.
#ifndef HEFT_SRC_WORLD_SLIP_LAW_H
#define HEFT_SRC_WORLD_SLIP_LAW_H

#include "world/constraint_set.h"
#include "world/step_input.h"

/// Sets the coefficients of contact points whose materials have such a law (material_slip).
void heft_slip_law_apply(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics);

#endif
