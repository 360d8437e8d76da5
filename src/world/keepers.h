// SPDX-License-Identifier: Apache-2.0
// Keepers: quantities that the motion conserves or balances, whatever the order of the scheme.
//
// A scheme of any order misses an invariant by its error. A keeper computes at the start of a step
// the value of the invariant, adds during the step the actions that change it, and projects the
// state after the step on the sum ([Hairer 2006], IV.4). Each keeper has its own file:
//
// - momentum.c: momentum and centre of mass of free-floating groups;
// - restore.c: the energy of mechanisms with loops;
// - spin_energy.c: the energy of trees that turn by a large angle;
// - soft_store.c: soft contact returns no more energy than it stored.
#ifndef HEFT_SRC_WORLD_KEEPERS_H
#define HEFT_SRC_WORLD_KEEPERS_H

#include "world/constraints.h"
#include "world/momentum.h"
#include "world/restore.h"
#include "world/soft_store.h"
#include "world/spin.h"

typedef struct Keepers {
  FloatingGroups groups;
  Restore restore;
  SpinScratch spin;
  SoftStore soft_store;
} Keepers;

/// The stages of a step that keepers read. Pointers that a moment does not name may be NULL.
typedef struct KeeperStep {
  const StepInput* in;
  HeftDynamics* dynamics;  ///< kinematics of the moment; the velocities of links may be moved
  const Constraints* constraints;
  const double* drive_force;  ///< nv: forces of the drives at q_m; act
  const double* q_middle;     ///< nq: q_m; work
  const double* v_bias;       ///< nv: velocity at which the bias was evaluated; work
  const double* v;            ///< nv: velocities after the step; work
  const Tension* tension;     ///< stiffness in M̂; work
  double *change, *force;     ///< nv: scratch; work
  double* speed;              ///< rows: scratch; work, finish
} KeeperStep;

void heft_keepers_place(Keepers* keepers, Arena* arena, const HeftModel* model);
/// Stores the invariants. Needs rows, islands and orders of the trees, and the kinematics of the
/// start.
void heft_keepers_begin(Keepers* keepers, const KeeperStep* step);
/// Adds the forces of the step. Needs the constraints as they are solved, and the kinematics of
/// q_m.
void heft_keepers_act(Keepers* keepers, const KeeperStep* step);
/// Adds the work of the step. Needs the solution, and the kinematics of q_m.
void heft_keepers_work(Keepers* keepers, const KeeperStep* step);
/// Projects the state after the step, at whose kinematics and velocities the dynamics is. warm:
/// stores the energy that soft contact may return. The report has the correction's work, and gets
/// `restrained`. Returns 1 if it may have changed the state, or the kinematics.
int heft_keepers_finish(Keepers* keepers, const KeeperStep* step, WarmStart* warm, HeftState* state,
                        HeftStepReport* report);

#endif
