// SPDX-License-Identifier: Apache-2.0
// The controller's end of a link, for robot.c and its tests.
#ifndef HEFT_SRC_ROBOT_ROBOT_INTERNAL_H
#define HEFT_SRC_ROBOT_ROBOT_INTERNAL_H

#include "robot/packet.h"
#include "robot/robot_model.h"

struct HeftRobot {
  HeftAllocator allocator;
  RobotModel model;
  HeftRobotState state;
  double *numbers, *controls, *forces;  // one block: q, v, sensors; controls; forces
  size_t number_count;
  bool forced, answered;
  int socket;  // -1: none
  bool keyed;
  unsigned char key[LINK_KEY];
  uint64_t session, number;  // number of the state
  char* description;
  uint32_t description_size, part, parts;  // parts that are there, and all
  size_t description_used;
  size_t out_size;
  unsigned char in[LINK_DATAGRAM], out[LINK_DATAGRAM];
};

#endif
