// SPDX-License-Identifier: Apache-2.0
#include "math/triangle.h"

#include <math.h>

HeftVec3 heft_triangle_closest(HeftVec3 a, HeftVec3 b, HeftVec3 c, HeftVec3 p) {
  const HeftVec3 corner[3] = {a, b, c};
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a));
  const double nn = heft_vec3_dot(n, n);
  int inside = nn > 0;
  double best = HUGE_VAL;
  HeftVec3 nearest = a;
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 from = corner[k], e = heft_vec3_sub(corner[(k + 1) % 3], from);
    const HeftVec3 d = heft_vec3_sub(p, from);
    if (heft_vec3_dot(heft_vec3_cross(e, d), n) < 0) inside = 0;
    const double ee = heft_vec3_dot(e, e);
    const double t = ee > 0 ? fmin(fmax(heft_vec3_dot(d, e) / ee, 0), 1) : 0;
    const HeftVec3 q = heft_vec3_add_scaled(from, t, e), r = heft_vec3_sub(p, q);
    if (heft_vec3_dot(r, r) < best) {
      best = heft_vec3_dot(r, r);
      nearest = q;
    }
  }
  if (!inside) return nearest;
  return heft_vec3_add_scaled(p, -heft_vec3_dot(heft_vec3_sub(p, a), n) / nn, n);
}
