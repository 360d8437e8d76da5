// SPDX-License-Identifier: Apache-2.0
// Triangles in space.
#ifndef HEFT_SRC_MATH_TRIANGLE_H
#define HEFT_SRC_MATH_TRIANGLE_H

#include <heft/math.h>

/// The point of a triangle closest to p.
HeftVec3 heft_triangle_closest(HeftVec3 a, HeftVec3 b, HeftVec3 c, HeftVec3 p);

#endif
