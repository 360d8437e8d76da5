// SPDX-License-Identifier: Apache-2.0
// A stable radix sort of 64-bit keys that carry 32 bits each.
#ifndef HEFT_SRC_COLLISION_SORT_H
#define HEFT_SRC_COLLISION_SORT_H

#include <stdint.h>

typedef struct SortItem {
  uint64_t key;
  uint32_t value;
} SortItem;

/// Sorts items in ascending order of keys; equal keys keep their order. scratch has count items.
/// The result is in `items`.
void heft_sort_items(SortItem* items, SortItem* scratch, int count);

#endif
