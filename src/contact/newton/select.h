// SPDX-License-Identifier: Apache-2.0
// Unique impulses where statics leaves them open.
#ifndef HEFT_SRC_CONTACT_NEWTON_SELECT_H
#define HEFT_SRC_CONTACT_NEWTON_SELECT_H

#include "contact/newton/newton.h"

/// No impulses were found: there are none, or the deadline ended the search.
static const double SELECT_FAILED = -1, SELECT_LATE = -2;

/// Of all impulses with the motion of `impulse` those nearest to `near` (slots), into core->r.
/// Contacts slower than `still` (relative) stick. core is loaded; the memory of `newton` and of
/// `goal` (slots) is used. deadline_ns: heft_clock_ns() at which it must have ended; 0: none.
/// Returns the relative change of velocity, or one of the numbers above.
double select_nearest(Newton* newton, Core* core, const double* near, double still,
                      uint64_t deadline_ns, double* goal, const double* impulse);

#endif
