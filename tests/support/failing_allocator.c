// SPDX-License-Identifier: Apache-2.0
#include "support/failing_allocator.h"

#include <stdlib.h>
#include <string.h>

// In front of each block stands what was asked for.
enum { HEAD = 64 };

static void* allocate(void* user, size_t size, size_t alignment) {
  FailingAllocator* self = user;
  self->requests++;
  if (alignment == 0 || alignment > HEAD || (alignment & (alignment - 1)) != 0) self->mistakes++;
  if (self->fail_at > 0 &&
      (self->only_one ? self->requests == self->fail_at : self->requests >= self->fail_at))
    return NULL;
  unsigned char* memory = aligned_alloc(HEAD, (HEAD + size + HEAD - 1) / HEAD * HEAD);
  if (!memory) return NULL;
  memcpy(memory, &size, sizeof size);
  memset(memory + HEAD, 0xA5, size);  // nobody may count on zeros
  self->alive++;
  self->bytes += size;
  return memory + HEAD;
}

static void release(void* user, void* memory, size_t size) {
  FailingAllocator* self = user;
  if (!memory) return;
  unsigned char* head = (unsigned char*)memory - HEAD;
  size_t asked;
  memcpy(&asked, head, sizeof asked);
  if (asked != size) self->mistakes++;
  self->alive--;
  self->bytes -= asked;
  free(head);
}

HeftAllocator failing_allocator(FailingAllocator* self) {
  return (HeftAllocator){.allocate = allocate, .release = release, .user = self};
}
