// SPDX-License-Identifier: Apache-2.0
// Sweeps in joint space.
#ifndef HEFT_SRC_CONTACT_SWEEP_JOINT_SWEEP_H
#define HEFT_SRC_CONTACT_SWEEP_JOINT_SWEEP_H

#include "contact/core/core.h"

/// `count` sweeps over all contacts of a problem in joint space; changes core->r and core->z.
void joint_sweep(Core* core, int count);

#endif
