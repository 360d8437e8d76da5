// SPDX-License-Identifier: Apache-2.0
// The default allocator: the C library's heap.
#include <heft/base.h>
#include <stdlib.h>

#ifdef _WIN32  // whose stdlib.h has other names for it
#define aligned_alloc(alignment, size) _aligned_malloc((size), (alignment))
#define free _aligned_free
#endif

static void* heap_allocate(void* user, size_t size, size_t alignment) {
  (void)user;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  if (size == 0) size = 1;  // some C libraries give NULL for nothing, which would look like failure
  if (size > SIZE_MAX - alignment) return NULL;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void heap_release(void* user, void* memory, size_t size) {
  (void)user;
  (void)size;
  free(memory);
}

HeftAllocator heft_allocator_default(void) {
  return (HeftAllocator){.allocate = heap_allocate, .release = heap_release, .user = NULL};
}
