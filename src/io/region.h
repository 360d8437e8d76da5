// SPDX-License-Identifier: Apache-2.0
// Memory of one load: taken in blocks, given back all at once. Whatever goes wrong, one call cleans
// up.
#ifndef HEFT_SRC_IO_REGION_H
#define HEFT_SRC_IO_REGION_H

#include <heft/base.h>

typedef struct RegionBlock RegionBlock;

typedef struct Region {
  HeftAllocator allocator;
  RegionBlock* block;  ///< newest first
  size_t used;         ///< bytes asked for so far
  size_t limit;        ///< most bytes that may be asked for
} Region;

Region region_make(HeftAllocator allocator, size_t limit);
/// count x size zeroed bytes; NULL when memory is out, the limit is passed, or the product is too
/// large.
void* region_take(Region* region, size_t count, size_t size);
/// A copy of length bytes with a zero byte behind it.
char* region_text(Region* region, const char* text, size_t length);
void region_release(Region* region);

/// A list that grows in a region. The old items stay behind in the region as waste.
typedef struct Grow {
  void* items;
  int count, capacity;
} Grow;

/// Room for one more item; NULL when memory is out.
void* grow_add(Grow* list, size_t item_size, Region* region);

#define GROW_AT(list, type, i) (((type*)(list).items)[i])

#endif
