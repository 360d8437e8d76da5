// SPDX-License-Identifier: Apache-2.0
// Addresses and small texts, without the C library's locale.
#include "device/text.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

const char* text_skip(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') ++at;
  return at;
}

int text_number(const char** at, double* number) {
  const char* start = text_skip(*at);
  double value = 0;
  const char* after = heft_decimal_read(start, start + strspn(start, "+-.eE0123456789"), &value);
  if (!after || !isfinite(value)) return 0;
  *number = value;
  *at = after;
  return 1;
}

const char* text_split(const char* text, char mark, char* part, size_t size) {
  const char* end = strchr(text, mark);
  const size_t length = end ? (size_t)(end - text) : strlen(text);
  const size_t kept = length < size - 1 ? length : size - 1;
  memcpy(part, text, kept);
  part[kept] = '\0';
  return end ? end + 1 : text + length;
}

HeftStatus text_error(HeftError* error, HeftStatus status, const char* what, const char* found,
                      const char* expected) {
  return heft_error_set(error, status, "%s: \"%.120s\"; expected %s", what, found, expected);
}
