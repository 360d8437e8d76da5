// SPDX-License-Identifier: Apache-2.0
// A decimal number is D * 10^e with integers D and e. Both signs of e are handled with whole
// numbers of a few dozen digits: for e >= 0, D * 10^e is one; for e < 0, D * 2^k / 10^-e is cut to
// one, with k large enough that at least 64 bits remain, and a sticky bit remembers whether
// anything was cut. Rounding 64 bits and the sticky bit to 53, ties to even, is then exact.
#include "base/decimal.h"

#include <math.h>
#include <stdint.h>

enum { WORDS = 80, DIGITS_MAX = 60, EXPONENT_MAX = 400 };

typedef struct Whole {
  uint32_t word[WORDS];  // little end first
  int count;
} Whole;

static void multiply_add(Whole* x, uint32_t factor, uint32_t carry) {
  for (int k = 0; k < x->count; ++k) {
    const uint64_t product = (uint64_t)x->word[k] * factor + carry;
    x->word[k] = (uint32_t)product;
    carry = (uint32_t)(product >> 32);
  }
  if (carry && x->count < WORDS) x->word[x->count++] = carry;
}

// Divides by a small number; returns the remainder.
static uint32_t divide(Whole* x, uint32_t divisor) {
  uint64_t rest = 0;
  for (int k = x->count - 1; k >= 0; --k) {
    rest = rest << 32 | x->word[k];
    x->word[k] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (x->count > 0 && x->word[x->count - 1] == 0) x->count--;
  return (uint32_t)rest;
}

static int bit_length(const Whole* x) {
  if (x->count == 0) return 0;
  int bits = 32 * (x->count - 1);
  for (uint32_t top = x->word[x->count - 1]; top; top >>= 1) bits++;
  return bits;
}

static void shift_words(Whole* x, int words) {
  for (int k = x->count - 1; k >= 0; --k) x->word[k + words] = x->word[k];
  for (int k = 0; k < words; ++k) x->word[k] = 0;
  if (x->count) x->count += words;
}

// x * 2^exponent, rounded; sticky: the true value is a little more.
static double to_double(const Whole* x, int exponent, int sticky) {
  const int bits = bit_length(x);
  if (bits == 0) return 0;
  uint64_t top = 0;
  for (int k = bits - 1; k >= bits - 64; --k) {
    top = top << 1 | (k >= 0 ? x->word[k / 32] >> (k % 32) & 1u : 0u);
  }
  for (int k = 0; k < bits - 64 && !sticky; ++k) sticky = x->word[k / 32] >> (k % 32) & 1u;
  uint64_t mantissa = top >> 11;
  const uint64_t rest = top & 0x7ff;
  if (rest > 0x400 || (rest == 0x400 && (sticky || mantissa & 1))) mantissa++;
  return ldexp((double)mantissa, exponent + bits - 53);
}

static double scale(Whole* digits, int exponent) {
  int sticky = 0, two = 0;
  if (exponent < 0) {
    const int words = 3 + (-exponent * 10 / 3) / 32;  // 2^(10/3) > 10
    shift_words(digits, words);
    two = -32 * words;
    for (; exponent <= -9; exponent += 9) sticky |= divide(digits, 1000000000u) != 0;
    for (; exponent < 0; ++exponent) sticky |= divide(digits, 10u) != 0;
  }
  for (; exponent > 0; --exponent) multiply_add(digits, 10u, 0);
  return to_double(digits, two, sticky);
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads an optional exponent at text[k]; 0 if there is garbage.
static int read_exponent(const char* text, size_t size, size_t k, int* exponent) {
  int negative = 0, value = 0;
  *exponent = 0;
  if (k == size) return 1;
  if (text[k] != 'e' && text[k] != 'E') return 0;
  k++;
  if (k < size && (text[k] == '-' || text[k] == '+')) negative = text[k++] == '-';
  if (k == size) return 0;
  for (; k < size; ++k) {
    if (!is_digit(text[k])) return 0;
    if (value < 100000) value = 10 * value + (text[k] - '0');
  }
  *exponent = negative ? -value : value;
  return 1;
}

int decimal_read(const char* text, size_t size, double* out) {
  Whole digits = {.count = 0};
  size_t k = 0;
  int negative = 0, seen = 0, used = 0, point = 0, exponent = 0, shift = 0;
  if (k < size && (text[k] == '-' || text[k] == '+')) negative = text[k++] == '-';
  for (; k < size && (is_digit(text[k]) || (text[k] == '.' && !point)); ++k) {
    if (text[k] == '.') {
      point = 1;
      continue;
    }
    seen = 1;
    if (used < DIGITS_MAX) {
      multiply_add(&digits, 10u, (uint32_t)(text[k] - '0'));
      if (digits.count) used++;
      shift -= point;
    } else if (shift < EXPONENT_MAX) {
      shift += !point;  // digits beyond the sixtieth do not matter, their place does
    }
  }
  if (!seen || !read_exponent(text, size, k, &exponent)) return 0;
  exponent += shift;
  if (digits.count == 0) exponent = 0;
  if (exponent > EXPONENT_MAX) return 0;
  *out = exponent < -EXPONENT_MAX ? 0.0 : scale(&digits, exponent);
  if (!(*out < HUGE_VAL)) return 0;
  if (negative) *out = -*out;
  return 1;
}
