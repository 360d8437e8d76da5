// SPDX-License-Identifier: Apache-2.0
// Tasks with people whose hands no script moves (person.h), judged by what became of the object.
#ifndef HEFT_EXPERIMENTS_HANDS_H
#define HEFT_EXPERIMENTS_HANDS_H

#include "experiments/person.h"

/// What became of a task.
typedef struct Hands {
  int success, upright;
  double lifted;  ///< of the object [m]
  double least;   ///< least share of a way of the person that the object went
  Task task;      ///< state of the robot at the end, and its reason
} Hands;

/// Runs a task with one person. stiff: 1: the robot ignores the hand. Returns 0, with lab->error,
/// if it cannot run.
int hands_run(Lab* lab, const char* task, uint64_t seed, int stiff, Hands* out);

#endif
