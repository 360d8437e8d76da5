// SPDX-License-Identifier: Apache-2.0
// A controller in a process of its own: holds a robot in its first keyframe, or in the pose of its
// file.
//   cc -O2 -o hold hold.c $(pkg-config --cflags --libs heft_device) && ./hold unix:/tmp/robot
// The key of a place udp:IP:PORT comes from the environment (HEFT_UDP_KEY), where 'ps' does not
// show it.
#include "hold.h"

#include <heft/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  HeftRobot* robot = NULL;
  char place[300];
  const char* key = getenv("HEFT_UDP_KEY");
  const int keyed = argc == 2 && key && strncmp(argv[1], "udp:", 4) == 0;
  snprintf(place, sizeof place, "%s%s%s", argc == 2 ? argv[1] : "", keyed ? "#" : "",
           keyed ? key : "");
  HeftError error = {.message = "usage: hold unix:PATH|udp:PORT, of a simulation"};
  if (argc != 2 || heft_robot_open(&robot, place, 30, NULL, &error) != HEFT_OK) {
    fprintf(stderr, "hold: %s\n", error.message);
    return 1;
  }
  const HeftRobotModel* model = heft_robot_model(robot);
  const double* pose = model->key_count > 0 ? model->key[0].q : model->q;
  Hold hold = {0};
  for (int i = 0; i < model->ncontrol; ++i) {
    const HeftRobotActuator* actuator = &model->actuator[i];
    if (actuator->joint < 0) continue;
    const HeftRobotJoint* joint = &model->joint[actuator->joint];
    hold_add(&hold, i, joint->name, joint->q, joint->v, strcmp(actuator->unit, "rad") == 0,
             pose[joint->q]);
  }
  long states = 0;
  for (; heft_robot_wait(robot); ++states) {
    const HeftRobotState* state = heft_robot_state(robot);
    hold_act(&hold, state->q, state->v, heft_robot_controls(robot));
    heft_robot_send(robot);
  }
  printf("%ld states\n", states);
  heft_robot_close(robot);
  return 0;
}
