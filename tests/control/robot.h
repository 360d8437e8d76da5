// SPDX-License-Identifier: Apache-2.0
// Robots from models/ for tests of their controllers.
#ifndef HEFT_TESTS_CONTROL_ROBOT_H
#define HEFT_TESTS_CONTROL_ROBOT_H

#include <heft/control.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/lab.h"
#include "experiments/poses.h"
#include "scenes/random.h"
#include "support/check.h"

static inline Lab robot_lab(const char* file, const LabAngle* angles) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  if (!lab_open(&lab, file, angles)) fail_msg("%s", lab.error);
  return lab;
}

#endif
