// SPDX-License-Identifier: Apache-2.0
// The table as a motion: coordinates of all joints at each time, velocities, accelerations.
#ifndef HEFT_APPS_JUDGE_MOTION_H
#define HEFT_APPS_JUDGE_MOTION_H

#include <heft/dynamics.h>

#include "judge/judge.h"

typedef struct Motion {
  int count;
  double *time, *q, *v, *a;  ///< count x 1, nq, nv, nv
} Motion;

/// On failure the motion is empty.
HeftStatus motion_read(Motion* out, const HeftModel* model, const Csv* table, const char* file,
                       const JudgeDef* def, HeftError* error);
void motion_release(Motion* motion);

#endif
