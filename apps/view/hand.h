// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_APPS_VIEW_HAND_H
#define HEFT_APPS_VIEW_HAND_H

#include <heft/view.h>
#include <heft/world.h>

/// Mass of the tree of a body [kg].
double hand_tree_mass(const HeftModel* model, int body);
/// The coupling of the mouse to a point of a body; its stiffness follows from the mass of the tree.
HeftCoupling hand_coupling(const HeftModel* model, const HeftGrab* grab);

#endif
