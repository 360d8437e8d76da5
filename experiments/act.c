// SPDX-License-Identifier: Apache-2.0
#include "experiments/act.h"

#include <stdio.h>

int act_open(const Act* act, Lab* lab, void* self) {
  if (!lab_open(lab, act->file, act->pose)) return 0;
  if (lab->record && lab->tracing && !lab->record(lab, 1)) return 0;
  if (!act->begin || act->begin(lab, self)) return lab->error[0] == 0;
  if (!lab->error[0]) snprintf(lab->error, sizeof lab->error, "the act cannot begin");
  return 0;
}

HeftStepReport act_step(const Act* act, Lab* lab, void* self) {
  act->control(lab, self);
  const HeftStepReport report = lab_step_alone(lab);
  if (lab->record && lab->tracing) lab->record(lab, 0);
  if (act->observe) act->observe(lab, self, &report);
  return report;
}
