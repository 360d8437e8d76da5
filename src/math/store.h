// SPDX-License-Identifier: Apache-2.0
// Vectors and quaternions into arrays of numbers: the inverse of heft_vec3_from().
#ifndef HEFT_SRC_MATH_STORE_H
#define HEFT_SRC_MATH_STORE_H

#include <heft/math.h>

static inline void vec3_store(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static inline void quat_store(double* out, HeftQuat q) {
  out[0] = q.w;
  out[1] = q.x;
  out[2] = q.y;
  out[3] = q.z;
}

#endif
