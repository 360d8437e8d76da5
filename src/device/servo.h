// SPDX-License-Identifier: Apache-2.0
// Inside of a servo.
#ifndef HEFT_SRC_DEVICE_SERVO_H
#define HEFT_SRC_DEVICE_SERVO_H

#include <heft/device.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/triple_buffer.h"
#include "math/histogram.h"

/// Times of a servo: bins of a quarter of an octave from 1 µs on (HeftServoReport).
static const HistogramScale servo_bins = {1e-6, 0.17328679513998632735, HEFT_SERVO_BINS};

typedef struct Axis {
  HeftDevice* device;
  // exchanged
  TripleBuffer input_buffer, model_buffer, map_buffer, view_buffer;
  HeftProbeInput input[3];
  HeftLocalModel model[3];
  HeftMapping map[3];
  HeftServoView view[3];
  // used only by the servo
  HeftMapping mapping;
  HeftLocalModel rendered;
  HeftProbeInput hand;
  HeftDeviceSample sample;
  uint64_t sample_ns;  // when the last sample came
  uint64_t model_ns;   // when the model came; 0: none yet
  HeftSpatial offset;  // torque and force: offset after a late model was replaced
  uint64_t offset_ns;
  HeftSpatial moved;  // displacement of the touched surface until the last force
  HeftDeviceForce given;
} Axis;

struct HeftServo {
  HeftServoDef def;
  size_t memory_size;
  int count;
  Axis axis[HEFT_SERVO_DEVICES];
  pthread_t thread;
  int started;  // 1: a thread of ours; 2: one of an SDK
  atomic_int quit;
  HeftServoReport report;
};

/// One turn that began `late` after it should have.
void servo_turn(HeftServo* servo, uint64_t now_ns, uint64_t late_ns);
/// The driver of a device, for its thread.
const HeftDriver* device_driver(const HeftDevice* device);
/// Starts and ends the thread of a device, in which its driver may wait.
HeftStatus device_isolate(HeftDevice* device, HeftError* error);
void device_join(HeftDevice* device);

#endif
