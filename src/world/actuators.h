// SPDX-License-Identifier: Apache-2.0
// Actuators in the step: controls and activations become forces along lines.
#ifndef HEFT_SRC_WORLD_ACTUATORS_H
#define HEFT_SRC_WORLD_ACTUATORS_H

#include <heft/world.h>

#include "dynamics/tendon.h"

typedef struct Actuators {
  double* control;          ///< nactuator: from outside
  double* input;            ///< nactuator: what the gain sees in this step
  double* plain;            ///< nactuator: force without the change of velocity in this step
  double* response;         ///< nactuator: what a change of the line's speed adds to it, <= 0
  double* force;            ///< nactuator: mean of the last step
  double* saturated;        ///< nactuator: -1, 1 at its lower, upper force limit; 0 between
  double* joint_saturated;  ///< njoint: the same for joint_force_range
  double* tau;              ///< nv: of all actuators, mean of the last step
  double* sum;              ///< nv: scratch, without the change of velocity
  double* yield;            ///< nv: scratch, what a change of the dof's velocity adds to it
  double* act_end;          ///< nact: activations after the step
  int* way;                 ///< nactuator: an ActuatorWay
  int* dof;            ///< nactuator: the dof of an actuator on a single hinge or slide, -1: any
                       ///< other, which goes by its line
  int* place;          ///< nactuator: its coordinate in q
  double* arm;         ///< nactuator: its gear
  int may_saturate;    ///< 1 if a limit can be reached by what is taken implicitly
  int joints_limited;  ///< 1 if a joint has a force range
  size_t memory_size;
} Actuators;

typedef enum ActuatorWay {
  ACTUATOR_EXPLICIT,
  ACTUATOR_ON_DOF,   ///< implicit: adds to the diagonal of the mass matrix
  ACTUATOR_ON_PATH,  ///< implicit: adds a aᵀ
} ActuatorWay;

HeftStatus heft_actuators_create(HeftWorld* world, HeftError* error);
void heft_actuators_destroy(HeftWorld* world);
/// Controls, saturations and the forces of the last step become zero.
void heft_actuators_reset(HeftWorld* world);

/// What all actuators get as input in this step. Returns 0 if a control is not finite.
int heft_actuators_begin(HeftWorld* world);
/// Forces at q, the lines' present lengths and the velocity of the state, and how they respond to
/// its change, for the theta scheme.
void heft_actuators_prepare(HeftWorld* world, const double* q);
/// tau += forces at the joints, extra += what the responses add to the mass matrix; the others go
/// into more. Returns how many these are.
int heft_actuators_act(HeftWorld* world, double* tau, double* extra, Stiffening* more);
/// Looks which limits are reached at the velocity v after the step. Returns 1 if the answer has
/// changed. only_more: none is let go.
int heft_actuators_judge(HeftWorld* world, const double* v, int only_more);
/// The forces of the step that ends at v.
void heft_actuators_finish(HeftWorld* world, const double* v);
/// Forces of one stage, explicit, `time` after the step's beginning: tau (nv) becomes that of all
/// actuators, and share of it is added to the forces of the step.
void heft_actuators_stage(HeftWorld* world, const double* q, const double* v, double time,
                          double share, double* tau);

#endif
