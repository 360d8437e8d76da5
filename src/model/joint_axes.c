// SPDX-License-Identifier: Apache-2.0
// Motion axes of each joint type: the one place that defines the table of HEFT_JOINT_LIST.
#include "model/tree.h"

static int unit_axes(JointAxis* axes, int turns) {
  axes[0] = (JointAxis){{1, 0, 0}, turns};
  axes[1] = (JointAxis){{0, 1, 0}, turns};
  axes[2] = (JointAxis){{0, 0, 1}, turns};
  return 3;
}

int heft_joint_axes(const HeftModel* model, int joint, JointAxis axes[6]) {
  const HeftVec3 a = heft_vec3_from(model->joint_axis + 3L * joint),
                 b = heft_vec3_from(model->joint_axis2 + 3L * joint);
  switch (model->joint_type[joint]) {
    case HEFT_JOINT_HINGE:
      axes[0] = (JointAxis){a, 1};
      return 1;
    case HEFT_JOINT_SLIDE:
      axes[0] = (JointAxis){a, 0};
      return 1;
    case HEFT_JOINT_BALL:
      return unit_axes(axes, 1);
    case HEFT_JOINT_FREE:
      return unit_axes(axes, 0) + unit_axes(axes + 3, 1);
    case HEFT_JOINT_PLANAR:
      axes[0] = (JointAxis){a, 0};
      axes[1] = (JointAxis){b, 0};
      axes[2] = (JointAxis){heft_vec3_cross(a, b), 1};
      return 3;
    case HEFT_JOINT_UNIVERSAL:
      axes[0] = (JointAxis){a, 1};
      axes[1] = (JointAxis){b, 1};
      return 2;
    case HEFT_JOINT_CYLINDRICAL:
      axes[0] = (JointAxis){a, 0};
      axes[1] = (JointAxis){a, 1};
      return 2;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return 0;
}
