// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash that reads eight bytes at a time, little-endian, so that it is the same on every
// machine. Each word is mixed in by a multiply and a shift-xor; the finish is the splitmix64
// finaliser [Steele 2014]. It detects accidental damage and distinguishes states; it is no defence
// against forged data.
//
// heft_hash() is the hash of bytes. Numbers in memory have the byte order of the machine;
// hash_array() is the hash of their little-endian bytes, so that states and models have the same
// hash everywhere.
#ifndef HEFT_SRC_BASE_HASH_H
#define HEFT_SRC_BASE_HASH_H

#include <heft/base.h>

#include "base/bytes.h"

#define HASH_MULTIPLIER_A 0xBF58476D1CE4E5B9u
#define HASH_MULTIPLIER_B 0x94D049BB133111EBu

static inline uint64_t hash_finish(uint64_t x) {
  x = (x ^ (x >> 30)) * HASH_MULTIPLIER_A;
  x = (x ^ (x >> 27)) * HASH_MULTIPLIER_B;
  return x ^ (x >> 31);
}

// flip: 0, or the width of numbers less 1, to read each of them from its other end
static inline uint64_t hash_read_word(const unsigned char* bytes, size_t count, size_t flip) {
  uint64_t word = 0;
  for (size_t i = 0; i < count; ++i) word |= (uint64_t)bytes[i ^ flip] << (8 * i);
  return word;
}

static inline uint64_t hash_words(const unsigned char* bytes, size_t size, size_t flip,
                                  uint64_t seed) {
  uint64_t state = hash_finish(seed ^ (0x9E3779B97F4A7C15u * (uint64_t)(size + 1)));
  size_t left = size;
  for (; left >= 8; left -= 8, bytes += 8) {
    state = (state ^ hash_read_word(bytes, 8, flip)) * HASH_MULTIPLIER_A;
    state ^= state >> 32;
  }
  if (left > 0) {
    state = (state ^ hash_read_word(bytes, left, flip)) * HASH_MULTIPLIER_B;
    state ^= state >> 32;
  }
  return hash_finish(state);
}

/// Hash of numbers of 1, 2, 4 or 8 bytes: equal to heft_hash() on a little-endian machine.
static inline uint64_t hash_array(const void* numbers, size_t count, size_t width, uint64_t seed) {
  if (BYTES_TURNED && count > 0)
    return hash_words((const unsigned char*)numbers, count * width, width - 1, seed);
  return heft_hash(numbers, count * width, seed);
}

#endif
