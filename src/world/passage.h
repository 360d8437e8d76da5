// SPDX-License-Identifier: Apache-2.0
// Passage: bodies do not pass through each other within a step, at any speed.
#ifndef HEFT_SRC_WORLD_PASSAGE_H
#define HEFT_SRC_WORLD_PASSAGE_H

#include "world/constraints.h"

/// Tells the collider how links move in the step, as the velocities and gravity at its start
/// predict, unless all are slow. The collider has the poses of the start.
void heft_passage_predict(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics);
/// Finds the time of the first impact of every island in which bodies meet later in the step, and
/// the bias velocities of all its constraints in the rest of the step. Needs the islands.
void heft_passage_schedule(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics);
/// The share of the step that passes before the first impact of a link's island; 0: none is known.
static inline double heft_passage_time(const Constraints* constraints, int link) {
  const Passage* p = &constraints->passage;
  const int island = p->any_impact ? constraints->islands.groups.link_island[link] : -1;
  return island >= 0 ? p->time[island] : 0;
}
/// 1 if a pair passes through each other in the motion from in->start to `end`, at whose kinematics
/// and velocities the dynamics is. heft_blocked_add() then gives the next try of the step rows.
int heft_passage_found(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                       const HeftState* end);
/// After it: shortens the motion to `state` of the trees that pass, and their velocities with it.
/// The position correction v_correction (nv) stays. Moves the kinematics to state->q.
void heft_passage_shorten(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                          const double* v_correction, HeftState* state);

#endif
