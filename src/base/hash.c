// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash that reads eight bytes at a time, little-endian, so that it is the same on every
// machine. Each word is mixed in by a multiply and a shift-xor; the finish is the splitmix64
// finaliser [Steele 2014]. It detects accidental damage and distinguishes states; it is no defence
// against forged data.
#include <heft/base.h>
#include <string.h>

#include "base/assert.h"

static const uint64_t multiplier_a = 0xBF58476D1CE4E5B9u;
static const uint64_t multiplier_b = 0x94D049BB133111EBu;

static uint64_t finish(uint64_t x) {
  x = (x ^ (x >> 30)) * multiplier_a;
  x = (x ^ (x >> 27)) * multiplier_b;
  return x ^ (x >> 31);
}

static uint64_t read_word(const unsigned char* bytes, size_t count) {
  uint64_t word = 0;
  for (size_t i = 0; i < count; ++i) word |= (uint64_t)bytes[i] << (8 * i);
  return word;
}

uint64_t heft_hash(const void* bytes, size_t size, uint64_t seed) {
  HEFT_REQUIRE(bytes || size == 0, 0);
  const unsigned char* cursor = (const unsigned char*)bytes;
  uint64_t state = finish(seed ^ (0x9E3779B97F4A7C15u * (uint64_t)(size + 1)));
  size_t left = size;
  for (; left >= 8; left -= 8, cursor += 8) {
    state = (state ^ read_word(cursor, 8)) * multiplier_a;
    state ^= state >> 32;
  }
  if (left > 0) {
    state = (state ^ read_word(cursor, left)) * multiplier_b;
    state ^= state >> 32;
  }
  return finish(state);
}
