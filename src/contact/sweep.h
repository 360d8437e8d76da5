// SPDX-License-Identifier: Apache-2.0
// Block-proximal Gauss-Seidel over contacts.
#ifndef HEFT_SRC_CONTACT_SWEEP_H
#define HEFT_SRC_CONTACT_SWEEP_H

#include "contact/core.h"

/// One sweep over all contacts: r and z are brought up to date in place.
void sweep(const Core* core, double* r, double* z);

#endif
