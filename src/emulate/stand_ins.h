// SPDX-License-Identifier: Apache-2.0
// All stand-ins, one file each.
#ifndef HEFT_SRC_EMULATE_STAND_INS_H
#define HEFT_SRC_EMULATE_STAND_INS_H

#include "emulate/emulate.h"

extern const HeftStandIn heft_stand_in_haply;
extern const HeftStandIn heft_stand_in_magellan;
extern const HeftStandIn heft_stand_in_spacenav;
extern const HeftStandIn heft_stand_in_udp;

/// The hand lives until now; the newest sample, 0 if it was lost.
static inline int hand_sample(HeftEmulated* e, uint64_t now_ns, HeftDeviceSample* sample) {
  heft_emulator_advance(&e->hand, now_ns);
  return heft_emulator_read(&e->hand, sample) == HEFT_DEVICE_FRESH;
}

static inline double seconds_since(uint64_t then_ns, uint64_t now_ns) {
  return (double)(int64_t)(now_ns - then_ns) * 1e-9;
}

#endif
