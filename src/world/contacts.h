// SPDX-License-Identifier: Apache-2.0
// Contacts of the last step, as users read them.
#ifndef HEFT_SRC_WORLD_CONTACTS_H
#define HEFT_SRC_WORLD_CONTACTS_H

#include "world/constraints.h"

/// The contact `index` of the last step, with its force. index: below set.touch_count.
HeftContact heft_contact_read(const Constraints* constraints, const StepInput* in, int index);

/// The speed along the surface below which a contact point sticks [m/s].
double heft_slip_limit(const StepInput* in);
/// The velocity of body b relative to body a at a contact point, by the present link velocities.
HeftVec3 heft_contact_velocity(const ConstraintSet* set, const StepInput* in,
                               const HeftDynamics* dynamics, int index);
/// The velocity of body b along the surface, relative to body a, at a contact point, by the present
/// link velocities.
HeftVec3 heft_contact_slip(const ConstraintSet* set, const StepInput* in,
                           const HeftDynamics* dynamics, int index);

#endif
