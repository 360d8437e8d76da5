// SPDX-License-Identifier: Apache-2.0
// Coordinate d of point n is the exclusive or of the direction numbers v_k of the bits k that are
// set in n. With a primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 over two elements
// and odd m_1 .. m_s, m_k < 2^k:
//
//     m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s),    v_k = m_k / 2^k
//
// (Bratley and Fox 1988). Any such m give a sequence whose first 2^k points have one point in each
// of 2^k equal intervals of each coordinate. The m below are the first 21 dimensions of the file
// new-joe-kuo-6.21201 of Joe and Kuo (2008), chosen for the projections to two dimensions. Points
// in the order of the binary number, not of the Gray code, so that a point depends only on its
// index.
#include "sweep/sobol.h"

typedef struct Direction {
  int degree;       ///< s
  unsigned middle;  ///< a_1 .. a_(s-1), a_1 the highest bit
  unsigned first[7];
} Direction;

static const Direction directions[SOBOL_DIMENSIONS] = {{0, 0, {0}},
                                                       {1, 0, {1}},
                                                       {2, 1, {1, 3}},
                                                       {3, 1, {1, 3, 1}},
                                                       {3, 2, {1, 1, 1}},
                                                       {4, 1, {1, 1, 3, 3}},
                                                       {4, 4, {1, 3, 5, 13}},
                                                       {5, 2, {1, 1, 5, 5, 17}},
                                                       {5, 4, {1, 1, 5, 5, 5}},
                                                       {5, 7, {1, 1, 7, 11, 19}},
                                                       {5, 11, {1, 1, 5, 1, 1}},
                                                       {5, 13, {1, 1, 1, 3, 11}},
                                                       {5, 14, {1, 3, 5, 5, 31}},
                                                       {6, 1, {1, 3, 3, 9, 7, 49}},
                                                       {6, 13, {1, 1, 1, 15, 21, 21}},
                                                       {6, 16, {1, 3, 1, 13, 27, 49}},
                                                       {6, 19, {1, 1, 1, 15, 7, 5}},
                                                       {6, 22, {1, 3, 1, 15, 13, 25}},
                                                       {6, 25, {1, 1, 5, 5, 19, 61}},
                                                       {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                       {7, 4, {1, 3, 7, 13, 13, 15, 69}}};

uint64_t sobol_bits(int dimension, uint64_t index) {
  const Direction* d = &directions[dimension];
  const int s = d->degree;
  uint64_t m[SOBOL_BITS], x = 0;
  for (int k = 0; k < SOBOL_BITS && index >> k; ++k) {
    if (s == 0) {
      m[k] = 1;  // the first coordinate: the bits of the index in reverse
    } else if (k < s) {
      m[k] = d->first[k];
    } else {
      m[k] = m[k - s] ^ m[k - s] << s;
      for (int i = 1; i < s; ++i)
        if (d->middle >> (s - 1 - i) & 1) m[k] ^= m[k - i] << i;
    }
    if (index >> k & 1) x ^= m[k] << (SOBOL_BITS - 1 - k);
  }
  return x;
}
