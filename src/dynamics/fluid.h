// SPDX-License-Identifier: Apache-2.0
// The fluid around the bodies of a model: the boxes that stand for them, and the forces on these.
#ifndef HEFT_SRC_DYNAMICS_FLUID_H
#define HEFT_SRC_DYNAMICS_FLUID_H

#include <heft/dynamics.h>

#include "base/arena.h"
#include "dynamics/tendon.h"

/// A body as the fluid sees it: a box along the principal axes of its inertia. Rows 0 to 2 are
/// rotations about these axes, rows 3 to 5 motions along them.
typedef struct FluidBox {
  int body;
  HeftPose at;                 ///< centre of mass and axes, in the body's frame
  double viscous[6], drag[6];  ///< force per speed, and per speed squared
  int dof_count;               ///< dofs that move the body
  const int* dof;              ///< these, ascending
  double* arm[6];              ///< dof_count each: motion of the rows per dof
  HeftPose pose;               ///< in the world, at the kinematics of heft_fluid_place()
  double wind[6];              ///< motion of the fluid
  double rate[6];              ///< force per speed, as heft_fluid_linearise() found it
  double theta;                ///< of its tree, as heft_fluid_stiffen() was given it
} FluidBox;

/// 1 if the model has a fluid.
static inline int heft_fluid_acts(const HeftModel* model) {
  return model->physics.density > 0 || model->physics.viscosity > 0;
}
/// How many boxes a model has, and the numbers of all their arms.
int heft_fluid_count(const HeftModel* model, size_t* arms);
/// Fills boxes (heft_fluid_count()) and lays out their arms.
void heft_fluid_create(const HeftModel* model, double* arms, FluidBox* boxes);

/// The boxes of a dynamics object, NULL: no fluid.
FluidBox* heft_dynamics_fluid(const HeftDynamics* dynamics, int* count);
/// Arms and wind at the present kinematics.
void heft_fluid_place(HeftDynamics* dynamics);
/// The force per speed at the velocity v (nv).
void heft_fluid_linearise(HeftDynamics* dynamics, const double* v);
/// tau += forces at the velocity v with these forces per speed (nv).
void heft_fluid_push(const HeftDynamics* dynamics, const double* v, double* tau);
/// Writes the terms of M̂ of a step of length h, 6 for each box at most; theta: nv. Returns how
/// many.
int heft_fluid_stiffen(HeftDynamics* dynamics, double h, const double* theta, Stiffening* more);
/// Adds the power of the wind and the power that is lost, at the velocity v [W].
void heft_fluid_power(const HeftDynamics* dynamics, const double* v, double* work, double* lost);
/// The force and torque on a box in the world, at its centre.
HeftSpatial heft_fluid_wrench(const FluidBox* box, const double* v);

#endif
