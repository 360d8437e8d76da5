// SPDX-License-Identifier: Apache-2.0
// The judge of a step: compares its errors with their bounds.
#ifndef HEFT_SRC_WORLD_JUDGE_H
#define HEFT_SRC_WORLD_JUDGE_H

#include "world/constraints.h"
#include "world/motion.h"
#include "world/step_input.h"

/// The bit of a reason in HeftDerivative::flags.
static inline unsigned flag_bit(HeftDerivativeFlag flag) { return 1u << flag; }

/// The arrays behind HeftStepMotion. Filled by the integrators.
typedef struct StepOutput {
  double h;          ///< [s]
  double* q_middle;  ///< nq
  double *v_solved, *v_mean, *v_correction;
  double *v_bias, *scheme_force;  ///< nv: of the prediction, which fills them
  double* v_first;  ///< nv: part of v_mean that leads to the middle of the step, before the rest
} StepOutput;

void heft_step_output_place(StepOutput* out, Arena* arena, const HeftModel* model);
/// Of the theta scheme. v (nv): velocities that the impulses give.
void heft_step_output_store(StepOutput* out, const StepInput* in, const Middle* middle,
                            const Motion* motion, const double* v);
/// Of a step without impulses: q⁺ = q ⊕ displacement, and v at its end.
void heft_step_output_store_smooth(StepOutput* out, const StepInput* in, const double* v,
                                   const double* displacement);

/// The step that is judged, after it was taken. The kinematics are at its end.
typedef struct JudgedStep {
  const StepInput* in;
  HeftDynamics* dynamics;
  Constraints* constraints;  ///< its scratch is used
  const HeftState* end;      ///< state after the step
  const StepOutput* output;
} JudgedStep;

/// Clears the errors of a report and writes their bounds.
void heft_judge_begin(const HeftWorldDef* def, HeftStepReport* report);
/// Measures the errors of a step that was taken, beside the residuals, which its solution reported.
/// Returns the worst of report->status and the status of the errors above their bounds.
HeftStepStatus heft_judge_step(const JudgedStep* step, HeftStepReport* report);
/// all has the larger errors of both.
void heft_judge_join(HeftStepReport* all, const HeftStepReport* part);

#endif
