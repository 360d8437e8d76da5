// SPDX-License-Identifier: Apache-2.0
// SoftStore: soft contact returns no more energy than it stored.
#ifndef HEFT_SRC_WORLD_SOFT_STORE_H
#define HEFT_SRC_WORLD_SOFT_STORE_H

#include "base/arena.h"
#include "world/balance.h"
#include "world/momentum.h"
#include "world/warm_start.h"

/// Filled by soft_store.c.
typedef struct SoftStore {
  int any;                      ///< 1 in a step with contact points of a model that yields
  int slowed;                   ///< 1 if velocities were scaled after the step
  double* due;                  ///< nlink: energy that the tree of a root may have after it [J]
  double* next;                 ///< nlink: energy that its soft points store after it [J]
  double *kinetic, *potential;  ///< nlink: scratch, energies of the tree of a root [J]
} SoftStore;

void heft_soft_store_place(SoftStore* store, Arena* arena, const HeftModel* model);
/// Stores the energies of the start, with what soft points stored then. Needs its kinematics.
void heft_soft_store_begin(SoftStore* store, const StepInput* in, HeftDynamics* dynamics,
                           const ConstraintSet* set, const WarmStart* warm);
/// Adds the work of all forces but contact forces. Needs the kinematics of the middle.
void heft_soft_store_work(SoftStore* store, const StepInput* in, HeftDynamics* dynamics,
                          const ConstraintSet* set, const BalanceStep* step,
                          const RowSolution* rows);
/// Slows down islands that have more energy than they may, and stores what soft points may return.
/// lifted: energy that the position correction of the step gave.
void heft_soft_store_finish(SoftStore* store, const IslandSet* islands, const ConstraintSet* set,
                            FloatingGroups* groups, HeftDynamics* dynamics, double lifted,
                            WarmStart* warm, HeftState* state);

#endif
