// SPDX-License-Identifier: Apache-2.0
// The allocator that a caller gave, or the default one.
#ifndef HEFT_SRC_BASE_ALLOCATOR_H
#define HEFT_SRC_BASE_ALLOCATOR_H

#include "base/assert.h"

/// *given, or the default allocator if given is NULL. An allocator without functions breaks the
/// contract: after the assert hook the default one is used.
static inline HeftAllocator allocator_or_default(const HeftAllocator* given) {
  if (!given) return heft_allocator_default();
  HEFT_REQUIRE(given->allocate && given->release, heft_allocator_default());
  return *given;
}

#endif
