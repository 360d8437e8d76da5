// SPDX-License-Identifier: Apache-2.0
// A scripted contact of an emulated hand with a wall: it comes, presses, and leaves.
#ifndef HEFT_TESTS_DEVICE_CONTACT_SCRIPT_H
#define HEFT_TESTS_DEVICE_CONTACT_SCRIPT_H

#include <heft/device.h>
#include <math.h>

typedef struct Wall {
  const char* device;
  double stiffness, damping;
  double jitter;  ///< periods are up to this share longer
  double loss;    ///< share of samples and forces that are lost
  int passivity;
} Wall;

typedef struct Felt {
  double lowest;    ///< of the energy that device and wall took from the hand [J]
  double ledger;    ///< of the guard's own ledger [J]
  double restless;  ///< force between samples at the end of the press, root of mean square [N]
  long interventions;
} Felt;

static inline double draw(uint64_t* seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) * 0x1p-53;
}

static inline HeftEmulator scripted_hand(const Wall* w, uint64_t* seed, double* speed,
                                         double* deep) {
  HeftEmulatorDef def = heft_emulator_def_default();
  heft_emulator_device(w->device, &def.info);
  def.seed = *seed | 1;
  def.loss = w->loss;
  def.hand_mass = 0.05 + 0.3 * draw(seed);
  def.hand_stiffness = 20 + 400 * draw(seed);
  def.hand_damping = 10 * draw(seed);
  def.start = heft_vec3(0, 0, 0.02);
  *speed = 0.05 + 0.25 * draw(seed);
  *deep = 0.03 * draw(seed);
  HeftEmulator e = heft_emulator_make(&def);
  e.vel.z = -*speed;
  return e;
}

static inline Felt scripted_contact(const Wall* w, uint64_t seed) {
  double speed, deep, t = 0, sum = 0, last = 0;
  long count = 0;
  HeftEmulator e = scripted_hand(w, &seed, &speed, &deep);
  HeftGuardDef guard_def = heft_guard_def_default();
  guard_def.passivity = w->passivity;
  guard_def.ramp = 0;
  HeftGuard g = heft_guard_make(&guard_def, &e.def.info);
  const HeftLocalModel m = {.kind = HEFT_LOCAL_SURFACE,
                            .turn = {1, 0, 0, 0},
                            .normal = {0, 0, 1},
                            .stiffness = w->stiffness,
                            .damping = w->damping};
  uint64_t now = 1000000000u;
  Felt felt = {0};
  while (t < 0.6) {
    const double dt = (1 + w->jitter * (w->jitter > 0 ? draw(&seed) : 0)) / e.def.info.rate;
    t += dt;
    now += (uint64_t)(dt * 1e9);
    e.intention.z =
        t < 0.35 ? fmax(0.02 - speed * t, -deep) : fmin(-deep + 1.5 * speed * (t - 0.35), 0.03);
    heft_emulator_advance(&e, now);
    felt.lowest = fmin(felt.lowest, e.given);
    HeftDeviceSample s;
    if (heft_emulator_read(&e, &s) == HEFT_DEVICE_FRESH) heft_guard_sample(&g, now, &s);
    const HeftDeviceForce command = heft_local_model_force(&m, now, &g.last);
    const HeftDeviceForce f = heft_guard_force(&g, now, &command, NULL);
    heft_emulator_write(&e, &f);
    if (t > 0.25 && t < 0.35) {
      sum += (f.force.z - last) * (f.force.z - last);
      ++count;
    }
    last = f.force.z;
  }
  felt.restless = count > 0 ? sqrt(sum / (double)count) : 0;
  felt.ledger = g.report.energy_lowest;
  felt.interventions = g.report.interventions;
  return felt;
}

#endif
