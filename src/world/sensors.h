// SPDX-License-Identifier: Apache-2.0
// Sensors of the model: worked out when somebody asks, from the present state and from the forces
// of the step that led to it.
#ifndef HEFT_SRC_WORLD_SENSORS_H
#define HEFT_SRC_WORLD_SENSORS_H

#include <heft/world.h>

/// Wrenches on a body from outside, about the point that was its tree's origin then.
typedef struct Applied {
  HeftSpatial wrench;
  HeftVec3 about;
} Applied;

typedef struct Sensors {
  double* value;         ///< nsensordata
  int fresh;             ///< 1 if they belong to the present state
  int stepped;           ///< 1 if the present state came from world->before by a step
  int wants_force;       ///< 1 if a sensor measures forces between bodies
  double* acceleration;  ///< nv: mean of the last step
  HeftSpatial* carried;  ///< nbody: what its parent exerts on it, about its tree's origin
  Applied* pending;      ///< nbody: applied for the next step
  Applied* applied;      ///< nbody: applied in the last step
  int any_pending, any_applied;
  size_t memory_size;
} Sensors;

HeftStatus heft_sensors_create(HeftWorld* world, HeftError* error);
void heft_sensors_destroy(HeftWorld* world);
/// Notes a wrench from outside.
void heft_sensors_note(HeftWorld* world, int body, HeftVec3 point, HeftVec3 force, HeftVec3 torque);
/// The state has changed: by a step, or by hand (stepped 0).
void heft_sensors_outdate(HeftWorld* world, int stepped);
/// What the parent of each body exerts on it, into carried. Needs accelerations
/// (heft_dynamics_rnea()).
void heft_sensors_carry(HeftWorld* world);
/// Noise with standard deviation 1, the same for the same seed, index and time.
double heft_sensors_noise(uint64_t seed, int index, double time);

#endif
