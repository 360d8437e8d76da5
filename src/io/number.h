// SPDX-License-Identifier: Apache-2.0
// Numbers as text, the same in every locale: read to the nearest double, written in the fewest
// digits that read back to the same bits.
#ifndef HEFT_SRC_IO_NUMBER_H
#define HEFT_SRC_IO_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Reads one number at text (no blanks before it) and returns what follows it; NULL if there is
/// none. "inf" and "nan" are no numbers. A number too large for a double reads as infinity.
const char* number_read(const char* text, const char* end, double* out);
/// Reads an integer, decimal only; NULL if there is none or it does not fit into an int.
const char* number_read_int(const char* text, const char* end, int* out);

/// Whether count numbers have the same bits: 0 and -0 differ.
static inline int number_same(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i) {
    uint64_t bits[2];
    memcpy(&bits[0], &a[i], sizeof bits[0]);
    memcpy(&bits[1], &b[i], sizeof bits[1]);
    if (bits[0] != bits[1]) return 0;
  }
  return 1;
}

enum { NUMBER_SIZE = 32 };
/// Writes a finite number; returns its length.
int number_write(double x, char out[NUMBER_SIZE]);

#endif
