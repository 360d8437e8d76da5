// SPDX-License-Identifier: Apache-2.0
// Elementary functions that use only additions, multiplications, divisions and square roots. IEEE
// 754 defines to the last bit what these give, so the functions below give the same on every
// machine, which no libm promises. Compile with -ffp-contract=off; never with -ffast-math.
//
// A number that needs more than 53 bits is carried as a Pair hi + lo. The rounding error of a sum
// or a product is itself a double, found by the formulas of [Dekker 1971] and Knuth.
//
// sin, cos: see sincos_lanes.h for |x| < 1.6e6. Beyond, 2x/pi = m 2^e (2/pi) with an integer m
//   of 53 bits; the bits of 2/pi that only add multiples of 4 are skipped, and the 192 bits after
//   those times m give quadrant and fraction [Payne 1983] with an error below 2^-137,
//   while no double comes nearer than 2^-61 to a multiple of pi/2.
// exp: x = k ln 2 + r, |r| <= 0.35, e^r = 1 + r + r^2 (1/2! + r/3! + ... r^11/13!), times 2^k.
// log: x = 2^k m, m in [sqrt 1/2, sqrt 2], s = (m - 1)/(m + 1) as a Pair (|s| < 0.172),
//   log x = k ln 2 + 2s + s z (2/3 + 2z/5 + ... 2z^9/21), z = s^2.
// atan2: in the first octant atan(n/d) = atan(c) + atan((n - c d)/(d + c n)) with c = k/8 nearest
//   to n/d; the last argument, a Pair, is at most 1/16, and seven terms of the series are enough.
// asin x = atan2(x, sqrt(1 - x^2)), acos x = atan2(sqrt(1 - x^2), x), with the root as a Pair.
//
// The constants come from src/math/elementary_tables.py.

#include <float.h>
#include <heft/math.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "math/sincos_packet.h"

_Static_assert(FLT_EVAL_METHOD != 2, "double operations must round to double");

#define SIGN_BIT (UINT64_C(1) << 63)

