// SPDX-License-Identifier: Apache-2.0
// An object and all its arrays in one block of memory. The function `place` allocates the arrays of
// the object from an arena; it runs twice, first to measure the size, then on the memory.
#ifndef HEFT_SRC_WORLD_BLOCK_H
#define HEFT_SRC_WORLD_BLOCK_H

#include <heft/base.h>

#include "base/arena.h"

/// The first member of every object that is made by heft_block_create().
typedef struct Block {
  size_t size;  ///< of the object and its arrays [bytes]
} Block;

typedef void (*BlockPlace)(void* object, Arena* arena, const void* user);

/// Returns a zeroed copy of `start` (`size` bytes, which begin with a Block) with its arrays, or
/// NULL if there is no memory; the error then states what for. `start` is used for measuring.
void* heft_block_create(void* start, size_t size, BlockPlace place, const void* user,
                        const HeftAllocator* allocator, const char* what, HeftError* error);
/// The same with arrays that are not cleared, for an object that fills them.
void* heft_block_create_raw(void* start, size_t size, BlockPlace place, const void* user,
                            const HeftAllocator* allocator, const char* what, HeftError* error);
/// Releases an object of heft_block_create(); NULL is allowed.
void heft_block_destroy(void* object, const HeftAllocator* allocator);

#endif
