// SPDX-License-Identifier: Apache-2.0
// Lasting: contact that lasts moves with second order.
#ifndef HEFT_SRC_WORLD_LASTING_H
#define HEFT_SRC_WORLD_LASTING_H

#include "base/arena.h"
#include "world/island.h"

typedef struct Constraints Constraints;  ///< constraints.h

/// The vectors of a contact point that change during a step.
typedef struct ContactPlace {
  HeftVec3 pos, offset, normal, tangent1, tangent2;
} ContactPlace;

/// Filled by lasting.c.
typedef struct Lasting {
  int any;              ///< 1 if contact points of this step belong to an island of second order
  int* tree;            ///< nlink: 1 at the root of every tree of such an island
  int* touched;         ///< nlink: 1 at the root of these and of trees of first order
  HeftVec3* origin;     ///< nlink: origin of these trees at the start of the step
  ContactPlace* start;  ///< contact points: scratch, as they were at the start of the step
} Lasting;

/// The start of contact points is scratch of the caller.
void heft_lasting_place(Lasting* lasting, Arena* arena, int nlink);
/// Chooses the islands whose contact lasts, as far as the start of the step shows. They become
/// islands of second order. Needs the schedule of the passage and the kinematics of the start.
void heft_lasting_choose(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics);
/// Turns the rows of these islands to the middle of the step. Returns 1 if islands among them are
/// hit: they move with first order, and are to be turned back. Needs the kinematics of q_m.
int heft_lasting_turn(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics);
/// Turns the rows of islands that are hit back. Needs the kinematics of q_m.
void heft_lasting_turn_back(Constraints* constraints, const HeftDynamics* dynamics);
/// The smallest change of a velocity after which free bodies at rest count as moving; infinite:
/// none are at rest.
double heft_lasting_left(const Constraints* constraints, const StepInput* in);
/// The bias velocities of contact points of second order.
void heft_lasting_pose(Constraints* constraints, const StepInput* in);

#endif
