// SPDX-License-Identifier: Apache-2.0
// A core with its memory, loaded from a problem, for tests of the parts of a solve.
#ifndef HEFT_TESTS_CONTACT_CORE_RIG_H
#define HEFT_TESTS_CONTACT_CORE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/core/core.h"
#include "contact/problems.h"
#include "contact/sweep/anderson.h"

typedef struct CoreRig {
  void* memory;
  Core core;
  Anderson anderson;
  double *u, *spare;  // slot vectors
} CoreRig;

static inline void core_rig_take(CoreRig* rig, Arena* arena, CoreSize size) {
  const size_t slots = 8 * (size_t)size.constraints, states = slots + 8 * (size_t)size.effectors;
  core_take(&rig->core, arena, size);
  anderson_take(&rig->anderson, arena, slots, states, size.blocks > 0, size.tree_effectors > 1);
  rig->u = arena_take(arena, slots, double);
  rig->spare = arena_take(arena, slots, double);
}

/// Room for packets, a tree of up to four effectors, and zero impulses.
static inline CoreRig core_rig_make(const HeftContactProblem* p) {
  const CoreSize size = {.constraints = p->constraint_count + (PACKET_SIZE - 1) * COLOURS_MAX,
                         .rows = p->row_count,
                         .effectors = p->effector_count,
                         .tree_effectors = 4,
                         .omega = 36 * 4 * (size_t)p->effector_count,
                         .tall = p->constraint_count,
                         .packets = 1};
  CoreRig rig = {0};
  Arena arena = arena_measure();
  core_rig_take(&rig, &arena, size);
  const size_t bytes = arena.used;
  rig.memory = aligned_alloc(ARENA_ALIGNMENT, bytes);
  assert_non_null(rig.memory);
  memset(rig.memory, 0, bytes);
  arena = arena_make(rig.memory, bytes, NULL);
  core_rig_take(&rig, &arena, size);
  core_load(&rig.core, p);
  core_factor(&rig.core, 0.03);
  core_state(&rig.core, rig.core.r, rig.core.z);
  return rig;
}

static inline void core_rig_free(CoreRig* rig) { free(rig->memory); }

static inline double core_rig_residual(CoreRig* rig) {
  return core_residual(&rig->core, rig->core.r, rig->core.z, rig->u);
}

#endif
