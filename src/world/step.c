// SPDX-License-Identifier: Apache-2.0
// The step, as a table of contents.
#include <string.h>

#include "world/world_internal.h"

static HeftStepStatus integrate(HeftWorld* w, HeftStepReport* report) {
  if (w->def.integrator == HEFT_INTEGRATOR_RK4) return heft_step_rk4(w, report);
  return heft_step_moreau(w, report);
}

static void roll_back(HeftWorld* w) {
  heft_state_copy(w->state, w->before);
  w->fresh = 0;
}

HeftStepReport heft_world_step(HeftWorld* w) {
  HEFT_ASSERT(w);
  HeftStepReport report = {.status = HEFT_STEP_SOLVED};
  heft_state_copy(w->before, w->state);
  heft_world_refresh(w);
  const double energy_before = w->kinetic + w->potential;

  heft_momentum_begin(w);
  report.status = integrate(w, &report);
  w->fresh = 0;
  if (report.status == HEFT_STEP_SOLVED && !heft_state_finite(w->state))
    report.status = HEFT_STEP_NOT_FINITE;
  if (report.status == HEFT_STEP_SOLVED) {
    heft_momentum_finish(w);
    *w->state->time += w->def.time_step;
  } else {
    roll_back(w);
  }
  heft_clear_wrenches(w->dynamics);

  heft_world_refresh(w);
  report.time = *w->state->time;
  report.kinetic = w->kinetic;
  report.potential = w->potential;
  if (report.status == HEFT_STEP_SOLVED) {
    report.energy_change = w->kinetic + w->potential - energy_before - report.work + report.damping;
  }
  return report;
}
