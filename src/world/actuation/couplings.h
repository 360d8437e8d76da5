// SPDX-License-Identifier: Apache-2.0
// Couplings: springs that hold bodies at targets during a step (heft_world_add_coupling()).
#ifndef HEFT_SRC_WORLD_ACTUATION_COUPLINGS_H
#define HEFT_SRC_WORLD_ACTUATION_COUPLINGS_H

#include <heft/world.h>

#include "dynamics/tendon.h"
#include "world/block.h"
#include "world/sensors.h"
#include "world/step_input.h"

typedef struct Coupling {
  HeftCoupling def;
  HeftVec3 point;          ///< origin of the frame, at the kinematics of the forces [m]
  HeftVec3 stretch, turn;  ///< from the frame to its target [m, rad]
  int dof_count;           ///< dofs that move the body
  int* dof;                ///< path_max
  double* arm[6];          ///< path_max each: Jacobian, rows angular then linear
} Coupling;

typedef struct Couplings {
  Block block;
  const HeftModel* model;
  int count;     ///< of the next step
  int finished;  ///< of the last step
  int path_max;  ///< dofs on the longest path of the model
  Coupling list[HEFT_COUPLING_MAX];
  HeftSpatial wrench[HEFT_COUPLING_MAX];  ///< of the present step, mean
  HeftSpatial last[HEFT_COUPLING_MAX];    ///< of the last step
  double* jacobian;                       ///< 6 x nv
} Couplings;

/// Stiffenings that the couplings of a step need at most.
enum { COUPLING_STIFFENINGS = 6 * HEFT_COUPLING_MAX };

Couplings* heft_couplings_create(const HeftModel* model, const HeftAllocator* allocator,
                                 HeftError* error);
/// Drops the couplings of the next step.
void heft_couplings_clear(Couplings* couplings);
/// Adds a coupling to the next step. Returns its number, or -1 if it is refused.
int heft_couplings_add(Couplings* couplings, const HeftCoupling* def);

/// tied[root] = 1 for the trees that are held.
void heft_couplings_mark(const Couplings* couplings, int* tied);
/// Forces at the present kinematics and the velocity v, tau += ... (nv), and their terms of the
/// mass matrix. Returns how many stiffenings were written.
int heft_couplings_act(Couplings* couplings, const HeftDynamics* dynamics, double h,
                       const double* v, double* tau, Stiffening* more);
/// tau += the joint forces of the part of a step that ends at v; after heft_couplings_act().
void heft_couplings_pull(const Couplings* couplings, double h, const double* v, double* tau);
/// Wrenches of the step that ends at v, noted in the sensors. Returns their work at the mean
/// velocity, added to `work` [J].
double heft_couplings_finish(Couplings* couplings, const StepInput* in,
                             const HeftDynamics* dynamics, Sensors* sensors, const double* v,
                             const double* v_mean, double work);
/// Runge-Kutta: explicit forces of a stage with a weight of `share`, tau += ... Returns their
/// power.
double heft_couplings_stage(Couplings* couplings, const StepInput* in, const HeftDynamics* dynamics,
                            Sensors* sensors, const double* v, double share, double* tau);
/// At the end of all substeps: the couplings are dropped, and their wrenches can be read.
void heft_couplings_end(Couplings* couplings, int stepped);

#endif
