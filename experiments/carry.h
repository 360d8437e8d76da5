// SPDX-License-Identifier: Apache-2.0
// The HRP-2-like robot and a user hold one bar.
#ifndef HEFT_EXPERIMENTS_CARRY_H
#define HEFT_EXPERIMENTS_CARRY_H

#include "experiments/interactive.h"

enum { CARRY_NQ_MAX = 128 };

typedef struct Carry {
  InteractiveData data;
  int bar, bar_q, hand[2], thumb[2], gripper[2];
  double mass, start_x;
  HeftGestureState gesture;
  HeftBehaviourState lead;
  HeftVec3 felt[2];  ///< by the wrists, beyond the known weight, smoothed [N]
  HeftBipedGoal stand;
  double base[CARRY_NQ_MAX], posture[CARRY_NQ_MAX];
} Carry;

#endif
