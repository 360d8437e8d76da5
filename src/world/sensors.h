// SPDX-License-Identifier: Apache-2.0
// Sensors of the model: computed on request, from the present state and from the forces of the step
// that led to it.
#ifndef HEFT_SRC_WORLD_SENSORS_H
#define HEFT_SRC_WORLD_SENSORS_H

#include <heft/world.h>

#include "world/block.h"
#include "world/step_input.h"

/// Wrenches on a body from outside, about the point that was its tree's origin then.
typedef struct Applied {
  HeftSpatial wrench;
  HeftVec3 about;
} Applied;

typedef struct Constraints Constraints;  ///< constraints.h
typedef struct Drives Drives;            ///< actuation/drives.h

typedef struct Sensors {
  Block block;
  const HeftModel* model;
  double* value;         ///< nsensordata
  int fresh;             ///< 1 if they belong to the present state
  int stepped;           ///< 1 if the present state came from StepInput::start by a step
  int wants_force;       ///< 1 if a sensor measures forces between bodies
  double* acceleration;  ///< nv: mean of the last step
  double* joint_force;   ///< nv: scratch
  HeftSpatial* carried;  ///< nbody: force of its parent on it, about its tree's origin
  Applied* pending;      ///< nbody: applied for the next step
  Applied* applied;      ///< nbody: applied in the last step
  int any_pending, any_applied;
} Sensors;

HeftStatus heft_sensors_create(Sensors** out, const HeftModel* model,
                               const HeftAllocator* allocator, HeftError* error);
/// Notes an outside wrench of the next step.
void heft_sensors_note(Sensors* sensors, const HeftDynamics* dynamics, int body, HeftVec3 point,
                       HeftVec3 force, HeftVec3 torque);
/// To be called when the state has changed: by a step, or by the user (stepped 0).
void heft_sensors_outdate(Sensors* sensors, int stepped);
/// The force of the parent of each body on it, into carried. Needs accelerations
/// (heft_dynamics_rnea()).
void heft_sensors_carry(Sensors* sensors, const StepInput* in, const Constraints* constraints,
                        const HeftDynamics* dynamics);
/// The stages that sensors read.
typedef struct SensorSources {
  Sensors* sensors;
  const StepInput* input;
  const Constraints* constraints;
  const HeftState* state;
  Drives* drives;
  HeftDynamics* dynamics;  ///< at the kinematics of the state
  uint64_t seed;           ///< of noise
} SensorSources;

/// Values of all sensors (nsensordata) of bodies that move with the velocities of the state and
/// these accelerations (nv). Forces belong to the last step.
void heft_sensors_read(const SensorSources* sources, const double* acceleration, double* value);
/// Noise with standard deviation 1, the same for the same seed, index and time.
double heft_sensors_noise(uint64_t seed, int index, double time);

#endif
