// SPDX-License-Identifier: Apache-2.0
// The sweep over packets of four contacts.
#ifndef HEFT_SRC_CONTACT_SWEEP_PACKET_SWEEP_H
#define HEFT_SRC_CONTACT_SWEEP_PACKET_SWEEP_H

#include "contact/core/core.h"

/// The sweep over the groups from first to last - 1, operation by operation as sweep() does it.
void packet_sweep(const Core* core, int first, int last, double* r, double* z);

#endif
