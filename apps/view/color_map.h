// SPDX-License-Identifier: Apache-2.0
// Colours of numbers: dark blue, green, yellow, which can be distinguished in grey and by users
// with colour blindness (five colours of viridis, and straight lines between them).
#ifndef HEFT_APPS_VIEW_COLOR_MAP_H
#define HEFT_APPS_VIEW_COLOR_MAP_H

#include <math.h>

/// share: 0 to 1.
static inline void color_map(double share, float out[3]) {
  static const float colors[5][3] = {{0.267F, 0.005F, 0.329F},
                                     {0.230F, 0.322F, 0.546F},
                                     {0.128F, 0.567F, 0.551F},
                                     {0.369F, 0.789F, 0.383F},
                                     {0.993F, 0.906F, 0.144F}};
  const double x = 4 * fmin(fmax(share, 0), 1);
  const int i = x < 3 ? (int)x : 3;
  const float part = (float)(x - i);
  for (int k = 0; k < 3; ++k) out[k] = colors[i][k] + part * (colors[i + 1][k] - colors[i][k]);
}

#endif
