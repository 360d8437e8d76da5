// SPDX-License-Identifier: Apache-2.0
// The balance of energy of a tree over a step, and the factor that projects velocities on it.
#ifndef HEFT_SRC_WORLD_BALANCE_H
#define HEFT_SRC_WORLD_BALANCE_H

#include "world/step_input.h"
#include "world/tension.h"

/// Inputs for the work of a step. The kinematics are at q_m.
typedef struct BalanceStep {
  const double* v;          ///< nv: velocity after the step
  const double* v_bias;     ///< nv: velocity at which the bias was evaluated
  const double* restraint;  ///< nv: acceleration that no force caused (spin.c); NULL: none
  const double* q_middle;   ///< nq: springs at q_m do no work, as they have a potential; NULL: they
                            ///< are forces like others
  const Tension* tension;   ///< stiffness in M̂, whose forces do no work; NULL: none
  double *change, *force;   ///< nv: scratch
} BalanceStep;

/// The rows of a step as they were solved.
typedef struct RowSolution {
  const double *impulse, *velocity;  ///< rows: impulses, and velocities with bias after the step
  const double* bias;                ///< rows
  double* speed;                     ///< rows: scratch
} RowSolution;

/// work[root] += work on each tree of all forces and impulses but weight, from in->start->v to v.
/// Moves the velocities of the links.
void heft_balance_add_work(const StepInput* in, HeftDynamics* dynamics, const BalanceStep* step,
                           double* work);
/// The factor of velocities that changes their kinetic energy by `missing`, but no further than to
/// (1 - less) or (1 + more) times the energy; 1 without energy.
double heft_balance_scale(double kinetic, double missing, double less, double more);

#endif
