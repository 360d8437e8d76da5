// SPDX-License-Identifier: Apache-2.0
#include "record/bytes_out.h"
#include "base/assert.h"

#include <string.h>

int bytes_out_reserve(HeftBytes* out, size_t more) {
  HEFT_ASSERT(out->size <= out->capacity);
  const HeftAllocator* a = out->allocator;
  if (more <= out->capacity - out->size) return 1;
  const size_t capacity = 2 * (out->size + more) + 256;
  unsigned char* grown = capacity > more ? a->allocate(a->user, capacity, 64) : NULL;
  if (!grown) {
    out->failed = 1;
    return 0;
  }
  if (out->size > 0) memcpy(grown, out->bytes, out->size);
  if (out->bytes) a->release(a->user, out->bytes, out->capacity);
  out->bytes = grown;
  out->capacity = capacity;
  return 1;
}

void bytes_out_put(HeftBytes* out, const void* bytes, size_t size) {
  if (size == 0 || !bytes_out_reserve(out, size)) return;
  HEFT_ASSERT(out->size + size <= out->capacity);
  memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

void bytes_out_free(HeftBytes* out) {
  if (out->bytes) out->allocator->release(out->allocator->user, out->bytes, out->capacity);
  *out = (HeftBytes){.allocator = out->allocator};
}

void heft_bytes_free(HeftBytes* bytes) { bytes_out_free(bytes); }

int heft_bytes_reserve(HeftBytes* bytes, size_t more) { return bytes_out_reserve(bytes, more); }
