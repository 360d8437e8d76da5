// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_APPS_JOINT_SPRINGS_H
#define HEFT_APPS_JOINT_SPRINGS_H

#include <heft/heft.h>

/// Adds springs and dampers that hold the joints in their initial position [N m/rad, N m s/rad].
void joint_springs_add(HeftModel* model, double stiffness, double damping);

#endif