static inline uint64_t bits_of(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static inline double from_bits(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static inline double magnitude(double x) { return from_bits(bits_of(x) & ~SIGN_BIT); }

static inline double with_sign_of(double x, double sign) {
  return from_bits((bits_of(x) & ~SIGN_BIT) | (bits_of(sign) & SIGN_BIT));
}

static inline bool is_negative(double x) { return (bits_of(x) & SIGN_BIT) != 0; }

/// The one NaN of this file; x - x would have another sign on another processor.
static inline double not_a_number(void) { return from_bits(UINT64_C(0x7ff8000000000000)); }

static inline double infinity(void) { return from_bits(UINT64_C(0x7ff0000000000000)); }

/// 2^k for -1022 <= k <= 1023.
static inline double power_of_two(int k) { return from_bits((uint64_t)(k + 1023) << 52); }

// ---- pairs ----

typedef struct Pair {
  double hi, lo;
} Pair;

/// a + b exactly, if |a| >= |b| or a = 0.
static inline Pair fast_sum(double a, double b) {
  const double s = a + b;
  return (Pair){s, (a - s) + b};
}

/// a + b exactly.
static inline Pair exact_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return (Pair){s, (a - (s - t)) + (b - t)};
}

/// The upper 26 bits of a; a minus these has 26 bits as well.
static inline double upper_half(double a) {
  const double t = a * 134217729.0;  // 2^27 + 1
  return t - (t - a);
}

/// a b exactly, unless it over- or underflows.
static inline Pair exact_product(double a, double b) {
  const double p = a * b;
  const double ah = upper_half(a), al = a - ah;
  const double bh = upper_half(b), bl = b - bh;
  return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// n/d to about 100 bits.
static inline Pair pair_quotient(Pair n, Pair d) {
  const double q = n.hi / d.hi;
  const Pair p = exact_product(q, d.hi);
  const double rest = ((n.hi - p.hi) - p.lo) + (n.lo - q * d.lo);
  return (Pair){q, rest / d.hi};
}

// ---- sine and cosine ----

/// |x| = (y + e) + quadrant pi/2, |y + e| <= pi/4.
typedef struct Reduced {
  double y, e;
  uint64_t quadrant;  // modulo 4
} Reduced;

/// As in heft_sincos_packet; 0 <= a < HEFT_SINCOS_PACKET_MAX.
static inline Reduced reduce_near(double a) {
  const double t = a * HEFT_TWO_OVER_PI + HEFT_ROUND_MAGIC;
  const double n = t - HEFT_ROUND_MAGIC;
  const double h1 = a - n * HEFT_HALF_PI_1;
  const double p2 = n * HEFT_HALF_PI_2;
  const double h2 = h1 - p2;
  const double l2 = (h1 - h2) - p2;
  const double p3 = n * HEFT_HALF_PI_3;
  const double h3 = h2 - p3;
  const double l3 = (h2 - h3) - p3;
  const double l = (l2 + l3) - n * HEFT_HALF_PI_4;
  const double y = h3 + l;
  return (Reduced){y, (h3 - y) + l, bits_of(t)};
}

/// hi 2^64 + lo.
typedef struct Wide {
  uint64_t hi, lo;
} Wide;

/// a b. Processors with 32-bit addresses have no type of 128 bits: there it is four products.
static inline Wide wide_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ const unsigned __int128 p = (unsigned __int128)a * b;
  return (Wide){(uint64_t)(p >> 64), (uint64_t)p};
#else
  const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
  const uint64_t low = a0 * b0, cross = a0 * b1, other = a1 * b0;
  const uint64_t middle = (low >> 32) + (cross & UINT32_MAX) + (other & UINT32_MAX);
  return (Wide){a1 * b1 + (cross >> 32) + (other >> 32) + (middle >> 32),
                middle << 32 | (low & UINT32_MAX)};
#endif
}

/// a + b modulo 2^128.
static inline Wide wide_add(Wide a, uint64_t b) {
  const uint64_t lo = a.lo + b;
  return (Wide){a.hi + (lo < b), lo};
}

/// The binary digits of 2/pi after 64 zeros.
static const uint64_t TWO_OVER_PI_DIGITS[20] = {
    0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041,
    0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
};

/// 64 digits of 2/pi, the first with the weight 2^-(at - 63).
static inline uint64_t two_over_pi_window(int at) {
  const uint64_t* word = &TWO_OVER_PI_DIGITS[at / 64];
  const int shift = at % 64;
  return shift == 0 ? word[0] : (word[0] << shift) | (word[1] >> (64 - shift));
}

/// f pi/2 for f = digits 2^-126-shift, the uppermost bit of digits being one.
static inline Pair times_half_pi(Wide digits, int shift) {
  const uint64_t p = 0xC90FDAA22168C234, q = 0xC4C6628B80DC1CD1;  // pi/2 = (p 2^64 + q) 2^-127
  const Wide aq = wide_product(digits.hi, q), bp = wide_product(digits.lo, p);
  const uint64_t carry = aq.lo + bp.lo < aq.lo;
  const Wide r = wide_add(wide_add(wide_add(wide_product(digits.hi, p), aq.hi), bp.hi), carry);
  const uint64_t below = (r.hi << 42 | r.lo >> 22) & ((UINT64_C(1) << 53) - 1);
  const double hi = (double)(int64_t)(r.hi >> 11) * power_of_two(75 - 125 - shift);
  const double lo = (double)(int64_t)below * power_of_two(22 - 125 - shift);
  return fast_sum(hi, lo);
}

/// Any finite a >= HEFT_SINCOS_PACKET_MAX.
static Reduced reduce_far(double a) {
  const uint64_t u = bits_of(a);
  const uint64_t m = (u & ((UINT64_C(1) << 52) - 1)) | (UINT64_C(1) << 52);
  const int at = (int)(u >> 52) - 1075 + 62;  // the digit with the weight 2 in 2a/pi
  const Wide p2 = wide_product(m, two_over_pi_window(at + 128));
  const Wide p1 = wide_add(wide_product(m, two_over_pi_window(at + 64)), p2.hi);
  uint64_t f0 = p2.lo, f1 = p1.lo;
  uint64_t f2 = m * two_over_pi_window(at) + p1.hi;
  // f2 f1 f0 is 2a/pi modulo 4, with 190 binary places: nearest integer and what is left.
  const uint64_t quadrant = (f2 + (UINT64_C(1) << 61)) >> 62;
  f2 -= quadrant << 62;
  const bool below = (f2 & SIGN_BIT) != 0;
  if (below) {
    f0 = ~f0 + 1;
    f1 = ~f1 + (f0 == 0);
    f2 = ~f2 + (f0 == 0 && f1 == 0);
  }
  int shift = 0;
  if (f2 == 0) {
    f2 = f1, f1 = f0, f0 = 0, shift = 64;
  }
  const int zeros = __builtin_clzll(f2);
  const Wide top = zeros == 0
                       ? (Wide){f2, f1}
                       : (Wide){f2 << zeros | f1 >> (64 - zeros), f1 << zeros | f0 >> (64 - zeros)};
  const Pair r = times_half_pi(top, shift + zeros);
  return below ? (Reduced){-r.hi, -r.lo, quadrant} : (Reduced){r.hi, r.lo, quadrant};
}

/// The exact operations of heft_sincos_packet.
static inline double sin_polynomial(double y, double e) {
  const double z = y * y;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double w = 1.0 - z * 0.5;
  const double sp = ((HEFT_SIN_3 + HEFT_SIN_5 * z) + z2 * (HEFT_SIN_7 + HEFT_SIN_9 * z)) +
                    z4 * (HEFT_SIN_11 + HEFT_SIN_13 * z);
  return y + ((y * z) * sp + e * w);
}

static inline double cos_polynomial(double y, double e) {
  const double z = y * y;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double half_z = z * 0.5;
  const double w = 1.0 - half_z;
  const double cp = ((HEFT_COS_4 + HEFT_COS_6 * z) + z2 * (HEFT_COS_8 + HEFT_COS_10 * z)) +
                    z4 * (HEFT_COS_12 + HEFT_COS_14 * z);
  return w + (((1.0 - w) - half_z) + (z2 * cp - y * e));
}

/// False for infinities and NaN.
static inline bool reduce(double x, Reduced* r) {
  const double a = magnitude(x);
  if (a < HEFT_SINCOS_PACKET_MAX) {
    *r = reduce_near(a);
    return true;
  }
  if (!(a <= DBL_MAX)) return false;
  *r = reduce_far(a);
  return true;
}

static inline double flipped(double x, uint64_t sign_bit) {
  return from_bits(bits_of(x) ^ sign_bit);
}

double heft_sin(double x) {
  Reduced r;
  if (!reduce(x, &r)) return not_a_number();
  const double v = (r.quadrant & 1) != 0 ? cos_polynomial(r.y, r.e) : sin_polynomial(r.y, r.e);
  return flipped(v, (bits_of(x) & SIGN_BIT) ^ ((r.quadrant & 2) << 62));
}

double heft_cos(double x) {
  Reduced r;
  if (!reduce(x, &r)) return not_a_number();
  const double v = (r.quadrant & 1) != 0 ? sin_polynomial(r.y, r.e) : cos_polynomial(r.y, r.e);
  return flipped(v, ((r.quadrant + 1) & 2) << 62);
}

void heft_sincos(double x, double* s, double* c) {
  HEFT_REQUIRE_VOID(s && c);
  Reduced r;
  if (!reduce(x, &r)) {
    *s = *c = not_a_number();
    return;
  }
  const double sine = sin_polynomial(r.y, r.e), cosine = cos_polynomial(r.y, r.e);
  const bool exchange = (r.quadrant & 1) != 0;
  *s = flipped(exchange ? cosine : sine, (bits_of(x) & SIGN_BIT) ^ ((r.quadrant & 2) << 62));
  *c = flipped(exchange ? sine : cosine, ((r.quadrant + 1) & 2) << 62);
}

/// n >= 8; the last block overlaps the one before. False if some angle was too large for the lanes.
HEFT_CLONES static bool sincos_blocks(int n, const double* x, double* s, double* c) {
  I8 small = {-1, -1, -1, -1, -1, -1, -1, -1};
  for (int i = 0; i < n; i += 8) {
    const int at = i + 8 <= n ? i : n - 8;
    const V8 angle = v8_load(x + at);
    V8 sine, cosine;
    heft_sincos_packet(&angle, &sine, &cosine);
    v8_store(s + at, sine);
    v8_store(c + at, cosine);
    small &= v8_abs(angle) < HEFT_SINCOS_PACKET_MAX;
  }
  int64_t all = -1;
  for (int i = 0; i < 8; ++i) all &= small[i];
  return all != 0;
}

/// n < 8.
static bool sincos_few(int n, const double* x, double* s, double* c) {
  double angles[8] = {0}, sines[8], cosines[8];
  for (int i = 0; i < n; ++i) angles[i] = x[i];
  const bool small = sincos_blocks(8, angles, sines, cosines);
  for (int i = 0; i < n; ++i) s[i] = sines[i], c[i] = cosines[i];
  return small;
}

void heft_sincos_many(int n, const double* x, double* s, double* c) {
  HEFT_REQUIRE_VOID(n == 0 || (n > 0 && x && s && c));
  const bool small = n < 8 ? sincos_few(n, x, s, c) : sincos_blocks(n, x, s, c);
  if (small) return;
  for (int i = 0; i < n; ++i) {
    if (!(magnitude(x[i]) < HEFT_SINCOS_PACKET_MAX)) heft_sincos(x[i], &s[i], &c[i]);
  }
}

// ---- inverse functions ----

/// The halves of atan(k/8) that matter: nearest double, and the rest.
static const Pair ATAN_EIGHTHS[9] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

static const Pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const Pair PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// Both by the same power of two, so that no product of theirs over- or underflows.
static inline void bring_to_middle(Pair* n, Pair* d) {
  double scale = 1.0;
  if (d->hi > 0x1p500) scale = 0x1p-600;
  if (d->hi < 0x1p-400) scale = 0x1p600;
  n->hi *= scale, n->lo *= scale;
  d->hi *= scale, d->lo *= scale;
}

/// a + c b, rounded to a Pair; c has few bits.
static inline Pair add_multiple(Pair a, double c, Pair b) {
  const Pair p = exact_product(c, b.hi);
  const Pair s = exact_sum(a.hi, p.hi);
  return fast_sum(s.hi, s.lo + (p.lo + (a.lo + c * b.lo)));
}

/// base + sign atan(n/d) for 0 <= n <= d, d > 0, sign = 1 or -1, base = 0, pi/2 or pi.
static double add_arc_tangent(Pair base, double sign, Pair n, Pair d) {
  const double ratio = n.hi / d.hi;
  if (ratio < 0x1p-28) return base.hi + (base.lo + sign * ratio);  // atan t = t (1 - t^2/3 ...)
  bring_to_middle(&n, &d);
  const int k = (int)(ratio * 8.0 + 0.5);
  const double c = k * 0.125;
  const Pair t = pair_quotient(add_multiple(n, -c, d), add_multiple(d, c, n));
  const double z = t.hi * t.hi;
  const double z2 = z * z;
  const double series =
      (-1.0 / 3.0 + z * (1.0 / 5.0)) +
      z2 * ((-1.0 / 7.0 + z * (1.0 / 9.0)) + z2 * (-1.0 / 11.0 + z * (1.0 / 13.0)));
  const Pair sum = exact_sum(base.hi, sign * ATAN_EIGHTHS[k].hi);
  const double sum_lo = sum.lo + (base.lo + sign * ATAN_EIGHTHS[k].lo);
  const Pair angle = fast_sum(sum.hi, sign * t.hi);
  return angle.hi + (angle.lo + (sum_lo + sign * (t.lo + (t.hi * z) * series)));
}

/// Angle in [0, pi] of the point (x, y), or (-x, y) if on the left; x, y >= 0 and not both zero.
static double angle_of(Pair y, Pair x, bool left) {
  const Pair zero = {0.0, 0.0};
  if (y.hi > x.hi) return add_arc_tangent(HALF_PI, left ? 1.0 : -1.0, x, y);
  return left ? add_arc_tangent(PI, -1.0, y, x) : add_arc_tangent(zero, 1.0, y, x);
}

double heft_atan2(double y, double x) {
  if (x != x || y != y) return not_a_number();
  Pair ax = {magnitude(x), 0.0}, ay = {magnitude(y), 0.0};
  if (ay.hi == ax.hi && !(ax.hi <= DBL_MAX)) ax.hi = ay.hi = 1.0;  // both infinite: a diagonal
  if (ay.hi == 0.0 && ax.hi == 0.0) ax.hi = 1.0;                   // only the signs decide
  return with_sign_of(angle_of(ay, ax, is_negative(x)), y);
}

/// sqrt(1 - a^2) for 0 <= a <= 1.
static Pair other_leg(double a) {
  const Pair square = exact_product(a, a);
  const Pair s = fast_sum(1.0, -square.hi);
  const Pair rest = fast_sum(s.hi, s.lo - square.lo);
  if (rest.hi == 0.0) return (Pair){0.0, 0.0};
  const double root = sqrt(rest.hi);
  const Pair r = exact_product(root, root);
  return (Pair){root, (((rest.hi - r.hi) - r.lo) + rest.lo) / (2.0 * root)};
}

double heft_asin(double x) {
  const double a = magnitude(x);
  if (!(a <= 1.0)) return not_a_number();
  return with_sign_of(angle_of((Pair){a, 0.0}, other_leg(a), false), x);
}

double heft_acos(double x) {
  const double a = magnitude(x);
  if (!(a <= 1.0)) return not_a_number();
  return angle_of(other_leg(a), (Pair){a, 0.0}, x < 0.0);
}

// ---- exponential and logarithm ----

#define LN2_HI 0x1.62e42fefa2p-1  // 40 bits: k LN2_HI is exact
#define LN2_LO 0x1.9ef35793c7673p-41
#define ONE_OVER_LN2 0x1.71547652b82fep+0

/// (e^r - 1 - r)/r^2 for |r| < 0.35.
static inline double exp_series(double r) {
  const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const double low = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
  const double middle =
      (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0));
  const double high = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) +
                      r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
  return (low + r4 * middle) + r8 * high;
}

