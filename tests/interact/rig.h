// SPDX-License-Identifier: Apache-2.0
// A person, a device and a world in one thread and in a time of their own: the same every time.
#ifndef HEFT_TESTS_INTERACT_RIG_H
#define HEFT_TESTS_INTERACT_RIG_H

#include <heft/device.h>
#include <heft/io.h>
#include <string.h>

#include "device/driver_list.h"
#include "support/check.h"

typedef struct Rig {
  HeftModel* model;
  HeftWorld* world;
  HeftProbe* probe;
  HeftServo* servo;
  HeftDevice* device;
  HeftEmulator* hand;
  uint64_t now_ns;
  int step_every;  // ticks of the servo
  long ticks;
  HeftStepReport report;
} Rig;

typedef struct RigDef {
  const char* scene;
  HeftEmulatorDef hand;
  HeftProbeDef probe;
  HeftDeviceDef device;
  HeftMapping mapping;
} RigDef;

static inline RigDef rig_def(const char* scene) {
  RigDef def = {.scene = scene,
                .hand = heft_emulator_def_default(),
                .probe = heft_probe_def_default(),
                .device = heft_device_def_default(),
                .mapping = heft_mapping_default()};
  return def;
}

static inline Rig rig_make(const RigDef* def) {
  Rig r = {.now_ns = 1000000000u, .step_every = 1};
  HeftError error = {0};
  const HeftLoadDef load = heft_load_def_default();
  if (heft_model_load_bytes(&r.model, def->scene, strlen(def->scene), "s.xml", &load, &error) ||
      heft_world_create(&r.world, r.model, NULL, &error) ||
      heft_probe_create(&r.probe, r.model, &def->probe, &error) ||
      heft_device_open(&r.device, &heft_driver_emulated, "", &def->device, &error) ||
      heft_servo_create(&r.servo, NULL, &error))
    fail_msg("%s", error.message);
  heft_servo_add(r.servo, r.device, &def->mapping);
  r.hand = heft_device_self(r.device);
  *r.hand = heft_emulator_make(&def->hand);
  return r;
}

static inline void rig_step(Rig* r) {
  HeftProbeInput input;
  heft_servo_input(r->servo, 0, &input);
  heft_probe_begin(r->probe, r->world, &input);
  r->report = heft_world_step(r->world);
  const HeftLocalModel model = heft_probe_end(r->probe, r->world);
  if (heft_step_taken(r->report.status)) heft_servo_model(r->servo, 0, &model);
}

static inline void rig_tick(Rig* r) {
  r->now_ns += 1000000u;
  heft_servo_tick(r->servo, r->now_ns);
  if (++r->ticks % r->step_every == 0) rig_step(r);
}

static inline void rig_run(Rig* r, double seconds) {
  for (long i = (long)(seconds * 1000 + 0.5); i > 0; --i) rig_tick(r);
}

static inline void rig_end(Rig* r) {
  heft_servo_destroy(r->servo);
  heft_device_close(r->device);
  heft_probe_destroy(r->probe);
  heft_world_destroy(r->world);
  heft_model_destroy(r->model);
}

#endif
