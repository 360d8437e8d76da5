// SPDX-License-Identifier: Apache-2.0
// The frame of a contact.
#ifndef HEFT_SRC_COLLISION_CONTACT_FRAME_H
#define HEFT_SRC_COLLISION_CONTACT_FRAME_H

#include <heft/math.h>

/// Squared sine of the angle between two unit vectors; 1 if it is not acute.
static inline double contact_squared_sine(HeftVec3 a, HeftVec3 b) {
  const HeftVec3 x = heft_vec3_cross(a, b);
  return heft_vec3_dot(a, b) > 0 ? heft_vec3_dot(x, x) : 1;
}

/// A tangent that depends only on the normal, in a's frame: the x axis laid into the contact plane,
/// or the y axis where the normal is close to x. Faces of boxes and floors are far from the change.
static inline HeftVec3 contact_tangent(HeftVec3 n) {
  if (n.x == 0) return heft_vec3(1, 0, 0);  // the result of the code below, for horizontal ground
  const HeftVec3 axis = fabs(n.x) < 0.8 ? heft_vec3(1, 0, 0) : heft_vec3(0, 1, 0);
  const HeftVec3 t = heft_vec3_add_scaled(axis, -heft_vec3_dot(axis, n), n);
  return heft_vec3_scale(1 / heft_vec3_norm(t), t);
}

#endif
