// SPDX-License-Identifier: Apache-2.0
// Softness: contact points that yield like a spring and a damper.
#ifndef HEFT_SRC_WORLD_SOFTNESS_H
#define HEFT_SRC_WORLD_SOFTNESS_H

#include "world/constraint_set.h"
#include "world/step_input.h"

/// Sets the softness and the bias velocities of contact points whose materials yield
/// (material_soft, material_area), and set->soft if there are any. dynamics: at the start of the
/// step.
void heft_softness_apply(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics);
/// Energy that soft contact points store at the end of the step. velocity, bias: rows of the
/// solution.
double heft_softness_energy(const ConstraintSet* set, const StepInput* in, const double* velocity,
                            const double* bias);
/// Energy of each tree, by its root (nlink), at the end of the step, or at its start if velocity
/// is NULL. Two trees have half of a point's energy each.
void heft_softness_store(const ConstraintSet* set, const StepInput* in, const double* velocity,
                         const double* bias, double* stored);
/// Stiffness of a contact point without area [N/m], and the derivative of its stiffness or damping
/// by the same number of a material: number % 2 of material number / 2.
double heft_softness_stiffness(const HeftModel* model, const HeftContactPoint* point);
double heft_softness_rate(const HeftModel* model, const HeftContactPoint* point, int number);
/// 1 if a material of the model yields and no body deforms: there is an account of what contact
/// points store (soft_store.c).
int heft_softness_stores(const HeftModel* model);
/// 1 if a material of the model yields.
int heft_softness_any(const HeftModel* model);
/// 1 if a material of the model has area contact.
int heft_softness_any_area(const HeftModel* model);

#endif
