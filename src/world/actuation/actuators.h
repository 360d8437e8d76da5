// SPDX-License-Identifier: Apache-2.0
// Actuators in the step: controls and activations become forces along transmissions.
#ifndef HEFT_SRC_WORLD_ACTUATION_ACTUATORS_H
#define HEFT_SRC_WORLD_ACTUATION_ACTUATORS_H

#include <heft/world.h>

#include "dynamics/tendon.h"
#include "world/actuation/transmissions.h"
#include "world/step_input.h"

typedef struct Actuators {
  Block block;
  const HeftModel* model;
  const Transmissions* transmissions;
  double* control;    ///< nactuator: from outside
  double* input;      ///< nactuator: control or activation, as the gain of this step sees it
  double* plain;      ///< nactuator: force without the change of velocity in this step
  double* response;   ///< nactuator: derivative of the force by the transmission's speed, <= 0
  double* force;      ///< nactuator: mean of the last step
  double* saturated;  ///< nactuator: -1, 1 at its lower, upper force limit; 0 between
  double* joint_saturated;  ///< njoint: the same for joint_force_range
  double* tau;              ///< nv: of all actuators, mean of the last step
  double* sum;              ///< nv: scratch, without the change of velocity
  double* yield;            ///< nv: scratch, derivative of tau by the dof's velocity
  double* act_end;          ///< nact: activations after the step
  int* scheme;              ///< nactuator: an ActuatorScheme
  int* dof;                 ///< nactuator: the dof of an actuator on a single hinge or slide; -1:
                            ///< the actuator acts through its transmission
  int* place;               ///< nactuator: the coordinate of that dof in q
  double* arm;              ///< nactuator: its gear
  int may_saturate;         ///< 1 if an implicit force can reach a limit
  int joints_limited;       ///< 1 if a joint has a force range
} Actuators;

typedef enum ActuatorScheme {
  ACTUATOR_EXPLICIT,
  ACTUATOR_ON_DOF,   ///< implicit: adds to the diagonal of the mass matrix
  ACTUATOR_ON_PATH,  ///< implicit: adds a aᵀ
} ActuatorScheme;

/// Transmissions of actuators that act on one dof are not wanted any more.
Actuators* heft_actuators_create(const HeftModel* model, Transmissions* transmissions,
                                 const HeftAllocator* allocator, HeftError* error);
/// Controls, saturations and the forces of the last step become zero.
void heft_actuators_reset(Actuators* actuators);

/// Computes the inputs of this step, and the activations after it. Returns 0 if a control is not
/// finite.
int heft_actuators_begin(Actuators* actuators, const StepInput* in);
/// For the theta scheme: forces at q, the transmissions' lengths and the velocity of the start, and
/// their derivatives by velocity. theta: nv.
void heft_actuators_prepare(Actuators* actuators, const StepInput* in, const double* q,
                            const double* theta);
/// tau += forces at the joints, extra += implicit terms of single dofs. Terms of whole paths are
/// appended to `more`; their number is returned.
int heft_actuators_act(Actuators* actuators, double h, double* tau, double* extra,
                       Stiffening* more);
/// Finds the force limits that hold at the velocity v after the step. Returns 1 if they have
/// changed. only_more: limits that hold are kept.
int heft_actuators_judge(Actuators* actuators, const double* v_start, const double* v,
                         int only_more);
/// 1 if the force limits at the velocity v after the step are those assumed; only_more: if no force
/// exceeds a limit.
int heft_actuators_settled(const Actuators* actuators, const double* v_start, const double* v,
                           int only_more);
/// 1 if a force limit holds.
int heft_actuators_limited(const Actuators* actuators);
/// The forces of the step from v_start to v.
void heft_actuators_finish(Actuators* actuators, const double* v_start, const double* v);
/// Explicit forces of one Runge-Kutta stage, `time` after the start of the step: tau (nv) becomes
/// the sum over all actuators, and tau times `share` is added to the mean forces of the step.
void heft_actuators_stage(Actuators* actuators, const StepInput* in, const double* q,
                          const double* v, double time, double share, double* tau);

#endif
