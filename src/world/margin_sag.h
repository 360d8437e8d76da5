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

/// Adds the power of a load that acts at a point, at the velocities of the dynamics.
static inline void heft_margin_load_add(const HeftMarginLoad* load, const HeftDynamics* dynamics,
                                        HeftVec3 point, double* power) {
  const HeftSpatial speed = heft_dynamics_body_velocity(dynamics, load->body, point);
  *power += heft_vec3_dot(load->force, speed.lin);
  *power += heft_vec3_dot(load->torque, speed.ang);
}

typedef struct Sag Sag;

/// Whether dofs of the stance are soft. part: nlink, 1 at the roots of its trees.
int heft_sag_exists(const HeftModel* model, const int* part);
/// Finds the displacement per unit of the loads. *out: NULL if nothing resists them.
/// HEFT_ERR_MEMORY: no memory. in and loads must outlive it.
HeftStatus heft_sag_create(Sag** out, const MarginInput* in, const int* part,
                           const HeftMarginLoad* loads, int count, HeftError* error);
void heft_sag_destroy(Sag* sag);
/// The program of the stance after the sag of `factor` times the loads. column (nv): unknown of a
/// dof, or -1; there are `unknowns`. cone: 3 rows of `unknowns` numbers per contact of the last
/// step; cost: added weight; along: loads.
void heft_sag_displace(Sag* sag, double factor, const int* column, int unknowns, double* cone,
                       double* cost, double* along);
/// The dof that an actuator holds at a position, or -1.
int heft_servo_dof(const HeftModel* model, int actuator);

#endif
