// SPDX-License-Identifier: Apache-2.0
#include "math/skyline.h"

#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "math/simd.h"

// Σ a_i b_i: four at a time, then the others.
HEFT_INLINE double dot(int n, const double* a, const double* b) {
  V4 sum = v4_all(0);
  double rest = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) sum += v4_load(a + i) * v4_load(b + i);
  for (; i < n; ++i) rest += a[i] * b[i];
  return v4_sum(sum) + rest;
}

HEFT_CLONES static int skyline_factor_kernel(int n, size_t stride, const int* first, double* a) {
  for (int i = 0; i < n; ++i) {
    double* row = a + (size_t)i * stride;
    for (int j = first[i]; j <= i; ++j) {
      const double* other = a + (size_t)j * stride;
      const int from = first[i] > first[j] ? first[i] : first[j];
      const double left = row[j] - dot(j - from, row + from, other + from);
      if (j == i && !(left > 0)) return 0;
      row[j] = j < i ? left * other[j] : 1 / sqrt(left);
    }
  }
  return 1;
}

int skyline_factor(int n, int stride, const int* first, double* a) {
  HEFT_ASSERT(n >= 0 && stride >= n);
  return skyline_factor_kernel(n, (size_t)stride, first, a);
}

HEFT_CLONES static void skyline_solve_kernel(int n, size_t stride, const int* first,
                                             const double* l, double* x) {
  for (int i = 0; i < n; ++i) {
    const double* row = l + (size_t)i * stride;
    x[i] = (x[i] - dot(i - first[i], row + first[i], x + first[i])) * row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = l + (size_t)i * stride;
    const double value = x[i] * row[i];
    int k = first[i];
    x[i] = value;
    for (; k + 4 <= i; k += 4) v4_store(x + k, v4_load(x + k) - v4_load(row + k) * value);
    for (; k < i; ++k) x[k] -= row[k] * value;
  }
}

void skyline_solve(int n, int stride, const int* first, const double* l, double* x) {
  HEFT_ASSERT(n >= 0 && stride >= n);
  skyline_solve_kernel(n, (size_t)stride, first, l, x);
}
