// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of eight angles at once, without a branch; and the constants of the plain
// heft_sincos in elementary.c, which does the same operations in the same order, bit for bit.
//
// Reduction. With n = round(2|x|/pi) <= 2^20 and pi/2 = P1 + P2 + P3 + P4, where P1, P2, P3 have 32
// bits each, the products n P1, n P2, n P3 are exact. |x| - n P1 is exact as well: both are
// multiples of the last place of |x| or of 2^-32, and their difference is below 1. The next two
// differences are kept as h + l with l the rounding error (h = a - b, l = (a - h) - b). That
// formula wants |a| >= |b|; where it is not so, a - b is a multiple of 2^-65 (then 2^-100) below
// 2^-12 (then 2^-47), thus fits 53 bits, and l = 0 is right. The omitted rest is below 2^-130,
// while no double in range comes nearer than about 2^-60 to a multiple of pi/2; so the reduced
// angle y + e, with e the part of it that does not fit in y, is good to more than 60 bits even
// there.
//
// Polynomials, with z = y^2, on |y| <= pi/4:
//   sin(y + e) = y + (y z S(z) + e (1 - z/2)),
//   cos(y + e) = w + (((1 - w) - z/2) + (z^2 C(z) - y e)),   w = 1 - z/2,
// S and C of degree 5, fitted by src/math/elementary_tables.py (error 2^-58 of y and 2^-64). Only
// the last addition rounds at full weight, the parts added there being small.
#ifndef HEFT_MATH_SINCOS_LANES_H
#define HEFT_MATH_SINCOS_LANES_H

#include "math/simd.h"

/// heft_sincos_packet is valid for |x| below this (a little less than 2^20 pi/2) [rad].
#define HEFT_SINCOS_PACKET_MAX 1647099.0

/// Adding and subtracting 1.5 * 2^52 rounds to an integer, which is left in the lowest bits.
#define HEFT_ROUND_MAGIC 0x1.8p52

#define HEFT_TWO_OVER_PI 0x1.45f306dc9c883p-1
#define HEFT_HALF_PI_1 0x1.921fb544p+0
#define HEFT_HALF_PI_2 0x1.0b4611a6p-34
#define HEFT_HALF_PI_3 0x1.3198a2ep-69
#define HEFT_HALF_PI_4 0x1.b839a252049c1p-104

#define HEFT_SIN_3 (-0x1.5555555555548p-3)
#define HEFT_SIN_5 0x1.111111110f768p-7
#define HEFT_SIN_7 (-0x1.a01a019bf3a93p-13)
#define HEFT_SIN_9 0x1.71de356015aa5p-19
#define HEFT_SIN_11 (-0x1.ae5e54f44cd46p-26)
#define HEFT_SIN_13 0x1.5d8e3f5f018fap-33

#define HEFT_COS_4 0x1.555555555554bp-5
#define HEFT_COS_6 (-0x1.6c16c16c1503cp-10)
#define HEFT_COS_8 0x1.a01a019c94e46p-16
#define HEFT_COS_10 (-0x1.27e4f7f6698dfp-22)
#define HEFT_COS_12 0x1.1ee9df4d25371p-29
#define HEFT_COS_14 (-0x1.8fa85897bd2dbp-37)

/// s, c = sine, cosine of x, lane by lane, the bits of heft_sincos. A lane with |x| at or above
/// HEFT_SINCOS_PACKET_MAX, or not a number, gives something meaningless and harms no other.
HEFT_INLINE void heft_sincos_packet(const V8* x, V8* s, V8* c) {
  const V8 a = v8_abs(*x);
  const V8 t = a * HEFT_TWO_OVER_PI + HEFT_ROUND_MAGIC;
  const V8 n = t - HEFT_ROUND_MAGIC;
  const V8 h1 = a - n * HEFT_HALF_PI_1;
  const V8 p2 = n * HEFT_HALF_PI_2;
  const V8 h2 = h1 - p2;
  const V8 l2 = (h1 - h2) - p2;
  const V8 p3 = n * HEFT_HALF_PI_3;
  const V8 h3 = h2 - p3;
  const V8 l3 = (h2 - h3) - p3;
  const V8 l = (l2 + l3) - n * HEFT_HALF_PI_4;
  const V8 y = h3 + l;
  const V8 e = (h3 - y) + l;

  const V8 z = y * y;
  const V8 z2 = z * z;
  const V8 z4 = z2 * z2;
  const V8 half_z = z * 0.5;
  const V8 w = 1.0 - half_z;
  const V8 sp = ((HEFT_SIN_3 + HEFT_SIN_5 * z) + z2 * (HEFT_SIN_7 + HEFT_SIN_9 * z)) +
                z4 * (HEFT_SIN_11 + HEFT_SIN_13 * z);
  const V8 cp = ((HEFT_COS_4 + HEFT_COS_6 * z) + z2 * (HEFT_COS_8 + HEFT_COS_10 * z)) +
                z4 * (HEFT_COS_12 + HEFT_COS_14 * z);
  const B8 sine = (B8)(y + ((y * z) * sp + e * w));
  const B8 cosine = (B8)(w + (((1.0 - w) - half_z) + (z2 * cp - y * e)));

  const B8 quadrant = (B8)t;
  const B8 exchange = (sine ^ cosine) & -(quadrant & 1);
  const B8 sign_s = ((B8)*x & (UINT64_C(1) << 63)) ^ ((quadrant & 2) << 62);
  const B8 sign_c = ((quadrant + 1) & 2) << 62;
  *s = (V8)(sine ^ exchange ^ sign_s);
  *c = (V8)(cosine ^ exchange ^ sign_c);
}

#endif
