// SPDX-License-Identifier: Apache-2.0
// Questions about a type of joint that many files ask. Each has a case for every type: a new type
// gives a diagnostic here, and the files that ask need no change.
#ifndef HEFT_SRC_MODEL_JOINT_KIND_H
#define HEFT_SRC_MODEL_JOINT_KIND_H

#include <heft/model.h>

/// Where the rotation of a joint begins: the unit quaternion among its coordinates, and the three
/// components of its angular velocity among its dofs. Both follow as many shifts. -1: it has none.
static inline int joint_rotation(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_BALL:
      return 0;
    case HEFT_JOINT_FREE:
      return 3;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_SLIDE:
    case HEFT_JOINT_PLANAR:
    case HEFT_JOINT_UNIVERSAL:
    case HEFT_JOINT_CYLINDRICAL:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return -1;
}

/// How many axes of a model a joint uses: 0, joint_axis, or joint_axis and joint_axis2.
static inline int joint_axis_count(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_SLIDE:
    case HEFT_JOINT_CYLINDRICAL:
      return 1;
    case HEFT_JOINT_PLANAR:
    case HEFT_JOINT_UNIVERSAL:
      return 2;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_BALL:
    case HEFT_JOINT_FREE:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return 0;
}

/// 1 if the joint has one direction of motion, and so one coordinate and one dof.
static inline int joint_is_scalar(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_SLIDE:
      return 1;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_BALL:
    case HEFT_JOINT_FREE:
    case HEFT_JOINT_PLANAR:
    case HEFT_JOINT_UNIVERSAL:
    case HEFT_JOINT_CYLINDRICAL:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return 0;
}

#endif
