// SPDX-License-Identifier: Apache-2.0
// Every part of this room is one block of memory: its struct, then its arrays. place() lists the
// arrays; it runs once to measure the block and once to lay it out.
#ifndef HEFT_SRC_CONTROL_PART_H
#define HEFT_SRC_CONTROL_PART_H

#include <heft/base.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

/// A part like `made` (size bytes), with zeros in its arrays. memory_size: a member of made, which
/// becomes the size of the block. what: names it if there is no memory; then NULL.
static inline void* part_make(const HeftAllocator* allocator, void* made, size_t size,
                              void (*place)(void* part, Arena* arena), size_t* memory_size,
                              const char* what, HeftError* error) {
  HEFT_REQUIRE(allocator->allocate && allocator->release, NULL);
  Arena sizes = arena_measure();
  arena_take_bytes(&sizes, 1, size);
  place(made, &sizes);
  void* part = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!part) {
    heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %s", what);
    return NULL;
  }
  *memory_size = sizes.used;
  memset(part, 0, sizes.used);
  memcpy(part, made, size);
  Arena arena = arena_make(part, sizes.used, NULL);
  arena_take_bytes(&arena, 1, size);
  place(part, &arena);
  return part;
}

#endif
