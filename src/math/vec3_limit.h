// SPDX-License-Identifier: Apache-2.0
// Three-vectors: a test for finite components, and a limit of the length.
#ifndef HEFT_SRC_MATH_VEC3_LIMIT_H
#define HEFT_SRC_MATH_VEC3_LIMIT_H

#include <heft/math.h>

static inline int vec3_finite(HeftVec3 a) {
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// a, no longer than `most`; 0: as long as it is.
static inline HeftVec3 vec3_bounded(HeftVec3 a, double max) {
  const double size = heft_vec3_norm(a);
  return max > 0 && size > max ? heft_vec3_scale(max / size, a) : a;
}

#endif
