// SPDX-License-Identifier: Apache-2.0
// Nesterov's momentum for the sweeps, where Anderson acceleration no longer gains.
#ifndef HEFT_SRC_CONTACT_SWEEP_NESTEROV_H
#define HEFT_SRC_CONTACT_SWEEP_NESTEROV_H

#include "contact/sweep/anderson.h"

/// After a sweep that anderson_before() preceded: moves core->r and core->z on along the last
/// change. Shares the vectors of `a`, so the two accelerations are used one after the other, with
/// anderson_restart() between. Returns 1 if it moved.
int momentum_after(Anderson* a, Core* core);

#endif
