// SPDX-License-Identifier: Apache-2.0
// Reading a decimal number with correct rounding and without a locale.
#ifndef HEFT_SRC_BASE_DECIMAL_H
#define HEFT_SRC_BASE_DECIMAL_H

#include <stddef.h>

/// Reads the whole of text[0 .. size) as a decimal number. Returns 1, or 0 if it is not one or is
/// too large.
int decimal_read(const char* text, size_t size, double* out);

#endif
