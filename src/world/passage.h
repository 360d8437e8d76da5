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
/// Shortens the motion from in->start->q to q (nq) of trees that would pass through others. Needs
/// the kinematics at q, and changes them; kinetic: kinetic energy at the end [J]. Returns 1 if it
/// has changed q.
int heft_passage_stop(Constraints* constraints, const StepInput* in, HeftDynamics* dynamics,
                      double kinetic, double* q);

#endif
