// SPDX-License-Identifier: Apache-2.0
// Minimum, maximum and limits of doubles, with a rule for NaN. fmin() and fmax() of the C library
// drop NaN wherever it is and are calls of functions on most machines.
#ifndef HEFT_SRC_MATH_SCALAR_H
#define HEFT_SRC_MATH_SCALAR_H

/// The larger of a and b; a if they are equal. If one of them is NaN, the result is a: NaN in b is
/// ignored, NaN in a stays. A maximum over a list starts with a number and so ignores NaN.
static inline double heft_max(double a, double b) { return b > a ? b : a; }

/// The smaller of a and b; a if they are equal. If one of them is NaN, the result is a.
static inline double heft_min(double a, double b) { return b < a ? b : a; }

/// The larger of a and b; NaN if one of them is NaN.
static inline double heft_max_or_nan(double a, double b) { return b > a || b != b ? b : a; }

/// x limited to low <= x <= high. NaN stays NaN.
static inline double heft_clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

#endif
