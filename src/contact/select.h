// SPDX-License-Identifier: Apache-2.0
// Unique impulses where statics leaves them open.
#ifndef HEFT_SRC_CONTACT_SELECT_H
#define HEFT_SRC_CONTACT_SELECT_H

#include "contact/newton.h"

/// See heft_contact_select(). core is loaded; the memory of `newton` is used.
double select_least(Newton* newton, Core* core, double* impulse);

#endif
