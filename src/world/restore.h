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

/// The solution of a step.
typedef struct RestoreWork {
  const double *impulse, *velocity;  ///< rows: impulses, and velocities with bias after the step
  const double* bias;                ///< rows
} RestoreWork;

void heft_restore_place(Restore* restore, Arena* arena, const HeftModel* model);
/// Stores the energies of the start. Needs its kinematics.
void heft_restore_begin(Restore* restore, const StepInput* in, HeftDynamics* dynamics);
/// Chooses the islands, after their order was chosen.
void heft_restore_choose(Restore* restore, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands);
/// Leaves the work of loops and closed limits out of the energy that is due, to which that of all
/// forces was added (balance.c).
void heft_restore_leave_out_loops(Restore* restore, const ConstraintSet* set,
                                  const HeftModel* model, const RestoreWork* work);
/// Scales the velocities of the state, so that the energies are those that are due. fast: trees whose
/// energy spin_energy.c keeps, by root; those of the islands are taken out, since loops carry energy
/// from tree to tree.
void heft_restore_finish(Restore* restore, const IslandSet* islands, FloatingGroups* groups,
                         HeftDynamics* dynamics, const HeftModel* model, int* fast,
                         HeftState* state);

#endif
