// SPDX-License-Identifier: Apache-2.0
// Memory of one load: taken in blocks and released together by region_release().
#ifndef HEFT_SRC_IO_REGION_H
#define HEFT_SRC_IO_REGION_H

#include <heft/base.h>

typedef struct RegionBlock RegionBlock;

typedef struct Region {
  HeftAllocator allocator;
  RegionBlock* block;  ///< newest first
} Region;

Region region_make(HeftAllocator allocator);
/// count x size zeroed bytes; NULL if there is no memory or the product overflows.
void* region_take(Region* region, size_t count, size_t size);
void region_release(Region* region);

/// A list that grows in a region. Memory of the old items is not reused.
typedef struct Grow {
  void* items;
  int count, capacity;
} Grow;

/// Memory for one more item; NULL if there is none.
void* grow_add(Grow* list, size_t item_size, Region* region);

#define GROW_AT(list, type, i) (((type*)(list).items)[i])

#endif
