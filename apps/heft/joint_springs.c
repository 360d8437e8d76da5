// SPDX-License-Identifier: Apache-2.0
#include "joint_springs.h"

void joint_springs_add(HeftModel* m, double stiffness, double damping) {
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] == HEFT_JOINT_FREE) continue;
    const int dof = m->joint_dof[j], count = heft_joint_type_dof_count(m->joint_type[j]);
    for (int i = dof; i < dof + count; ++i) {
      m->dof_stiffness[i] = stiffness;
      m->dof_damping[i] = damping;
    }
  }
}