double heft_exp(double x) {
  if (x != x) return not_a_number();
  if (x > 710.0) return infinity();
  if (x < -746.0) return 0.0;
  const double n = (x * ONE_OVER_LN2 + HEFT_ROUND_MAGIC) - HEFT_ROUND_MAGIC;
  const Pair r = fast_sum(x - n * LN2_HI, -(n * LN2_LO));
  const Pair one_r = fast_sum(1.0, r.hi);
  const double v = one_r.hi + (one_r.lo + (r.lo + (r.hi * r.hi) * exp_series(r.hi)));
  // In two halves, since 2^k by itself may be out of range; the first product is exact.
  const int k = (int)n, half = k / 2;
  return (v * power_of_two(half)) * power_of_two(k - half);
}

/// (log((1 + s)/(1 - s)) - 2s)/s^3 for z = s^2 < 0.03.
static inline double log_series(double z) {
  const double z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
  const double low = (2.0 / 3.0 + z * (2.0 / 5.0)) + z2 * (2.0 / 7.0 + z * (2.0 / 9.0));
  const double high = (2.0 / 11.0 + z * (2.0 / 13.0)) + z2 * (2.0 / 15.0 + z * (2.0 / 17.0));
  return (low + z4 * high) + z8 * (2.0 / 19.0 + z * (2.0 / 21.0));
}

double heft_log(double x) {
  if (x == 0.0) return -infinity();
  if (!(x > 0.0)) return not_a_number();
  if (x > DBL_MAX) return x;
  const bool subnormal = x < DBL_MIN;
  const uint64_t u = bits_of(subnormal ? x * 0x1p54 : x);
  // Counted from sqrt(1/2) instead of 1, the exponent field leaves m in [sqrt 1/2, sqrt 2].
  const uint64_t from_root = u - UINT64_C(0x3fe6a09e667f3bcd);
  const int k = (int)((int64_t)from_root >> 52);
  const double m = from_bits(u - ((uint64_t)(int64_t)k << 52));
  const double n = k - (subnormal ? 54 : 0);
  const double f = m - 1.0;
  const Pair s = pair_quotient((Pair){f, 0.0}, fast_sum(2.0, f));
  const double z = s.hi * s.hi;
  const Pair sum = fast_sum(n * LN2_HI, 2.0 * s.hi);
  return sum.hi + (sum.lo + ((2.0 * s.lo + (s.hi * z) * log_series(z)) + n * LN2_LO));
}
