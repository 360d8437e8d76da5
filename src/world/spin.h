// SPDX-License-Identifier: Apache-2.0
// Fast spin in contact: the bias force must not add energy.
#ifndef HEFT_SRC_WORLD_SPIN_H
#define HEFT_SRC_WORLD_SPIN_H

#include "base/arena.h"
#include "world/momentum.h"
#include "world/step_input.h"

/// Motion of a tree relative to its own centre of mass.
typedef struct InternalEnergy {
  double mass;    ///< of the tree [kg]
  double u[3];    ///< velocity of the centre of mass, of floating trees [m/s]
  double energy;  ///< kinetic, without that of the centre of mass [J]
} InternalEnergy;

typedef struct SpinScratch {
  int* fast;                       ///< nlink: 1 at the roots of trees that spin fast
  InternalEnergy *before, *after;  ///< nlink: of a step along the bias, by root
  double* at_rest;                 ///< nv: zero velocity
  double* weight;                  ///< nv: joint forces that carry the weight
  double* turned;                  ///< nv: velocity after a step along the bias alone
  double* momentum;                ///< nv: M times a velocity
} SpinScratch;

void heft_spin_place(SpinScratch* spin, Arena* arena, const HeftModel* model);
/// Corrects the accelerations (nv), so that the bias of trees in contact that spin fast adds no
/// energy. v: the velocity of the trees; the kinematics are those of the bias. active: by root.
void heft_spin_restrain(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics,
                        const int* active, const FloatingGroups* groups, const double* v,
                        double* acceleration);

#endif
