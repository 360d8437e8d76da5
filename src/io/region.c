// SPDX-License-Identifier: Apache-2.0
#include "io/region.h"
#include "base/assert.h"

#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 16 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

struct RegionBlock {
  RegionBlock* older;
  size_t size, used;  ///< of the whole block, this header included
};

Region region_make(HeftAllocator allocator) { return (Region){.allocator = allocator}; }

static size_t round_up(size_t size) { return (size + 15) / 16 * 16; }

static RegionBlock* add_block(Region* r, size_t needed) {
  size_t size = r->block ? 2 * r->block->size : FIRST_BLOCK;
  if (size > LARGEST_STEP) size = LARGEST_STEP;
  if (size < needed + ALIGNMENT) size = needed + ALIGNMENT;
  RegionBlock* block = r->allocator.allocate(r->allocator.user, size, ALIGNMENT);
  if (!block) return NULL;
  *block = (RegionBlock){.older = r->block, .size = size, .used = round_up(sizeof(RegionBlock))};
  HEFT_ASSERT(block->used <= block->size);
  r->block = block;
  return block;
}

void* region_take(Region* r, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 4) / size) return NULL;
  const size_t bytes = round_up(count * size + (count * size == 0));
  RegionBlock* block = r->block;
  if (!block || block->size - block->used < bytes) block = add_block(r, bytes);
  if (!block) return NULL;
  void* memory = (unsigned char*)block + block->used;
  block->used += bytes;
  HEFT_ASSERT(block->used <= block->size);
  memset(memory, 0, bytes);
  return memory;
}

void region_release(Region* r) {
  while (r->block) {
    RegionBlock* block = r->block;
    r->block = block->older;
    r->allocator.release(r->allocator.user, block, block->size);
  }
}

void* grow_add(Grow* list, size_t item_size, Region* region) {
  if (list->count == list->capacity) {
    if (list->capacity > (1 << 28)) return NULL;
    const int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
    void* items = region_take(region, (size_t)capacity, item_size);
    if (!items) return NULL;
    if (list->count > 0) memcpy(items, list->items, (size_t)list->count * item_size);
    list->items = items;
    list->capacity = capacity;
  }
  HEFT_ASSERT(list->count < list->capacity);
  return (unsigned char*)list->items + item_size * (size_t)list->count++;
}
