// SPDX-License-Identifier: Apache-2.0
// Points of a circle that have the same bits everywhere.
#ifndef HEFT_TESTS_SUPPORT_CIRCLE_H
#define HEFT_TESTS_SUPPORT_CIRCLE_H

#include <math.h>

// Points of a square that are pushed onto a circle: no sine.
static inline void circle(int i, int count, double out[2]) {
  const double t = 4.0 * i / count;
  const int side = (int)t;
  const double s = 2 * (t - side) - 1, corner[4][2] = {{1, s}, {-s, 1}, {-1, -s}, {s, -1}};
  const double r = sqrt(1 + s * s);
  out[0] = corner[side][0] / r;
  out[1] = corner[side][1] / r;
}

#endif
