// SPDX-License-Identifier: Apache-2.0
// Four contacts at a time: the packets of the core.
#ifndef HEFT_SRC_CONTACT_CORE_PACKET_H
#define HEFT_SRC_CONTACT_CORE_PACKET_H

#include "contact/core/core.h"

/// Doubles per packet: X and Y of both sides, and the local factor.
enum {
  PACKET_X = 0,
  PACKET_Y = 36 * PACKET_SIZE,
  PACKET_LOCAL = 72 * PACKET_SIZE,
  PACKET_DOUBLES = 94 * PACKET_SIZE
};

/// Fills the packets from x, y and W_ii, with local factors for core->proximal (packet_load.c).
void packet_load(Core* core);
/// Adds the effect of the impulses r of all groups to z.
void packet_apply_all(const Core* core, const double* r, double* z);
/// Their velocities, into u.
void packet_velocities(const Core* core, const double* r, const double* z, double* u);
/// Projects contacts of all groups that left their cones, and applies the change to z.
void packet_repair(const Core* core, double* r, double* z);
/// Returns the largest residual of all groups [m/s] and stores the velocities in u. If a residual
/// exceeds `enough`, returns it at once. *first: group to evaluate first; set to the worst one.
double packet_worst(const Core* core, const double* r, const double* z, double* u, double enough,
                    int* first);

#endif
