// SPDX-License-Identifier: Apache-2.0
// Addresses and small texts, without the C library's locale.
#include "device/text.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

const char* text_skip(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') ++at;
  return at;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static double power_of_ten(int n) {
  double p = 1;
  const int size = n < 0 ? -n : n;
  for (int i = 0; i < size && i < 400; ++i) p *= 10;
  return p;
}

// Digits, the point left out; *places counts those behind it.
static const char* digits(const char* at, double* value, int* places, int* count) {
  int point = 0;
  for (; is_digit(*at) || (*at == '.' && !point); ++at) {
    if (*at == '.') {
      point = 1;
      continue;
    }
    if (++*count > 400) return at;
    *value = *value * 10 + (*at - '0');
    *places += point;
  }
  return at;
}

static const char* exponent(const char* at, int* power) {
  const char* start = at;
  if (*at != 'e' && *at != 'E') return at;
  ++at;
  const int negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if (!is_digit(*at)) return start;
  int n = 0;
  for (; is_digit(*at); ++at) n = n < 1000 ? 10 * n + (*at - '0') : n;
  *power = negative ? -n : n;
  return at;
}

int text_number(const char** at, double* number) {
  const char* p = text_skip(*at);
  const int negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  double value = 0;
  int places = 0, count = 0, power = 0;
  p = digits(p, &value, &places, &count);
  if (count == 0) return 0;
  p = exponent(p, &power);
  power -= places;
  value = power < 0 ? value / power_of_ten(power) : value * power_of_ten(power);
  if (!isfinite(value)) return 0;
  *number = negative ? -value : value;
  *at = p;
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
