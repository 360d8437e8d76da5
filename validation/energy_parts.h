// SPDX-License-Identifier: Apache-2.0
// The parts of the energy ledger of a step, as a user of the library adds them up.
#ifndef HEFT_VALIDATION_ENERGY_PARTS_H
#define HEFT_VALIDATION_ENERGY_PARTS_H

#include <heft/world.h>
#include <math.h>

/// What the energy of a step changes by, but for HeftStepReport::energy_change [J].
static inline double energy_parts_sum(const HeftStepReport* r) {
  return r->work + r->contact_work + r->limit_work + r->loop_work + r->friction_work +
         r->moved_work + r->correction_work + r->scheme_work - r->damping;
}

/// The energy that went through all parts, whatever its sign [J].
static inline double energy_parts_size(const HeftStepReport* r) {
  return fabs(r->work) + fabs(r->contact_work) + fabs(r->limit_work) + fabs(r->loop_work) +
         fabs(r->friction_work) + fabs(r->moved_work) + fabs(r->correction_work) +
         fabs(r->scheme_work) + r->damping;
}

#endif
