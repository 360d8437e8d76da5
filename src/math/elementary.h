// SPDX-License-Identifier: Apache-2.0
// Heft's own elementary functions: the same bits from every compiler, level and processor.
// Each is within 1 ulp of the exact value over its whole range; a result that is not a number is
// always the same positive quiet NaN. They set no errno and expect rounding to nearest.
#ifndef HEFT_MATH_ELEMENTARY_H
#define HEFT_MATH_ELEMENTARY_H

/// Sine and cosine of any finite angle [rad], however large.
double heft_sin(double x);
double heft_cos(double x);
/// Both at once, for little more than the price of one; the same bits as heft_sin and heft_cos.
void heft_sincos(double x, double* s, double* c);
/// s[i], c[i] = sine, cosine of x[i] [rad], i < n; the same bits as heft_sincos. The arrays need no
/// alignment and must not overlap.
void heft_sincos_many(int n, const double* x, double* s, double* c);

/// Angle of the point (x, y) in [-pi, pi] [rad]; signed zeros and infinities as in the C standard.
double heft_atan2(double y, double x);
/// Angles in [-pi/2, pi/2] and [0, pi] [rad]; NaN outside -1 <= x <= 1.
double heft_asin(double x);
double heft_acos(double x);

/// e^x, down to the subnormal numbers and up to infinity.
double heft_exp(double x);
/// Natural logarithm; -infinity at zero, NaN below.
double heft_log(double x);

#endif
