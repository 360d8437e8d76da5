// SPDX-License-Identifier: Apache-2.0
// The acts, in one list. Each stands in the file of its experiment.
#ifndef HEFT_EXPERIMENTS_ACTS_H
#define HEFT_EXPERIMENTS_ACTS_H

#include "experiments/act.h"

#ifdef HEFT_FEW_ACTS  // heft.wasm, which shall be small
#define ACT_LIST(X) X(walk) X(stand) X(greet) X(sofa) X(table) X(mirror)
#else
#define ACT_LIST(X) \
  X(stand)          \
  X(sway)           \
  X(squat)          \
  X(walk)           \
  X(pillar)         \
  X(lift)           \
  X(snatch)         \
  X(sofa)           \
  X(door)           \
  X(jump)           \
  X(stumble)        \
  X(toes)           \
  X(table)          \
  X(vertices)       \
  X(drop)           \
  X(lambda)         \
  X(slip)           \
  X(pebbles)        \
  X(follow)         \
  X(pair)           \
  X(friction)       \
  X(greet)          \
  X(together)       \
  X(carry)          \
  X(mirror)         \
  X(welcome)
#endif

#define ACT_DECLARE(name) extern const Act act_##name;
ACT_LIST(ACT_DECLARE)
#undef ACT_DECLARE

/// Rows of Act::options and Act::values: fields of the data, which are doubles.
#define ACT_OPTION HEFT_PLUGIN_OPTION
#define ACT_VALUE HEFT_PLUGIN_VALUE

#endif
