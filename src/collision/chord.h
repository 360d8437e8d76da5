// SPDX-License-Identifier: Apache-2.0
// The part of a line inside a convex shape.
#ifndef HEFT_SRC_COLLISION_CHORD_H
#define HEFT_SRC_COLLISION_CHORD_H

#include "collision/geometry.h"

/// t[0] <= t[1]: where the line o + t d, d a unit vector, both in the shape's frame, is inside of
/// it; infinite where it never leaves a plane's solid. Returns 0 if it is never inside. Not for
/// triangles and triangle meshes.
int heft_geometry_chord(const Geometry* g, HeftVec3 o, HeftVec3 d, double t[2]);

#endif
