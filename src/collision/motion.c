// SPDX-License-Identifier: Apache-2.0
// Motion of shapes within a step, and its bounds.
//
// The centre c of a shape moves with the velocity d + φ × (c - p), whose derivative φ × (φ × (c
// - p)) has the constant length |φ| |φ × (c - p)|; so within the step it stays within half of
// that length from the line of its first velocity. All other points of the core move against the
// centre by a turn: at most by |φ| times their distance from it, and by no more than twice that
// distance.
#include "collision/motion.h"

static const double SMALL_TURN = 0.25;  // [rad]

HeftPose heft_motion_pose(const StepMotion* m, HeftPose x, double s) {
  const HeftVec3 arm = heft_vec3_sub(x.pos, m->pivot);
  const HeftVec3 pivot = heft_vec3_add_scaled(m->pivot, s, m->shift);
  if (heft_vec3_dot(m->turn, m->turn) == 0) {
    x.pos = heft_vec3_add_scaled(x.pos, s, m->shift);
    return x;
  }
  const HeftMat3 rot = heft_quat_to_mat3(heft_quat_exp(heft_vec3_scale(s, m->turn)));
  return (HeftPose){heft_mat3_mul(rot, x.rot), heft_vec3_add(pivot, heft_mat3_mul_vec(rot, arm))};
}

// How far the centre leaves the line of its first velocity.
static double bend(const StepMotion* m, HeftVec3 centre) {
  const HeftVec3 turning = heft_vec3_cross(m->turn, heft_vec3_sub(centre, m->pivot));
  return 0.5 * heft_vec3_norm(m->turn) * heft_vec3_norm(turning);
}

ShapeMotion heft_shape_motion(const Geometry* g, HeftPose x, const StepMotion* m) {
  ShapeMotion out = {.motion = *m, .radius = geometry_core_radius(g)};
  HeftVec3 turn = m->turn;
  if (g->kind == KIND_CAPSULE) turn = heft_vec3_cross(turn, heft_mat3_column(x.rot, 2));
  out.sway = heft_vec3_norm(turn) * out.radius;
  out.velocity = motion_velocity(m, 0, x.pos);
  out.angle = heft_vec3_norm(m->turn);
  out.bend = bend(m, x.pos);
  out.reach = heft_vec3_norm(out.velocity) + out.bend + fmin(out.sway, 2 * out.radius);
  return out;
}

// x and y are the nearest points of a and b. Since y - x is along the normal, a turn of b about x
// does not change the gap. So the gap changes at most at the rate of the relative velocity w of
// both motions at x. With the arms r from the pivots, w changes at most at the rate
// |φ_a × (φ_a × r_a) - φ_b × (φ_b × r_b)| + |φ_b| |w|, and r_b at the rate |w|. So for small turns
// w grows by the factor 1 + 2 |φ_b| at most, besides the first term. Shapes that turn together
// hardly approach each other.
static double approach_in_turn(const ShapeMotion* a, HeftVec3 at, double radius,
                               const ShapeMotion* b) {
  const StepMotion *x = &a->motion, *y = &b->motion;
  const HeftVec3 centre = heft_vec3_sub(a->velocity, motion_velocity(y, 0, at));
  const double turn = heft_vec3_norm(heft_vec3_sub(x->turn, y->turn));
  const double turn_a = a->angle, turn_b = b->angle;
  if (turn_b > SMALL_TURN) return HUGE_VAL;
  return (1 + 2 * turn_b) * (heft_vec3_norm(centre) + turn * radius + a->bend + bend(y, at) +
                             0.5 * (turn_a * turn_a + turn_b * turn_b) * radius);
}

// The bound by the velocities of the centres: balls may spin.
static double approach_of_centres(const ShapeMotion* a, const ShapeMotion* b) {
  return heft_vec3_norm(heft_vec3_sub(a->velocity, b->velocity)) + a->bend + b->bend +
         fmin(a->sway, 2 * a->radius) + fmin(b->sway, 2 * b->radius);
}

double heft_motion_approach(const Geometry* g, const ShapeMotion* a, HeftVec3 at_a,
                            const Geometry* h, const ShapeMotion* b, HeftVec3 at_b) {
  const double radius_a = geometry_radius(g), radius_b = geometry_radius(h);
  return fmin(approach_of_centres(a, b), radius_a < radius_b
                                             ? approach_in_turn(a, at_a, radius_a, b)
                                             : approach_in_turn(b, at_b, radius_b, a));
}

// y_a and y_b are the points of a and b that are at c at the time s, q = y_b - y_a, and w is the
// velocity of q then. With the normal n(t) = R_a n, the gap is the least
//
//     n(t) · q + m(t) · (x - c),   m = R_bᵀ R_a n,   ṁ = (φ_a - φ_b) × n,
//
// over the points x of b, less how far a reaches beyond c, which stays. The second order is bounded
// by the derivatives of n, q and m. It is small for shapes that turn together, as the links of a
// robot do, which slide along each other.
double heft_motion_curving(const StepMotion* a, const StepMotion* b, double s, HeftVec3 c,
                           HeftVec3 n, double size) {
  const HeftVec3 of_a = motion_velocity(a, s, c), of_b = motion_velocity(b, s, c);
  const HeftVec3 turning_a = heft_vec3_sub(of_a, a->shift),
                 turning_b = heft_vec3_sub(of_b, b->shift);
  const double speed = heft_vec3_norm(heft_vec3_sub(of_b, of_a)), turn_a = heft_vec3_norm(a->turn),
               turn_b = heft_vec3_norm(b->turn), tilt = heft_vec3_norm(heft_vec3_cross(a->turn, n)),
               apart = heft_vec3_norm(heft_vec3_sub(a->turn, b->turn));
  const double bends = heft_vec3_norm(heft_vec3_sub(heft_vec3_cross(b->turn, turning_b),
                                                    heft_vec3_cross(a->turn, turning_a))) +
                       turn_b * turn_b * heft_vec3_norm(turning_b) +
                       turn_a * turn_a * heft_vec3_norm(turning_a);
  return turn_a * tilt * (speed + 0.5 * bends) + 2 * tilt * (speed + bends) + bends +
         apart * (turn_b + tilt) * size;
}

StepMotion heft_motion_between(HeftPose from, HeftPose to) {
  const HeftMat3 turn = heft_mat3_mul(to.rot, heft_mat3_transpose(from.rot));
  return (StepMotion){.pivot = from.pos,
                      .shift = heft_vec3_sub(to.pos, from.pos),
                      .turn = heft_quat_log(heft_quat_from_mat3(turn))};
}

void heft_motion_sweep_box(const ShapeMotion* m, HeftVec3 centre, double lo[3], double hi[3]) {
  const HeftVec3 v = motion_velocity(&m->motion, 0, centre);
  const double along[3] = {v.x, v.y, v.z};
  const double around = bend(&m->motion, centre) + fmin(m->sway, 2 * m->radius);
  for (int k = 0; k < 3; ++k) {
    lo[k] += fmin(along[k], 0) - around;
    hi[k] += fmax(along[k], 0) + around;
  }
}
