// SPDX-License-Identifier: Apache-2.0
// Comparing numbers by their bits.
#ifndef HEFT_SRC_IO_BITS_H
#define HEFT_SRC_IO_BITS_H

#include <stdint.h>
#include <string.h>

/// Whether count numbers have the same bits: 0 and -0 differ.
static inline int bits_same(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i) {
    uint64_t bits[2];
    memcpy(&bits[0], &a[i], sizeof bits[0]);
    memcpy(&bits[1], &b[i], sizeof bits[1]);
    if (bits[0] != bits[1]) return 0;
  }
  return 1;
}

#endif
