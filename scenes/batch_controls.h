// SPDX-License-Identifier: Apache-2.0
// What `heft bench batch` does to each world, in numbers alone, so that every engine gets the same:
// random controls that depend on the world, the step and the actuator, and change every 10 steps.
#ifndef HEFT_SCENES_BATCH_CONTROLS_H
#define HEFT_SCENES_BATCH_CONTROLS_H

#include <heft/base.h>
#include <stdint.h>

enum { BATCH_HOLD = 10 };  // steps

/// Within [low, high].
static inline double batch_control(int world, int64_t step, int actuator, double low, double high) {
  const uint64_t place[3] = {(uint64_t)world, (uint64_t)step, (uint64_t)actuator};
  const double x = (double)(heft_hash(place, sizeof place, 1) >> 11) * 0x1p-53;
  return low + x * (high - low);
}

#endif
