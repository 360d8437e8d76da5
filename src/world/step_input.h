// SPDX-License-Identifier: Apache-2.0
// StepInput: everything that a substep starts from and does not change.
#ifndef HEFT_SRC_WORLD_STEP_INPUT_H
#define HEFT_SRC_WORLD_STEP_INPUT_H

#include <heft/world.h>

/// Filled by world.c when the world is created; step.c copies the present state into `start` before
/// each substep. Every stage of the step reads it.
typedef struct StepInput {
  const HeftModel* model;
  const HeftWorldDef* def;       ///< time_step: of a substep
  const HeftState* start;        ///< state at the start of the substep
  const double* joint_force;     ///< nv: joint forces from outside [N, N m]
  const double* moved_before;    ///< 6 nmoved: angular, then linear velocities of the moved bodies
                                 ///< before the substep
  double h;                      ///< length of the substep [s]
  double kinetic;                ///< kinetic energy at the start of the substep [J]
  double weight_speed;           ///< velocity that gravity adds in h: the scale of velocities [m/s]
  double rest_speed;             ///< slower islands may be set to rest [m/s, rad/s]
  HeftContactFilter* filter;     ///< false for contact points that are left out; NULL: none is
  void* filter_user;             ///< handed to it
  const HeftContactLaw* law;     ///< replaces the contact model; NULL: none does
  const void* law_user;          ///< handed to it
  const HeftDetector* detector;  ///< replaces Heft's; NULL: none does
  const void* detector_user;     ///< handed to it
  int divisible;                 ///< 1 if the substep may be divided into more parts
} StepInput;

/// The velocity by which a contact point may close in the step, (gap - ε) / h [m/s]. ε is the
/// distance that ten steps may open or close by velocities within the tolerance. The points of a
/// face never fit to the last digit. If gaps of nanometres counted, the few points that close first
/// would carry a whole tower: problems that no warm start helps, without a visible effect.
static inline double heft_contact_gap_speed(const StepInput* in, double gap) {
  const double smallest = 10 * in->def->tolerance * in->weight_speed * in->h;
  return gap > smallest ? (gap - smallest) / in->h : 0;
}

/// Computes the speeds that follow from gravity (refresh.c).
void heft_step_input_measure_gravity(StepInput* in);

#endif
