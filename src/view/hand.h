// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_VIEW_HAND_H
#define HEFT_SRC_VIEW_HAND_H

#include <heft/dynamics.h>
#include <heft/view.h>

/// Mass of all that hangs together with a body [kg].
double hand_tree_mass(const HeftModel* model, int body);
/// The force of the hand during a step of length h, at a point of the world. dynamics is scratch of
/// the same model; memory: hand_scratch() doubles, aligned to 64 bytes.
HeftVec3 hand_force(HeftDynamics* dynamics, const HeftModel* model, const HeftState* state,
                    const HeftGrab* grab, double h, double* memory, HeftVec3* point);
size_t hand_scratch(const HeftDynamics* dynamics);

#endif
