// SPDX-License-Identifier: Apache-2.0
// Tendons in the step: their springs and dampers.
#ifndef HEFT_SRC_WORLD_ACTUATION_TENDONS_H
#define HEFT_SRC_WORLD_ACTUATION_TENDONS_H

#include <heft/world.h>

#include "dynamics/tendon.h"
#include "world/actuation/transmissions.h"

typedef struct Tendons {
  Block block;
  const HeftModel* model;
  const Transmissions* transmissions;
  int any;            ///< 1 if a tendon has a spring or a damper
  double (*rest)[2];  ///< ntendon: the spring is at rest between these lengths
} Tendons;

/// Leaves the kinematics at q_default.
Tendons* heft_tendons_create(const HeftModel* model, Transmissions* transmissions,
                             HeftDynamics* dynamics, const HeftAllocator* allocator,
                             HeftError* error);

/// For the theta scheme: tau += forces at the transmissions' lengths and the velocity v; extra and
/// more get the implicit terms. theta: nv. Returns how many of more were written.
int heft_tendons_act(const Tendons* tendons, double h, const double* v, const double* theta,
                     double* tau, double* extra, Stiffening* more);
/// Energy that the dampers dissipate during the step, at the mean velocity [J].
double heft_tendons_damping(const Tendons* tendons, double h, const double* v_mean);
/// tau += forces at velocity v; returns the power that the dampers dissipate [W].
double heft_tendons_stage(const Tendons* tendons, const double* v, double* tau);
/// Energy of all springs at the transmissions' lengths [J].
double heft_tendons_energy(const Tendons* tendons);

#endif
