// SPDX-License-Identifier: Apache-2.0
// Expressions of one model's dynamics. Each file writes one section, with the operations of the
// file of the same name in src/dynamics in the same order.
#ifndef HEFT_APPS_GENERATE_ROBOT_H
#define HEFT_APPS_GENERATE_ROBOT_H

#include <heft/model.h>

#include "generate/algebra.h"

typedef struct Robot {
  Graph graph;
  const HeftModel* model;
  PoseOf* pose;                             ///< nlink, from the origin of its tree
  Vec* origin;                              ///< nlink: of roots
  Vec (*spin)[3];                           ///< nlink
  PairOf* axis;                             ///< nv
  PairOf *velocity, *acceleration, *force;  ///< nlink
  int* hinge;     ///< of each stage: its number among those that turn, or -1
  char* prelude;  ///< statements before the kinematics: calls of the library
  size_t prelude_length, prelude_capacity;
} Robot;

/// NULL, or the name of a joint type or another part that cannot be generated.
const char* robot_obstacle(const HeftModel* model, char* out, size_t size);

void robot_kinematics(Robot* robot);
/// with_a: false for a zero acceleration.
void robot_rnea(Robot* robot, bool with_a);
void robot_crba(Robot* robot);
void robot_body_poses(Robot* robot);

/// Adds a statement to the beginning of the kinematics.
void robot_say(Robot* robot, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
