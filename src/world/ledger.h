// SPDX-License-Identifier: Apache-2.0
// The energy ledger of a step: the work of everything that acts.
#ifndef HEFT_SRC_WORLD_LEDGER_H
#define HEFT_SRC_WORLD_LEDGER_H

#include "world/actuation/drives.h"
#include "world/motion.h"
#include "world/prediction.h"

/// Scratch of the ledger, which the stages before and after it may use, too.
typedef struct Ledger {
  double* external;  ///< nv: joint forces and wrenches from outside
  double* force;     ///< nv
} Ledger;

/// The stages of a step that the ledger reads.
typedef struct LedgerStages {
  const StepInput* in;
  const Constraints* constraints;
  const Drives* drives;
  const Middle* middle;
  const Prediction* prediction;
  const Motion* motion;
  const Restore* restore;
} LedgerStages;

void heft_ledger_place(Ledger* ledger, Arena* arena, const HeftModel* model);
/// Adds the work of forces from outside, of dampers, of the scheme, and of the impulses of contact
/// points, limits, loops and dry friction. v (nv): velocities after the step. Needs the kinematics
/// of q_m.
void heft_ledger_add_step(Ledger* ledger, const LedgerStages* stages, HeftDynamics* dynamics,
                          const double* v, HeftStepReport* report);
/// Adds the energy that the correction gives. Needs the kinematics of q_m. q (nq): scratch.
void heft_ledger_add_correction(Ledger* ledger, const LedgerStages* stages, HeftDynamics* dynamics,
                                double* q, HeftStepReport* report);
/// The sum of all parts: what kinetic and potential energy change by, but for the defect of the
/// scheme.
double heft_ledger_sum(const HeftStepReport* report);
/// Adds the parts of another substep.
void heft_ledger_join(HeftStepReport* all, const HeftStepReport* part);
/// Sets all parts to zero.
void heft_ledger_clear(HeftStepReport* report);

#endif
