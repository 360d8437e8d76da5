// SPDX-License-Identifier: Apache-2.0
// Unique impulses where statics leaves them open.
#ifndef HEFT_SRC_CONTACT_NEWTON_SELECT_H
#define HEFT_SRC_CONTACT_NEWTON_SELECT_H

#include "contact/newton/newton.h"

/// Of all impulses with the motion of `impulse` those nearest to `near` (slots), into core->r.
/// Contacts slower than `still` (relative) stick. core is loaded; the memory of `newton` and of
/// `goal` (slots) is used. Returns the relative change of velocity, or -1 if it did not converge.
double select_nearest(Newton* newton, Core* core, const double* near, double still, double* goal,
                      const double* impulse);

#endif
