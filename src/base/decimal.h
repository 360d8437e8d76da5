// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text, the same in every locale: read to the nearest double, written in the
// fewest digits that read back to the same bits. Exported for the libraries heft_device and
// heft_io; no part of the public interface.
#ifndef HEFT_SRC_BASE_DECIMAL_H
#define HEFT_SRC_BASE_DECIMAL_H

#include <heft/export.h>

/// Reads one number at text (no blanks before it) and returns the first character after it; NULL if
/// there is none. "inf" and "nan" are not numbers. A number too large for a double reads as
/// infinity. out gets the double nearest to the number; of two, the even one.
HEFT_API const char* heft_decimal_read(const char* text, const char* end, double* out);
/// Reads a decimal integer; NULL if there is none or it does not fit into an int.
HEFT_API const char* heft_decimal_read_int(const char* text, const char* end, int* out);

enum { HEFT_DECIMAL_SIZE = 32 };
/// Writes a finite number and a zero byte; returns the length without the zero byte.
HEFT_API int heft_decimal_write(double x, char out[HEFT_DECIMAL_SIZE]);

#endif
