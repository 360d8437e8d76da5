// SPDX-License-Identifier: Apache-2.0
// Conditions with a loop or a tolerance, for HEFT_ASSERT (base/assert.h): a build without asserts
// does not call them. A number that is not finite passes all of them but heft_all_positive():
// inputs at the end of the range of numbers are no mistake of the function that meets them.
#ifndef HEFT_SRC_MATH_INVARIANT_H
#define HEFT_SRC_MATH_INVARIANT_H

#include <heft/math.h>

/// start[0] <= start[1] <= ... <= start[count], from 0 on.
static inline int heft_is_rising(const int* start, int count) {
  if (start[0] < 0) return 0;
  for (int i = 0; i < count; ++i) {
    if (start[i + 1] < start[i]) return 0;
  }
  return 1;
}

/// All `count` numbers are in first .. end - 1.
static inline int heft_all_within(const int* index, int count, int first, int end) {
  for (int i = 0; i < count; ++i) {
    if (index[i] < first || index[i] >= end) return 0;
  }
  return 1;
}

/// All `count` numbers are above zero.
static inline int heft_all_positive(const double* x, int count) {
  for (int i = 0; i < count; ++i) {
    if (!(x[i] > 0)) return 0;
  }
  return 1;
}

/// The length of a is 1.
static inline int heft_is_unit(HeftVec3 a) { return !(fabs(heft_vec3_dot(a, a) - 1) > 1e-9); }

/// q is a rotation.
static inline int heft_is_unit_quat(HeftQuat q) {
  return !(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) > 1e-9);
}

/// The rows of a matrix are unit vectors at right angles, and right-handed.
static inline int heft_is_rotation(HeftMat3 a) {
  const HeftVec3 x = heft_vec3_from(a.m[0]), y = heft_vec3_from(a.m[1]), z = heft_vec3_from(a.m[2]);
  return heft_is_unit(x) && heft_is_unit(y) && heft_is_unit(z) &&
         !(fabs(heft_vec3_dot(x, y)) > 1e-9) &&
         !(fabs(heft_vec3_dot(heft_vec3_cross(x, y), z) - 1) > 1e-9);
}

#endif
