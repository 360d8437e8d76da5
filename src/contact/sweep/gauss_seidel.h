// SPDX-License-Identifier: Apache-2.0
// Block-proximal Gauss-Seidel over contacts.
#ifndef HEFT_SRC_CONTACT_SWEEP_GAUSS_SEIDEL_H
#define HEFT_SRC_CONTACT_SWEEP_GAUSS_SEIDEL_H

#include "contact/core/core.h"

/// One sweep over all contacts: r and z are brought up to date in place.
void sweep(const Core* core, double* r, double* z);
/// The contacts at the places first to last - 1, one after the other.
void sweep_serial(const Core* core, int first, int last, double* r, double* z);

#endif
