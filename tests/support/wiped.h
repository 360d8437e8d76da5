// SPDX-License-Identifier: Apache-2.0
// An allocator that looks for secrets in memory that is given back.
#ifndef HEFT_TESTS_SUPPORT_WIPED_H
#define HEFT_TESTS_SUPPORT_WIPED_H

#include <heft/base.h>
#include <string.h>

/// Whether bytes contain a secret.
static inline int wiped_has(const void* bytes, size_t size, const void* secret, size_t length) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i + length <= size; ++i)
    if (memcmp(at + i, secret, length) == 0) return 1;
  return 0;
}

typedef struct Wiped {
  const void* secret[4];
  size_t length[4];
  int released;  ///< blocks
  int found;     ///< blocks with a secret
} Wiped;

static inline void* wiped_allocate(void* user, size_t size, size_t alignment) {
  const HeftAllocator a = heft_allocator_default();
  (void)user;
  return a.allocate(a.user, size, alignment);
}

static inline void wiped_release(void* user, void* memory, size_t size) {
  const HeftAllocator a = heft_allocator_default();
  Wiped* w = user;
  ++w->released;
  for (int i = 0; i < 4; ++i)
    if (w->length[i] > 0 && wiped_has(memory, size, w->secret[i], w->length[i])) {
      ++w->found;
      break;
    }
  a.release(a.user, memory, size);
}

static inline HeftAllocator wiped_allocator(Wiped* w) {
  return (HeftAllocator){.user = w, .allocate = wiped_allocate, .release = wiped_release};
}

#endif
