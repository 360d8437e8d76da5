// SPDX-License-Identifier: Apache-2.0
// Tendons in the step: their springs and dampers.
#ifndef HEFT_SRC_WORLD_TENDONS_H
#define HEFT_SRC_WORLD_TENDONS_H

#include <heft/world.h>

#include "dynamics/tendon.h"

typedef struct Tendons {
  int any;            ///< 1 if a tendon has a spring or a damper
  double (*rest)[2];  ///< ntendon: the spring is at rest between these lengths
  size_t memory_size;
} Tendons;

HeftStatus heft_tendons_create(HeftWorld* world, HeftError* error);
void heft_tendons_destroy(HeftWorld* world);

/// For the theta scheme: tau += forces at the lines' present lengths and the velocity of the state,
/// extra and more get what is taken implicitly. Returns how many of more were written.
int heft_tendons_act(HeftWorld* world, double* tau, double* extra, Stiffening* more);
/// Energy that the dampers take during the step, at the mean velocity [J].
double heft_tendons_damping(const HeftWorld* world, const double* middle);
/// tau += forces at velocity v; returns the power that the dampers take [W].
double heft_tendons_stage(HeftWorld* world, const double* v, double* tau);
/// Energy of all springs at the lines' present lengths [J].
double heft_tendons_energy(const HeftWorld* world);

#endif
