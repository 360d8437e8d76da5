// SPDX-License-Identifier: Apache-2.0
// Restore: the energy of mechanisms with loops.
#ifndef HEFT_SRC_WORLD_RESTORE_H
#define HEFT_SRC_WORLD_RESTORE_H

#include "base/arena.h"
#include "world/momentum.h"

/// Filled by restore.c.
typedef struct Restore {
  int any;                   ///< 1 if an island is to be restored in this step
  int* chosen;               ///< nlink: islands, 1 if it is
  double* due;               ///< nlink: energy that the tree of a root has after the step [J]
  double *kinetic, *weight;  ///< nlink: scratch, energies of the tree of a root [J]
} Restore;

/// What the work of a step depends on.
typedef struct RestoreWork {
  const double *v, *v_mean;          ///< nv: velocity after the step, mean velocity
  const double* v_bias;              ///< nv: velocity at which the bias was evaluated
  const double* external_force;      ///< nv: joint forces and wrenches from outside
  const double *impulse, *velocity;  ///< rows: impulses, and velocities with bias after the step
  const double* bias;                ///< rows
  double *change, *force;            ///< nv: scratch, accelerations and joint forces
} RestoreWork;

void heft_restore_place(Restore* restore, Arena* arena, const HeftModel* model);
/// Stores the energies of the start. Needs its kinematics.
void heft_restore_begin(Restore* restore, const StepInput* in, HeftDynamics* dynamics);
/// Chooses the islands, after their order was chosen.
void heft_restore_choose(Restore* restore, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands);
/// Adds the work of the step. Needs the kinematics of q_m.
void heft_restore_add_work(Restore* restore, const StepInput* in, const ConstraintSet* set,
                           HeftDynamics* dynamics, const RestoreWork* work);
/// Scales the velocities of the state, so that the energies are those that are due.
void heft_restore_finish(Restore* restore, const IslandSet* islands, FloatingGroups* groups,
                         HeftDynamics* dynamics, const HeftModel* model, HeftState* state);

#endif
