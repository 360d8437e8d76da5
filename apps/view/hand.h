// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_APPS_VIEW_HAND_H
#define HEFT_APPS_VIEW_HAND_H

#include <heft/view.h>
#include <heft/world.h>

/// Mass of all that hangs together with a body [kg].
double hand_tree_mass(const HeftModel* model, int body);
/// The mouse as a hand that holds a point of a body: it pulls as hard as is good for what it holds.
HeftCoupling hand_coupling(const HeftModel* model, const HeftGrab* grab);

#endif
