// SPDX-License-Identifier: Apache-2.0
// Rays and nearest points on single shapes, in the shape's frame.
#ifndef HEFT_SRC_COLLISION_RAY_H
#define HEFT_SRC_COLLISION_RAY_H

#include "collision/geometry.h"

/// Where a ray (unit direction) enters a shape, not later than reach: distance, or infinity. A ray
/// that starts inside does not enter.
double heft_geometry_ray(const Geometry* g, HeftVec3 from, HeftVec3 direction, double reach,
                         HeftVec3* normal);

/// The point of a triangle mesh closest to p, not farther than reach: distance, or infinity.
double heft_triangle_mesh_closest(const Geometry* g, HeftVec3 p, double reach, HeftVec3* on_surface,
                                  HeftVec3* normal);

#endif
