// SPDX-License-Identifier: Apache-2.0
// Lists that grow, on the allocator of a def.
#ifndef HEFT_APPS_VIEW_MEMORY_H
#define HEFT_APPS_VIEW_MEMORY_H

#include <heft/base.h>

/// Allocates `size` zeroed bytes; NULL if memory is exhausted.
void* view_take(const HeftAllocator* allocator, size_t size);
void view_give(const HeftAllocator* allocator, void* memory, size_t size);

/// A list of elements of equal size.
typedef struct ViewList {
  unsigned char* at;
  size_t count, max, each;  ///< elements, capacity, bytes of an element
  int failed;               ///< memory was exhausted; later elements are not added
} ViewList;

static inline ViewList view_list(size_t each) { return (ViewList){.each = each}; }
/// Adds `more` elements at the end, not cleared; NULL if memory is exhausted.
void* view_list_add(ViewList* list, const HeftAllocator* allocator, size_t more);
void view_list_free(ViewList* list, const HeftAllocator* allocator);

#define VIEW_AT(list, type, i) (((type*)(void*)(list).at)[i])

/// Fills in an error; returns status.
HeftStatus view_fail(HeftError* error, HeftStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
