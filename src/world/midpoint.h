// SPDX-License-Identifier: Apache-2.0
// Midpoint: islands without contact move with second order.
#ifndef HEFT_SRC_WORLD_MIDPOINT_H
#define HEFT_SRC_WORLD_MIDPOINT_H

#include "base/arena.h"
#include "world/island.h"

/// Filled by midpoint.c.
typedef struct Midpoint {
  int any;           ///< 1 if constraints of this step belong to an island of second order
  int hit;           ///< 1 if an island without contact hits a limit in this step
  int* first_order;  ///< nlink: 1 at the root of every tree that moves with first order
  double* speed;     ///< rows: scratch, J(q) v at the start of the step
  double* turned;    ///< rows: scratch, J(q_m) v
} Midpoint;

/// Slower limits and contact points are not hit, slower loops are not torn apart [m/s, rad/s].
#define HIT_SPEED 1e-4
/// The states of Constraint::middle. TORN until its rows are at q again.
enum { MIDDLE_SMOOTH = 1, MIDDLE_TORN };

void heft_midpoint_place(Midpoint* midpoint, Arena* arena, int nlink);
/// Chooses the order of every tree, and marks the constraints of islands of second order. Needs the
/// kinematics of the start.
void heft_midpoint_choose(Midpoint* midpoint, ConstraintSet* set, const IslandSet* islands,
                          const StepInput* in, HeftDynamics* dynamics);
/// Finds the islands among these whose loops are torn apart: they move with first order. Returns 1
/// if there are any; then the rows are to be turned to the new q_m. Fills set->start. Needs rows
/// and kinematics of q_m.
int heft_midpoint_find_torn(const Midpoint* midpoint, ConstraintSet* set, const IslandSet* islands,
                            const StepInput* in, HeftDynamics* dynamics);
/// The bias velocities of constraints of second order.
void heft_midpoint_pose(Midpoint* midpoint, ConstraintSet* set, const StepInput* in);
/// Replaces predicted velocities v_middle (nv) that tear loops apart by the velocities of the
/// start. The prediction uses the impulses of the last step, which may stem from an impact.
void heft_midpoint_judge(const Midpoint* midpoint, const ConstraintSet* set,
                         const IslandSet* islands, const StepInput* in, HeftDynamics* dynamics,
                         double* v_middle);

#endif
