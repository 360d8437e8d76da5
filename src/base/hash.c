// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include "base/assert.h"

uint64_t heft_hash(const void* bytes, size_t size, uint64_t seed) {
  HEFT_REQUIRE(bytes || size == 0, 0);
  return hash_words((const unsigned char*)bytes, size, 0, seed);
}
