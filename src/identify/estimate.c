// SPDX-License-Identifier: Apache-2.0
// Intervals of estimates.
//
// With the standard deviation s estimated from n degrees of freedom, (x - x̂) / s has Student's
// distribution. The quantile for a probability of 95.45 %, which two deviations z = 2 of the normal
// distribution have, is the series of Cornish and Fisher in 1/n ([Fisher 1960]); up to n = 3 it is
// too short, and a table has the numbers.
#include "identify/estimate.h"

double heft_estimate_factor(double n) {
  static const double few[4] = {13.968, 13.968, 4.527, 3.307};
  const double z = 2, z2 = z * z;
  if (!(n >= 4)) return few[n >= 3 ? 3 : n >= 2 ? 2 : 1];
  const double a = (z2 + 1) * z / 4, b = ((5 * z2 + 16) * z2 + 3) * z / 96;
  const double c = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
  const double d = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
  return z + (a + (b + (c + d / n) / n) / n) / n;
}

HeftEstimate heft_estimate_make(double value, double error, double freedom) {
  const double half = heft_estimate_factor(freedom) * error;
  return (HeftEstimate){.value = value,
                        .error = error,
                        .low = value - half,
                        .high = value + half,
                        .excited = true,
                        .partner = -1};
}
