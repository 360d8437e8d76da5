// SPDX-License-Identifier: Apache-2.0
// Sag: how a load moves a stance with soft joints, and what that takes from its margin.
#ifndef HEFT_SRC_WORLD_MARGIN_SAG_H
#define HEFT_SRC_WORLD_MARGIN_SAG_H

#include "world/constraints.h"

/// What a margin reads of a world: its last step and its present state.
typedef struct MarginInput {
  const HeftModel* model;
  const HeftState* state;
  HeftDynamics* dynamics;  ///< its velocities are changed
  const Constraints* constraints;
  const StepInput* step;
  const double* actuator_force;  ///< nactuator
  const HeftAllocator* allocator;
} MarginInput;

typedef struct Sag Sag;

/// Whether dofs of the stance are soft. part: nlink, 1 at the roots of its trees.
int heft_sag_exists(const HeftModel* model, const int* part);
/// For displacements by loads that grow together. *out: NULL on failure. HEFT_ERR_MEMORY: no
/// memory. in and loads must outlive it.
HeftStatus heft_sag_create(Sag** out, const MarginInput* in, const int* part,
                           const HeftMarginLoad* loads, int count, HeftError* error);
void heft_sag_destroy(Sag* sag);
/// The program of the stance after the sag of `factor` times the loads. column (nv): unknown of a
/// dof, or -1; there are `unknowns`. cone: 3 rows of `unknowns` numbers per contact of the last
/// step; cost: added weight; along: loads. Returns 0 if no sag carries that load.
int heft_sag_displace(Sag* sag, double factor, const int* column, int unknowns, double* cone,
                      double* cost, double* along);
/// The largest load that a sag carries; infinite as long as no displacement led beyond it.
double heft_sag_end(const Sag* sag);
/// The dof that an actuator holds at a position, or -1.
int heft_servo_dof(const HeftModel* model, int actuator);

#endif
