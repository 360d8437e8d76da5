// SPDX-License-Identifier: Apache-2.0
// Addresses and small texts.
#ifndef HEFT_SRC_DEVICE_TEXT_H
#define HEFT_SRC_DEVICE_TEXT_H

#include <heft/base.h>

/// Past blanks.
const char* text_skip(const char* at);
/// A decimal number at *at, which moves behind it. Returns 0, and moves nothing, if there is none.
/// Blanks before it are skipped; a number that is too large for a double is none.
int text_number(const char** at, double* number);
/// Copies the text before the first `mark` into part (cut to size - 1 bytes). Returns the text
/// behind it, "" if there is none.
const char* text_split(const char* text, char mark, char* part, size_t size);
/// "what: \"found\"; expected ...".
HeftStatus text_error(HeftError* error, HeftStatus status, const char* what, const char* found,
                      const char* expected);

#endif
