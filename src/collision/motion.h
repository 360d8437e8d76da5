// SPDX-License-Identifier: Apache-2.0
// How a shape moves within a step: a shift and a turn about a pivot, both at a constant rate.
//
// At the time s, from 0 to 1, a point that was at x is at
//     x(s) = p + s d + exp(s [φ]×) (x - p)
// with the pivot p, the shift d and the turn φ of the whole step. A body in flight turns about its
// centre of mass, which moves along a line; a link on a hinge turns about the axis of the hinge.
#ifndef HEFT_SRC_COLLISION_MOTION_H
#define HEFT_SRC_COLLISION_MOTION_H

#include <math.h>

#include "collision/geometry.h"

/// The motion of a link, or of anything that is fixed to it.
typedef struct StepMotion {
  HeftVec3 pivot;  ///< at the start [m]
  HeftVec3 shift;  ///< of the pivot in the step [m]
  HeftVec3 turn;   ///< in the step [rad]
} StepMotion;

/// The motion of a shape, with bounds.
typedef struct ShapeMotion {
  StepMotion motion;
  HeftVec3 velocity;  ///< of its centre at the start [m per step]
  double angle;       ///< of the turn [rad]
  double bend;        ///< the centre leaves the line of this velocity by no more [m]
  double radius;      ///< of its core about its centre [m]
  double sway;        ///< no point of its core moves faster against its centre [m per step]
  double reach;       ///< no point of the shape moves farther [m]
} ShapeMotion;

/// The radius of a core about the centre of its bounding box.
static inline double geometry_core_radius(const Geometry* shape) {
  if (shape->kind == KIND_SPHERE) return 0;
  if (shape->kind == KIND_CAPSULE) return shape->size[1];
  if (shape->kind == KIND_CYLINDER)
    return sqrt(shape->size[0] * shape->size[0] + shape->size[1] * shape->size[1]);
  return heft_vec3_norm(shape->half);
}

/// The radius of a shape about the centre of its bounding box.
static inline double geometry_radius(const Geometry* shape) {
  return shape->kind == KIND_PLANE ? HUGE_VAL : geometry_core_radius(shape) + shape->radius;
}

/// Velocity of the point that is at x at the time s [m per step].
static inline HeftVec3 motion_velocity(const StepMotion* m, double s, HeftVec3 x) {
  const HeftVec3 arm = heft_vec3_sub(heft_vec3_add_scaled(x, -s, m->shift), m->pivot);
  return heft_vec3_add(m->shift, heft_vec3_cross(m->turn, arm));
}

/// The pose at the time s of what has the pose x at the start.
HeftPose heft_motion_pose(const StepMotion* m, HeftPose x, double s);
/// The motion of a shape with the pose x at the start, and its bounds.
ShapeMotion heft_shape_motion(const Geometry* g, HeftPose x, const StepMotion* m);
/// How much the distance of two shapes changes in the step at most. at_a, at_b: their centres at
/// its start.
double heft_motion_approach(const Geometry* g, const ShapeMotion* a, HeftVec3 at_a,
                            const Geometry* h, const ShapeMotion* b, HeftVec3 at_b);
/// For the gap of a and b along a direction that turns with a and is n at the time s: a bound of
/// its second derivative. c: any place at that time; size: no point of the core of b is farther
/// from it. The first derivative is n · w - |(φ_a - φ_b) × n| size at least, with the velocity w of
/// b against a at c. Small if both turn together.
double heft_motion_curving(const StepMotion* a, const StepMotion* b, double s, HeftVec3 c,
                           HeftVec3 n, double size);
/// The motion from one pose to another: the centre along a line, the turn the shorter way.
StepMotion heft_motion_between(HeftPose from, HeftPose to);
/// The box [lo, hi] of a shape at the start, enlarged so that it holds the shape during the step.
void heft_motion_sweep_box(const ShapeMotion* m, HeftVec3 centre, double lo[3], double hi[3]);

#endif
