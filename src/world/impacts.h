// SPDX-License-Identifier: Apache-2.0
// ImpactRound: impacts that follow each other within a step, solved in rounds.
#ifndef HEFT_SRC_WORLD_IMPACTS_H
#define HEFT_SRC_WORLD_IMPACTS_H

#include "world/island.h"

/// Rounds of a step at most; in the last one nothing bounces, and none waits.
enum { IMPACT_ROUNDS = 40 };

/// Filled by impacts.c before each round of impacts.
typedef struct ImpactRound {
  const double* bias;  ///< rows: bias velocity of this round: gap / h, restitution
  double* own_bias;    ///< rows: storage of bias, used if a constraint has restitution
  int* waiting;        ///< constraints: 1 if it is left out in this round
  int* bounces;        ///< constraints: 1 if it has bounced in this step
  int* rebounds;       ///< constraints: 1 if its bias is due to restitution in this round
  int* again;          ///< nlink: not 0 for islands with impacts in this round
  int cold;            ///< 1 in later rounds, which have no warm impulses
  double* drift;       ///< nv: change of the joint velocities by the forces of this step
  double* v_arrival;   ///< nv: scratch, velocities without the drift; without restitution the joint
                       ///< impulses Jᵀ r of the step (constraints.c)
  double* arrival;     ///< rows: velocity of arrival
  double* speed;       ///< rows: scratch
} ImpactRound;

/// Before the first solution of a step: the bias velocities of the set.
void heft_impacts_prepare(ImpactRound* round, const ConstraintSet* set);
/// Poses the impacts of the start of the step; v (nv) is the free velocity. velocity (rows) becomes
/// the velocity of the rows at v with their new bias, if a constraint has restitution. in_rounds: 0
/// if the contact model treats all contact points at once. rebounds: 0 if it ignores their
/// restitution; joint limits have theirs.
void heft_impacts_begin(ImpactRound* round, const ConstraintSet* set, const IslandSet* islands,
                        const StepInput* in, HeftDynamics* dynamics, int in_rounds, int rebounds,
                        const double* v, double* velocity);
/// Poses the impacts that follow from the joint velocities v after `index` rounds; the last round
/// has the index IMPACT_ROUNDS - 1. Returns 0 if there are none; otherwise round->again marks their
/// islands. results: of the last round.
int heft_impacts_next(ImpactRound* round, const ConstraintSet* set, const IslandSet* islands,
                      const StepInput* in, HeftDynamics* dynamics, const IslandResult* results,
                      const double* v, int index, double* velocity);

#endif
