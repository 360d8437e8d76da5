// SPDX-License-Identifier: Apache-2.0
#include "view/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void* view_take(const HeftAllocator* allocator, size_t size) {
  void* memory = allocator->allocate(allocator->user, size ? size : 1, 16);
  if (memory) memset(memory, 0, size ? size : 1);
  return memory;
}

void view_give(const HeftAllocator* allocator, void* memory, size_t size) {
  if (memory) allocator->release(allocator->user, memory, size ? size : 1);
}

static int grow(ViewList* list, const HeftAllocator* allocator, size_t max) {
  unsigned char* bigger = allocator->allocate(allocator->user, max * list->each, 16);
  if (!bigger) return 0;
  if (list->count > 0) memcpy(bigger, list->at, list->count * list->each);
  if (list->at) allocator->release(allocator->user, list->at, list->max * list->each);
  list->at = bigger;
  list->max = max;
  return 1;
}

void* view_list_add(ViewList* list, const HeftAllocator* allocator, size_t more) {
  const size_t need = list->count + more;
  if (list->failed) return NULL;
  if (need > list->max && !grow(list, allocator, need > 2 * list->max ? need : 2 * list->max)) {
    list->failed = 1;
    return NULL;
  }
  void* place = list->at + list->count * list->each;
  list->count = need;
  return place;
}

void view_list_free(ViewList* list, const HeftAllocator* allocator) {
  if (list->at) allocator->release(allocator->user, list->at, list->max * list->each);
  *list = view_list(list->each);
}

HeftStatus view_fail(HeftError* error, HeftStatus status, const char* format, ...) {
  if (!error) return status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  error->status = status;
  return status;
}
