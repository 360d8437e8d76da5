// SPDX-License-Identifier: Apache-2.0
// What every test needs: cmocka with its headers in the order that it wants, and comparisons of
// numbers.
#ifndef HEFT_TESTS_SUPPORT_CHECK_H
#define HEFT_TESTS_SUPPORT_CHECK_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdio.h>

/// Largest |a - b| over largest |a|, |b|; 0 for two zero vectors, infinity where a number is not
/// finite.
static inline double relative_error(const double* a, const double* b, long count) {
  double largest = 0, worst = 0;
  for (long i = 0; i < count; ++i) {
    if (!isfinite(a[i]) || !isfinite(b[i])) return INFINITY;
    largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
    worst = fmax(worst, fabs(a[i] - b[i]));
  }
  return worst > 0 ? worst / largest : 0;
}

/// Fails with both numbers unless value <= limit; NaN fails.
#define CHECK_AT_MOST(value, limit)                                                    \
  do {                                                                                 \
    const double check_value = (value), check_limit = (limit);                         \
    if (!(check_value <= check_limit)) {                                               \
      fail_msg("%s is %.3g, expected at most %.3g", #value, check_value, check_limit); \
    }                                                                                  \
  } while (0)

#endif
