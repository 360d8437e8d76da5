// SPDX-License-Identifier: Apache-2.0
// Restore: the energy of mechanisms with loops.
#ifndef HEFT_SRC_WORLD_RESTORE_H
#define HEFT_SRC_WORLD_RESTORE_H

#include "base/arena.h"
#include "world/balance.h"
#include "world/momentum.h"

/// The treatment of an island's energy: none, the energy that is due is restored, or the excess is
/// removed.
enum { RESTORE_NONE, RESTORE_BALANCED, RESTORE_BOUNDED };

/// Filled by restore.c.
typedef struct Restore {
  int any;                   ///< 1 if an island is to be restored in this step
  int* chosen;               ///< nlink: islands, one of the above
  int* balanced;             ///< nlink: of islands, 1 if the balance determines the scale
  double* scale;             ///< nlink: of islands, by which velocities were multiplied
  double* due;               ///< nlink: energy that the tree of a root has after the step [J]
  double *kinetic, *weight;  ///< nlink: scratch, energies of the tree of a root [J]
  double* open;              ///< nlink: scratch, energy of loops that are open by rounding [J]
} Restore;

/// The loops of a step as they were solved.
typedef struct RestoreLoops {
  const StepInput* in;
  const ConstraintSet* set;
  const double* impulse;  ///< rows
  double* error;          ///< constraints after the contact points: scratch
} RestoreLoops;

void heft_restore_place(Restore* restore, Arena* arena, const HeftModel* model);
/// Stores the energies of the start, if an island may be of second order. Needs its kinematics.
void heft_restore_begin(Restore* restore, const StepInput* in, HeftDynamics* dynamics, int may);
/// Chooses the islands, after their order was chosen; smooth: 1 if one is of second order.
void heft_restore_choose(Restore* restore, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands, int smooth);
/// Adds the work of all forces but loops and closed limits to the energy that is due.
void heft_restore_work(Restore* restore, const StepInput* in, HeftDynamics* dynamics,
                       const ConstraintSet* set, const BalanceStep* step, const RowSolution* rows);
/// Scales the velocities of the state, so that the energies are those that are due. fast: trees
/// whose energy spin_energy.c keeps, by root; trees of the islands are taken out, since loops carry
/// energy from tree to tree.
double heft_restore_finish(Restore* restore, const RestoreLoops* loops, const IslandSet* islands,
                           FloatingGroups* groups, HeftDynamics* dynamics, int* fast,
                           HeftState* state);

#endif
