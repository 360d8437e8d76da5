// SPDX-License-Identifier: Apache-2.0
// Numbers as little-endian bytes, for packets and files. The caller checks the sizes.
#ifndef HEFT_SRC_BASE_BYTES_H
#define HEFT_SRC_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// 1 where the memory of the machine is big-endian: s390x and few others.
#define BYTES_TURNED (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
_Static_assert(BYTES_TURNED || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "bytes are in an order that is neither little-endian nor big-endian");

/// Writes the lowest `count` bytes of a number. Returns the place behind them.
static inline unsigned char* bytes_put(unsigned char* at, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) at[i] = (unsigned char)(value >> (8 * i));
  return at + count;
}

/// Reads a number of `count` bytes; *at moves behind them.
static inline uint64_t bytes_get(const unsigned char** at, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value |= (uint64_t)(*at)[i] << (8 * i);
  *at += count;
  return value;
}

static inline unsigned char* bytes_put_double(unsigned char* at, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bytes_put(at, bits, 8);
}

static inline double bytes_get_double(const unsigned char** at) {
  const uint64_t bits = bytes_get(at, 8);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Copies numbers of `width` bytes; where memory is big-endian, the bytes of each are turned round.
static inline void bytes_copy_array(unsigned char* to, const unsigned char* from, size_t count,
                                    size_t width) {
  if (count == 0) return;
  if (!BYTES_TURNED || width == 1) {
    memcpy(to, from, count * width);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < width; ++k) to[i * width + k] = from[(i + 1) * width - 1 - k];
  }
}

/// Writes an array of numbers of `width` bytes each. Returns the place behind them.
static inline unsigned char* bytes_put_array(unsigned char* at, const void* from, size_t count,
                                             size_t width) {
  bytes_copy_array(at, (const unsigned char*)from, count, width);
  return at + count * width;
}

/// Reads an array of numbers of `width` bytes each. Returns the place behind them.
static inline const unsigned char* bytes_get_array(const unsigned char* at, void* to, size_t count,
                                                   size_t width) {
  bytes_copy_array((unsigned char*)to, at, count, width);
  return at + count * width;
}

#endif
