// SPDX-License-Identifier: Apache-2.0
// Reading a decimal number to the nearest double, in three steps of growing cost:
//
// 1. Few digits and a small power of ten: both are exact doubles, so one product or quotient rounds
//    once and is right [Clinger 1990].
// 2. Up to 19 digits: mantissa and power of ten as sums of two doubles. The product is off by less
//    than 2^-98 of itself; if adding and subtracting that much rounds to the same double, it is
//    right.
// 3. Everything else: exact arithmetic on decimal digits. The number is halved and doubled until
//    its integer part has 53 bits, then rounded half to even. Digits beyond 800 only matter as
//    "more than nothing": no double lies halfway between decimals that long.
#include "base/decimal.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 800, EXPONENT_LIMIT = 100000, SMALL_POWER = 22 };

// A number as read: 0.d1 d2 d3 ... times ten to the point.
typedef struct Decimal {
  int count, point;
  int more;  // digits were cut that are not all zero
  unsigned char digit[DIGITS];
} Decimal;

typedef struct Pair {
  double hi, lo;
} Pair;

static int is_digit(char c) { return c >= '0' && c <= '9'; }

// ---- step 2: sums of two doubles

static Pair two_product(double a, double b) {
  const double split = 134217729.0;  // 2^27 + 1
  const double p = a * b;
  const double ca = split * a, cb = split * b;
  const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
  return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static Pair quick_sum(double a, double b) {
  const double s = a + b;
  return (Pair){s, b - (s - a)};
}

static Pair pair_mul(Pair a, Pair b) {
  Pair p = two_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static Pair pair_div(Pair a, Pair b) {
  const double q = a.hi / b.hi;
  const Pair p = two_product(q, b.hi);
  const double rest = (((a.hi - p.hi) - p.lo) + a.lo) - q * b.lo;
  return quick_sum(q, rest / b.hi);
}

static double small_power(int n) {
  static const double powers[SMALL_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return powers[n];
}

static int read_by_pairs(uint64_t mantissa, int exponent, double* out) {
  if (exponent < -60 || exponent > 60) return 0;
  const double hi = (double)(mantissa & ~(uint64_t)0x7FF), lo = (double)(mantissa & 0x7FF);
  Pair x = quick_sum(hi, lo);
  for (int left = exponent < 0 ? -exponent : exponent; left > 0; left -= SMALL_POWER) {
    const Pair power = {small_power(left < SMALL_POWER ? left : SMALL_POWER), 0};
    x = exponent < 0 ? pair_div(x, power) : pair_mul(x, power);
  }
  const double doubt = x.hi * 0x1p-95;
  const double above = x.hi + (x.lo + doubt), below = x.hi + (x.lo - doubt);
  *out = above;
  return above == below;
}

// ---- step 3: exact

static void trim(Decimal* d) {
  while (d->count > 0 && d->digit[d->count - 1] == 0) --d->count;
  if (d->count == 0) d->point = 0;
}

// d / 2^shift, shift <= 27.
static void shift_right(Decimal* d, int shift) {
  uint64_t rest = 0;
  int read = 0, write = 0;
  const uint64_t mask = ((uint64_t)1 << shift) - 1;
  while ((rest >> shift) == 0) {
    if (read >= d->count && rest == 0) {
      d->count = 0;
      return;
    }
    rest = rest * 10 + (read < d->count ? d->digit[read] : 0);
    ++read;
  }
  d->point -= read - 1;
  while (read < d->count || rest != 0) {
    const unsigned char digit = (unsigned char)(rest >> shift);
    rest &= mask;
    if (write < DIGITS) {
      d->digit[write++] = digit;
    } else if (digit) {
      d->more = 1;
    }
    if (read >= d->count && rest == 0) break;
    rest = rest * 10 + (read < d->count ? d->digit[read] : 0);
    ++read;
  }
  d->count = write;
  trim(d);
}

// d * 2^shift, shift <= 27.
static void shift_left(Decimal* d, int shift) {
  unsigned char extra[12];
  uint64_t carry = 0;
  for (int i = d->count - 1; i >= 0; --i) {
    carry += (uint64_t)d->digit[i] << shift;
    d->digit[i] = (unsigned char)(carry % 10);
    carry /= 10;
  }
  int ahead = 0;
  for (; carry > 0; carry /= 10) extra[ahead++] = (unsigned char)(carry % 10);
  int keep = d->count;
  if (keep + ahead > DIGITS) {
    for (int i = DIGITS - ahead; i < keep; ++i) d->more |= d->digit[i] != 0;
    keep = DIGITS - ahead;
  }
  memmove(d->digit + ahead, d->digit, (size_t)keep);
  for (int i = 0; i < ahead; ++i) d->digit[i] = extra[ahead - 1 - i];
  d->count = keep + ahead;
  d->point += ahead;
  trim(d);
}

// The integer part, rounded half to even; point must be at most 18.
static uint64_t round_integer(const Decimal* d) {
  if (d->point < 0) return 0;
  uint64_t n = 0;
  for (int i = 0; i < d->point; ++i) n = n * 10 + (i < d->count ? d->digit[i] : 0);
  if (d->point >= d->count) return n;
  const int digit = d->digit[d->point], rest = d->count > d->point + 1 || d->more;
  if (digit > 5 || (digit == 5 && (rest || (n & 1)))) ++n;
  return n;
}

static double from_bits(uint64_t mantissa, int exponent) {
  // mantissa < 2^54; scale by exact steps, subnormals were rounded before
  double x = (double)mantissa;
  for (; exponent > 0; --exponent) {
    x *= 2;
    if (isinf(x)) return x;
  }
  for (; exponent < 0 && x != 0; ++exponent) x *= 0.5;
  return x;
}

static double read_exactly(Decimal* d) {
  if (d->count == 0 || d->point < -330) return 0;
  if (d->point > 310) return HUGE_VAL;
  int exponent = 0;  // value = d * 2^exponent
  while (d->point > 0) {
    const int shift = d->point > 8 ? 27 : d->point > 1 ? 3 : 1;
    shift_right(d, shift);
    exponent += shift;
  }
  while (d->count > 0 && (d->point < 0 || (d->point == 0 && d->digit[0] < 5))) {
    const int shift = d->point < -8 ? 27 : d->point < -1 ? 3 : 1;
    shift_left(d, shift);
    exponent -= shift;
  }
  // now 1/2 <= d < 1: the leading bit is 2^(exponent - 1)
  int bits = 53;
  if (exponent - 1 < -1022) bits -= -1022 - (exponent - 1);
  if (bits < 0) return 0;
  for (int left = bits; left > 0; left -= 27) shift_left(d, left < 27 ? left : 27);
  return from_bits(round_integer(d), exponent - bits);
}

// ---- the grammar: [sign] digits [. digits] [e [sign] digits]

static const char* read_exponent(const char* at, const char* end, int* out) {
  *out = 0;
  if (at >= end || (*at != 'e' && *at != 'E')) return at;
  const char* cursor = at + 1;
  const int negative = cursor < end && *cursor == '-';
  if (cursor < end && (*cursor == '-' || *cursor == '+')) ++cursor;
  if (cursor >= end || !is_digit(*cursor)) return at;
  int value = 0;
  for (; cursor < end && is_digit(*cursor); ++cursor) {
    if (value < EXPONENT_LIMIT) value = value * 10 + (*cursor - '0');
  }
  *out = negative ? -value : value;
  return cursor;
}

static void take_digit(Decimal* d, uint64_t* mantissa, int digit) {
  if (d->count == 0 && digit == 0) {
    --d->point;
    return;
  }
  if (d->count < 19) *mantissa = *mantissa * 10 + (uint64_t)digit;
  if (d->count < DIGITS) {
    d->digit[d->count++] = (unsigned char)digit;
  } else if (digit) {
    d->more = 1;
  }
}

static double convert(Decimal* d, uint64_t mantissa) {
  const int exponent = d->point - (d->count < 19 ? d->count : 19);
  double x;
  if (d->count <= 19) {
    if (mantissa <= ((uint64_t)1 << 53) && exponent >= -SMALL_POWER && exponent <= SMALL_POWER)
      return exponent < 0 ? (double)mantissa / small_power(-exponent)
                          : (double)mantissa * small_power(exponent);
    if (read_by_pairs(mantissa, exponent, &x)) return x;
  }
  trim(d);
  return read_exactly(d);
}

const char* heft_decimal_read(const char* text, const char* end, double* out) {
  const char* at = text;
  const int negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  Decimal d;
  d.count = d.point = d.more = 0;
  uint64_t mantissa = 0;
  int seen = 0, whole = 0;
  for (; at < end && is_digit(*at); ++at, ++seen) {
    const int leading = d.count == 0 && *at == '0';
    take_digit(&d, &mantissa, *at - '0');
    if (leading) d.point = 0;
    if (!leading && whole < INT_MAX) ++whole;
  }
  if (at < end && *at == '.') {
    for (++at; at < end && is_digit(*at); ++at, ++seen) {
      const int before = d.count;
      take_digit(&d, &mantissa, *at - '0');
      if (before == 0 && *at == '0' && d.point < -EXPONENT_LIMIT) d.point = -EXPONENT_LIMIT;
    }
  }
  if (seen == 0) return NULL;
  int exponent;
  at = read_exponent(at, end, &exponent);
  d.point += whole + exponent;
  const double x = d.count == 0 ? 0 : convert(&d, mantissa);
  *out = negative ? -x : x;
  return at;
}

const char* heft_decimal_read_int(const char* text, const char* end, int* out) {
  const char* at = text;
  const int negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (at >= end || !is_digit(*at)) return NULL;
  long long value = 0;
  for (; at < end && is_digit(*at); ++at) {
    value = value * 10 + (*at - '0');
    if (value > (long long)INT_MAX + 1) return NULL;
  }
  if (negative) value = -value;
  if (value > INT_MAX || value < INT_MIN) return NULL;
  *out = (int)value;
  return at;
}

// The C library writes the decimal point of its locale: any character between the digits is
// replaced by a full stop.
static int write_digits(double x, int digits, char out[HEFT_DECIMAL_SIZE]) {
  char raw[64];
  snprintf(raw, sizeof raw, "%.*g", digits, x);
  int length = 0, in_point = 0;
  for (const char* c = raw; *c && length < HEFT_DECIMAL_SIZE - 1; ++c) {
    const int plain = is_digit(*c) || *c == '-' || *c == '+' || *c == 'e';
    if (plain || !in_point) out[length++] = plain ? *c : '.';
    in_point = !plain;
  }
  out[length] = '\0';
  return length;
}

// The bits of a number: -0 and 0 differ.
static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

int heft_decimal_write(double x, char out[HEFT_DECIMAL_SIZE]) {
  for (int digits = 6; digits < 17; digits += digits < 15 ? 9 : 1) {
    const int length = write_digits(x, digits, out);
    double back;
    if (heft_decimal_read(out, out + length, &back) && bits_of(back) == bits_of(x)) return length;
  }
  return write_digits(x, 17, out);
}
