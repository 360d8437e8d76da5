// SPDX-License-Identifier: Apache-2.0
// A list that grows by half whenever it is full.
#include "model/list.h"
#include "base/assert.h"

#include <limits.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_CAPACITY = 16 };

static int grow(List* list, int needed, const HeftAllocator* allocator) {
  long long capacity = list->capacity > 0 ? list->capacity : FIRST_CAPACITY;
  while (capacity < needed) capacity += capacity / 2;
  HEFT_ASSERT(capacity >= list->count);
  if (capacity > INT_MAX || (size_t)capacity > SIZE_MAX / list->item_size) return 0;
  void* items = allocator->allocate(allocator->user, (size_t)capacity * list->item_size, ALIGNMENT);
  if (!items) return 0;
  if (list->items && list->count > 0)
    memcpy(items, list->items, (size_t)list->count * list->item_size);
  heft_list_release(&(List){list->items, list->item_size, list->count, list->capacity}, allocator);
  list->items = items;
  list->capacity = (int)capacity;
  return 1;
}

void* heft_list_extend(List* list, int extra, const HeftAllocator* allocator) {
  if (extra < 0 || extra > INT_MAX - list->count) return NULL;
  const int needed = list->count + extra;
  HEFT_ASSERT(needed >= 0 && list->count <= list->capacity);
  if ((needed > list->capacity || !list->items) && !grow(list, needed, allocator)) return NULL;
  unsigned char* at = (unsigned char*)list->items + (size_t)list->count * list->item_size;
  memset(at, 0, (size_t)extra * list->item_size);
  list->count = needed;
  return at;
}

void heft_list_release(List* list, const HeftAllocator* allocator) {
  if (list->items)
    allocator->release(allocator->user, list->items, (size_t)list->capacity * list->item_size);
  list->items = NULL;
  list->count = list->capacity = 0;
}
