// SPDX-License-Identifier: Apache-2.0
// The prescribed motion of surfaces, as the rows of the constraints feel it.
#ifndef HEFT_SRC_WORLD_SURFACE_H
#define HEFT_SRC_WORLD_SURFACE_H

#include "world/island.h"
#include "world/step_input.h"

/// Fills set->surface and set->carried. Needs kinematics.
void heft_surface_measure(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics);
/// Prescribed velocity of body b's surface less body a's at a contact point.
HeftSpatial heft_surface_velocity(const ConstraintSet* set, const StepInput* in,
                                  const HeftDynamics* dynamics, int index);
/// 1 if a surface that moves by prescription acts on an island.
int heft_surface_carries(const ConstraintSet* set, const Island* island);
/// The two bodies that a contact point or an equality between bodies acts on, in the order of its
/// links. Returns 0 if the constraint is another one.
int heft_surface_bodies(const HeftModel* model, const ConstraintSet* set, const Constraint* k,
                        int body[2]);
/// The number of the moved body that a body is, or is welded to; -1: it is none.
int heft_surface_moved(const HeftModel* model, int body);

#endif
