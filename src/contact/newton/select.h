// SPDX-License-Identifier: Apache-2.0
// Unique impulses where statics leaves them open.
#ifndef HEFT_SRC_CONTACT_NEWTON_SELECT_H
#define HEFT_SRC_CONTACT_NEWTON_SELECT_H

#include "contact/newton/newton.h"

/// No impulses were found.
static const double SELECT_FAILED = -1;

/// Of all impulses with the motion of `impulse` those of least norm, into core->r.
/// Contacts slower than `still` (relative) stick. core is loaded; the memory of `newton` and of
/// `goal` (slots) is used. Returns the relative change of velocity, or the number above.
double select_min_norm(Newton* newton, Core* core, double still, double* goal,
                       const double* impulse);

#endif
