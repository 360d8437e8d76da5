// SPDX-License-Identifier: Apache-2.0
// A list that grows, for the builder.
#ifndef HEFT_SRC_MODEL_LIST_H
#define HEFT_SRC_MODEL_LIST_H

#include <heft/base.h>

typedef struct List {
  void* items;
  size_t item_size;
  int count, capacity;
} List;

static inline List list_make(size_t item_size) { return (List){.item_size = item_size}; }

/// Room for `extra` more items at the end, zeroed and counted in; NULL when memory is out.
void* heft_list_extend(List* list, int extra, const HeftAllocator* allocator);
void heft_list_release(List* list, const HeftAllocator* allocator);

#define LIST_AT(list, type, i) (((type*)(list).items)[i])

#endif
