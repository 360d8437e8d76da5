// SPDX-License-Identifier: Apache-2.0
// Transmissions: everything in a model that has a length and carries a force along it. These are
// the tendons, and the joints or sites that actuators act on. A transmission stores its length and
// its moment arms ∂l/∂q in sparse form, for the dofs that can change its length. If the length is a
// sum of coordinates (joints, fixed tendons), the moment arms are constant.
#ifndef HEFT_SRC_WORLD_ACTUATION_TRANSMISSIONS_H
#define HEFT_SRC_WORLD_ACTUATION_TRANSMISSIONS_H

#include <heft/world.h>

#include "world/block.h"

typedef struct Transmission {
  int first, count;  ///< its dofs in Transmissions.dof, place and arm, ascending
  int straight;      ///< 1: a sum of coordinates, its moment arms are constant
  int source;        ///< tendon, or actuator
  int on_actuator;   ///< 1: source is an actuator
  int one_path;      ///< 1: its dofs lie on one path of a tree, and none of them belongs to a free
                     ///< joint: its stiffness may be integrated implicitly
  int wanted;        ///< 1: every step needs its length
} Transmission;

/// The transmissions of a world: tendons first, then the actuators that do not act on tendons.
typedef struct Transmissions {
  Block block;
  const HeftModel* model;
  int count;
  int wanted_end;  ///< no transmission from here on is wanted
  Transmission* list;
  int* of_actuator;        ///< nactuator: its transmission
  double* actuator_scale;  ///< nactuator: gear, if the transmission is a tendon; else 1
  double* length;          ///< count
  int* dof;
  int* place;         ///< coordinates of these dofs in q; straight transmissions only
  double* arm;        ///< moment arms
  double* dense_arm;  ///< nv: scratch
  int* marks;         ///< nv: scratch
} Transmissions;

/// The kinematics must be at q_default.
Transmissions* heft_transmissions_create(const HeftModel* model, const HeftDynamics* dynamics,
                                         const HeftAllocator* allocator, HeftError* error);
/// Computes wanted_end after all users have set `wanted`.
void heft_transmissions_settle(Transmissions* transmissions);
/// Lengths and moment arms of all wanted transmissions at the kinematics of q.
void heft_transmissions_update(Transmissions* transmissions, const HeftDynamics* dynamics,
                               const double* q);
/// Those of one transmission, wanted or not.
void heft_transmission_update(Transmissions* transmissions, const HeftDynamics* dynamics, int index,
                              const double* q);
/// Σ arm v: the rate of its length.
double heft_transmission_speed(const Transmissions* transmissions, int index, const double* v);
/// tau += force · arm.
void heft_transmission_pull(const Transmissions* transmissions, int index, double force,
                            double* tau);

#endif
