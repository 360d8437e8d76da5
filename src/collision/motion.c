// SPDX-License-Identifier: Apache-2.0
// Motion of shapes within a step, and its bounds.
//
// The centre c of a shape moves with the velocity d + φ × (c - p), whose derivative φ × (φ × (c
// - p)) has the constant length |φ| |φ × (c - p)|; so within the step it stays within half of
// that length from the line of its first velocity. All other points of the core move against the
// centre by a turn: at most by |φ| times their distance from it, and by no more than twice that
// distance.
#include "collision/motion.h"

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
  out.reach = heft_vec3_norm(motion_velocity(m, 0, x.pos)) + bend(m, x.pos) +
              fmin(out.sway, 2 * out.radius);
  return out;
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
