// SPDX-License-Identifier: Apache-2.0
// Numbers as little-endian bytes, for packets. The caller checks the sizes.
#ifndef HEFT_SRC_BASE_BYTES_H
#define HEFT_SRC_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

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

#endif
