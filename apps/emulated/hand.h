// SPDX-License-Identifier: Apache-2.0
// The emulated hand of a library that replaces a device maker's library. The environment variable
// HEFT_EMULATED_HAND defines device and path. The clock is real time, or a test's.
#ifndef HEFT_APPS_EMULATED_HAND_H
#define HEFT_APPS_EMULATED_HAND_H

#include <heft/device.h>
#include <stdlib.h>

#define MAKER __attribute__((visibility("default")))

static HeftEmulator hand;
static HeftDeviceSample hand_at;
static uint64_t hand_time;
static int hand_gone;

/// For tests: disconnects or reconnects the device; and sets another clock.
MAKER void heft_emulated_unplug(int gone);
MAKER void heft_emulated_unplug(int gone) { hand_gone = gone; }
MAKER void heft_emulated_time(uint64_t now_ns);
MAKER void heft_emulated_time(uint64_t now_ns) { hand_time = now_ns; }

static inline int hand_start(const char* device) {
  const char* reported = getenv("HEFT_EMULATED_HAND");
  hand_at = (HeftDeviceSample){.rot = {1, 0, 0, 0}};
  return !hand_gone && heft_emulator_read_text(&hand, reported && reported[0] ? reported : device,
                                               NULL) == HEFT_OK;
}

static inline void hand_live(void) {
  heft_emulator_advance(&hand, hand_time > 0 ? hand_time : heft_clock_ns());
  heft_emulator_read(&hand, &hand_at);
}

static inline void hand_push(HeftVec3 force) {
  const HeftDeviceForce f = {force, {0, 0, 0}, 0};
  heft_emulator_write(&hand, &f);
}

#endif
