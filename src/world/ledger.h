// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step: the work of everything that acts.
#ifndef HEFT_SRC_WORLD_LEDGER_H
#define HEFT_SRC_WORLD_LEDGER_H

#include "world/constraint_set.h"
#include "world/step_input.h"

/// The impulses of a step, as the ledger sees them.
typedef struct LedgerImpulses {
  const ConstraintSet* set;
  const double* impulse;     ///< rows
  const double* joint;       ///< nv: Jᵀ of all of them, or NULL
  const double* v_mean;      ///< nv: mean velocity while they act
  const int* of_constraint;  ///< the island of each constraint
  const int* restored;       ///< islands whose loops do no work (restore.c); NULL: none
  double* speed;             ///< rows: scratch
} LedgerImpulses;

/// Adds the work of the impulses of contact points, limits, loops and dry friction to the report.
/// Needs the kinematics of q_m.
void heft_ledger_add_impulses(const LedgerImpulses* impulses, const HeftModel* model,
                              HeftDynamics* dynamics, HeftStepReport* report);
/// The energy that weight and springs of joints gain if the positions move by h v (nv). Needs the
/// kinematics of q_m. force (nv): scratch.
double heft_ledger_lift(const StepInput* in, HeftDynamics* dynamics, const double* q_middle,
                        const double* v, double* force);
/// The same, with the bias force b(q_m, v) (nv), wrenches left out, instead of weight.
double heft_ledger_lift_by_bias(const StepInput* in, const double* q_middle, const double* bias,
                                const double* v, double* force);
/// The sum of all parts: what kinetic and potential energy change by, but for the defect of the
/// scheme.
double heft_ledger_sum(const HeftStepReport* report);
/// Adds the parts of another substep.
void heft_ledger_join(HeftStepReport* all, const HeftStepReport* part);
/// Sets all parts to zero.
void heft_ledger_clear(HeftStepReport* report);

#endif
