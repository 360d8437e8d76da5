// SPDX-License-Identifier: Apache-2.0
// The description that a simulation sends (link/description.h), as lists.
#ifndef HEFT_SRC_ROBOT_ROBOT_MODEL_H
#define HEFT_SRC_ROBOT_ROBOT_MODEL_H

#include <heft/robot.h>

enum { ROBOT_DESCRIPTION_MAX = 1 << 24 };  ///< [bytes]

typedef struct RobotModel {
  HeftRobotModel list;
  void* block;  ///< memory of all lists
  size_t size;
} RobotModel;

/// Reads a description, which ends with a zero and may hold any bytes. HEFT_ERR_SYNTAX,
/// HEFT_ERR_MEMORY. Nothing is to be released on failure.
HeftStatus robot_model_read(RobotModel* out, const char* text, const HeftAllocator* allocator,
                            HeftError* error);
void robot_model_release(RobotModel* model, const HeftAllocator* allocator);

#endif
