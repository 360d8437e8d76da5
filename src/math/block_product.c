// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices, four rows and eight columns at a time. Every sum runs over the same
// terms in the same order on every machine, so bits do not depend on vector width.
#include "math/block_product.h"

// Four rows of c, n columns: c -= a b, k terms.
HEFT_INLINE void multiply_four(int n, int k, const double* a, int lda, const double* b, int ldb,
                               double* c, int ldc) {
  const double *a0 = a, *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
  double *c0 = c, *c1 = c0 + ldc, *c2 = c1 + ldc, *c3 = c2 + ldc;
  int j = 0;
  for (; j + 8 <= n; j += 8) {
    V4 s0 = v4_load(c0 + j), s1 = v4_load(c1 + j), s2 = v4_load(c2 + j), s3 = v4_load(c3 + j);
    V4 t0 = v4_load(c0 + j + 4), t1 = v4_load(c1 + j + 4), t2 = v4_load(c2 + j + 4),
       t3 = v4_load(c3 + j + 4);
    const double* bj = b + j;
    for (int l = 0; l < k; ++l, bj += ldb) {
      const V4 x = v4_load(bj), y = v4_load(bj + 4);
      s0 -= a0[l] * x;
      t0 -= a0[l] * y;
      s1 -= a1[l] * x;
      t1 -= a1[l] * y;
      s2 -= a2[l] * x;
      t2 -= a2[l] * y;
      s3 -= a3[l] * x;
      t3 -= a3[l] * y;
    }
    v4_store(c0 + j, s0);
    v4_store(c1 + j, s1);
    v4_store(c2 + j, s2);
    v4_store(c3 + j, s3);
    v4_store(c0 + j + 4, t0);
    v4_store(c1 + j + 4, t1);
    v4_store(c2 + j + 4, t2);
    v4_store(c3 + j + 4, t3);
  }
  for (; j + 4 <= n; j += 4) {
    V4 s0 = v4_load(c0 + j), s1 = v4_load(c1 + j), s2 = v4_load(c2 + j), s3 = v4_load(c3 + j);
    const double* bj = b + j;
    for (int l = 0; l < k; ++l, bj += ldb) {
      const V4 x = v4_load(bj);
      s0 -= a0[l] * x;
      s1 -= a1[l] * x;
      s2 -= a2[l] * x;
      s3 -= a3[l] * x;
    }
    v4_store(c0 + j, s0);
    v4_store(c1 + j, s1);
    v4_store(c2 + j, s2);
    v4_store(c3 + j, s3);
  }
  for (; j < n; ++j) {
    double s0 = c0[j], s1 = c1[j], s2 = c2[j], s3 = c3[j];
    for (int l = 0; l < k; ++l) {
      const double x = b[(size_t)l * ldb + j];
      s0 -= a0[l] * x;
      s1 -= a1[l] * x;
      s2 -= a2[l] * x;
      s3 -= a3[l] * x;
    }
    c0[j] = s0;
    c1[j] = s1;
    c2[j] = s2;
    c3[j] = s3;
  }
}

// c (m x n) -= a (m x k) b (k x n).
HEFT_SHARED_CLONES
void block_multiply_subtract(int m, int n, int k, const double* a, int lda, const double* b,
                             int ldb, double* c, int ldc) {
  int i = 0;
  for (; i + 4 <= m; i += 4)
    multiply_four(n, k, a + (size_t)i * lda, lda, b, ldb, c + (size_t)i * ldc, ldc);
  for (; i < m; ++i) {
    const double* ai = a + (size_t)i * lda;
    double* ci = c + (size_t)i * ldc;
    int j = 0;
    for (; j + 4 <= n; j += 4) {
      V4 s = v4_load(ci + j);
      for (int l = 0; l < k; ++l) s -= ai[l] * v4_load(b + (size_t)l * ldb + j);
      v4_store(ci + j, s);
    }
    for (; j < n; ++j) {
      double s = ci[j];
      for (int l = 0; l < k; ++l) s -= ai[l] * b[(size_t)l * ldb + j];
      ci[j] = s;
    }
  }
}
