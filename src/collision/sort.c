// SPDX-License-Identifier: Apache-2.0
// Radix sort, byte by byte from the lowest; bytes in which all keys agree are passed over. Short
// lists are sorted by insertion.
#include "collision/sort.h"
#include "base/assert.h"

#include <string.h>

enum { INSERTION_MAX = 48 };

static void insertion_sort(SortItem* items, int count) {
  for (int i = 1; i < count; ++i) {
    const SortItem moving = items[i];
    int k = i;
    for (; k > 0 && items[k - 1].key > moving.key; --k) items[k] = items[k - 1];
    items[k] = moving;
  }
}

static int is_sorted(const SortItem* items, int count) {
  for (int i = 1; i < count; ++i) {
    if (items[i - 1].key > items[i].key) return 0;
  }
  return 1;
}

static uint64_t differing_bits(const SortItem* items, int count) {
  uint64_t all = ~(uint64_t)0, any = 0;
  for (int i = 0; i < count; ++i) {
    all &= items[i].key;
    any |= items[i].key;
  }
  return all ^ any;
}

static void scatter(const SortItem* from, SortItem* to, int count, int shift) {
  int start[257] = {0};
  for (int i = 0; i < count; ++i) ++start[1 + (from[i].key >> shift & 255)];
  for (int b = 0; b < 256; ++b) start[b + 1] += start[b];
  HEFT_ASSERT(start[256] == count);
  for (int i = 0; i < count; ++i) to[start[from[i].key >> shift & 255]++] = from[i];
}

void heft_sort_items(SortItem* items, SortItem* scratch, int count) {
  if (count <= INSERTION_MAX) {
    insertion_sort(items, count);
    return;
  }
  if (is_sorted(items, count)) return;
  const uint64_t differing = differing_bits(items, count);
  SortItem *from = items, *to = scratch;
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 255) == 0) continue;
    scatter(from, to, count, shift);
    SortItem* swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, (size_t)count * sizeof *items);
  HEFT_ASSERT(is_sorted(items, count));
}
