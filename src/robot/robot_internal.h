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
  int socket;          // -1: none
  bool keyed, sealed;  // versions 1 and 2 over UDP
  unsigned char key[LINK_KEY];
  TunnelGuest tunnel, probe;  // probe: asks whether the simulation has another session
  int offers;                 // of another session, without a word in ours
  uint64_t session, number;   // number of the state
  char* description;
  uint32_t description_size, part, parts;  // parts that are there, and all
  size_t description_used;
  size_t out_size;
  unsigned char in[LINK_DATAGRAM + TUNNEL_FRAME], out[LINK_DATAGRAM];
  unsigned char sealed_out[LINK_DATAGRAM + TUNNEL_FRAME];
};

#endif
