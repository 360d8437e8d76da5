// SPDX-License-Identifier: Apache-2.0
#include "world/block.h"
#include "base/assert.h"

#include <string.h>

#include "base/error.h"

static void* create(void* start, size_t size, BlockPlace place, const void* user,
                    const HeftAllocator* allocator, const char* what, int clears,
                    HeftError* error) {
  Arena measure = arena_measure();
  arena_take_bytes(&measure, 1, size);
  place(start, &measure, user);
  void* object = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
  if (!object) {
    heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %s of %zu bytes", what, measure.used);
    return NULL;
  }
  if (clears) memset(object, 0, measure.used);
  memcpy(object, start, size);
  Arena arena = arena_make(object, measure.used, NULL);
  arena_take_bytes(&arena, 1, size);
  place(object, &arena, user);
  HEFT_ASSERT(!arena.overflow && arena.used <= measure.used);
  ((Block*)object)->size = measure.used;
  return object;
}

void* heft_block_create(void* start, size_t size, BlockPlace place, const void* user,
                        const HeftAllocator* allocator, const char* what, HeftError* error) {
  return create(start, size, place, user, allocator, what, 1, error);
}

void* heft_block_create_raw(void* start, size_t size, BlockPlace place, const void* user,
                            const HeftAllocator* allocator, const char* what, HeftError* error) {
  return create(start, size, place, user, allocator, what, 0, error);
}

void heft_block_destroy(void* object, const HeftAllocator* allocator) {
  if (object) allocator->release(allocator->user, object, ((const Block*)object)->size);
}
