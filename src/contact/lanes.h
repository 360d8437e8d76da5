// SPDX-License-Identifier: Apache-2.0
// Loops over slot vectors, whose length is a multiple of four. Sums run in lanes of four, then over
// the lanes in a fixed order: the same bits whatever the compiler makes of it.
#ifndef HEFT_SRC_CONTACT_LANES_H
#define HEFT_SRC_CONTACT_LANES_H

#include "contact/vector.h"

static inline double lanes_dot(const double* x, const double* y, int n) {
  V4 sum0 = {0}, sum1 = {0};
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    sum0 += v4_load(x + k) * v4_load(y + k);
    sum1 += v4_load(x + k + 4) * v4_load(y + k + 4);
  }
  for (; k < n; k += 4) sum0 += v4_load(x + k) * v4_load(y + k);
  sum0 += sum1;
  return (sum0[0] + sum0[1]) + (sum0[2] + sum0[3]);
}

static inline void lanes_subtract(double* out, const double* x, const double* y, int n) {
  for (int k = 0; k < n; k += 4) v4_store(out + k, v4_load(x + k) - v4_load(y + k));
}

static inline void lanes_subtract_scaled(double* x, double s, const double* y, int n) {
  for (int k = 0; k < n; k += 4) v4_store(x + k, v4_load(x + k) - s * v4_load(y + k));
}

#endif
