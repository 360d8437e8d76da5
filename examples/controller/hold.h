// SPDX-License-Identifier: Apache-2.0
// The law of hold.c and hold.py: a robot keeps its pose. Motors get the torques of a spring and a
// damper in each joint. Servos get the pose as their target; those of hips and ankles also follow
// the rotation of the trunk, so that the legs give way to a push.
#ifndef HOLD_H
#define HOLD_H

#include <string.h>

enum { HOLD_MAX = 64 };

typedef struct Hold {
  int count;
  struct {
    int control;      // place of its control
    int q, v, servo;  // place of the joint in q and v; 1: the control is an angle, 0: a torque
    int turn;         // place in v of the rotation of the trunk that it follows, -1: none
    double pose;      // angle to keep [rad]
  } joint[HOLD_MAX];
} Hold;

// Adds the joint that a control moves.
static inline void hold_add(Hold* hold, int control, const char* name, int q, int v, int servo,
                            double pose) {
  const int pitch = strstr(name, "hip_pitch") || strstr(name, "ankle_pitch");
  const int turn = pitch ? 4 : strstr(name, "hip_roll") ? 3 : -1;
  if (hold->count == HOLD_MAX) return;
  hold->joint[hold->count].control = control;
  hold->joint[hold->count].q = q;
  hold->joint[hold->count].v = v;
  hold->joint[hold->count].servo = servo;
  hold->joint[hold->count].turn = turn;
  hold->joint[hold->count++].pose = pose;
}

static inline void hold_act(const Hold* hold, const double* q, const double* v, double* control) {
  for (int i = 0; i < hold->count; ++i) {
    const double pose = hold->joint[i].pose;
    const int turn = hold->joint[i].turn;
    double* out = &control[hold->joint[i].control];
    if (!hold->joint[i].servo)
      *out = 15 * (pose - q[hold->joint[i].q]) - 0.25 * v[hold->joint[i].v];
    else
      *out = turn >= 0 ? pose + 0.1 * v[turn] : pose;
  }
}

#endif
