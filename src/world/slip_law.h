// SPDX-License-Identifier: Apache-2.0
// Friction that depends on the slip speed: Stribeck and viscous terms of materials.
#ifndef HEFT_SRC_WORLD_SLIP_LAW_H
#define HEFT_SRC_WORLD_SLIP_LAW_H

#include "world/constraint_set.h"
#include "world/step_input.h"

/// The law of the two materials of a contact point: Stribeck speed [m/s], viscous term [s/m]; 0:
/// none.
void heft_slip_law_read(const HeftModel* model, const HeftContactPoint* point, double law[2]);
/// The Stribeck curve without its viscous term, at a speed [m/s].
double heft_slip_law_curve(const HeftContactPoint* point, const double law[2], double speed);
/// Sets the coefficients of contact points whose materials have such a law (material_slip).
void heft_slip_law_apply(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics);

#endif
