// SPDX-License-Identifier: Apache-2.0
// Couplings: hands that hold bodies during a step (heft_world_add_coupling()).
#ifndef HEFT_SRC_WORLD_COUPLINGS_H
#define HEFT_SRC_WORLD_COUPLINGS_H

#include <heft/world.h>

#include "dynamics/tendon.h"

typedef struct Coupling {
  HeftCoupling def;
  HeftVec3 point;          ///< where it holds, at the kinematics of the forces [m]
  HeftVec3 stretch, turn;  ///< from the frame to its target [m, rad]
  int dof_count;           ///< dofs that move the body
  int* dof;                ///< path_max
  double* arm[6];          ///< path_max each: Jacobian, rows angular then linear
} Coupling;

typedef struct Couplings {
  int count;     ///< of the next step
  int finished;  ///< of the last step
  int path_max;  ///< dofs on the longest path of the model
  Coupling list[HEFT_COUPLING_MAX];
  HeftSpatial wrench[HEFT_COUPLING_MAX];  ///< of the step in work, mean
  HeftSpatial last[HEFT_COUPLING_MAX];    ///< of the last step
  double* jacobian;                       ///< 6 x nv
  size_t memory_size;
} Couplings;

/// Stiffenings that the couplings of a step take at most.
enum { COUPLING_STIFFENINGS = 6 * HEFT_COUPLING_MAX };

HeftStatus heft_couplings_create(HeftWorld* world, HeftError* error);
void heft_couplings_destroy(HeftWorld* world);
/// Forgets those that were asked for.
void heft_couplings_clear(HeftWorld* world);

/// active[root] = 1 for the trees that are held.
void heft_couplings_mark(const HeftWorld* world, int* active);
/// Forces at the present kinematics and velocities of the state, tau += ... (nv), and what they add
/// to the mass matrix. Returns how many stiffenings were written.
int heft_couplings_act(HeftWorld* world, double* tau, Stiffening* more);
/// What they did in the step that ends at v, with the mean velocity `middle`.
void heft_couplings_finish(HeftWorld* world, const double* v, const double* middle,
                           HeftStepReport* report);
/// Runge-Kutta: explicit forces of a stage with a weight of `share`, tau += ... Returns their
/// power.
double heft_couplings_stage(HeftWorld* world, const double* v, double share, double* tau);
/// At the end of all parts of a step: it is forgotten, and its wrenches can be asked for.
void heft_couplings_end(HeftWorld* world, int stepped);

#endif
