// SPDX-License-Identifier: Apache-2.0
// From device coordinates to the world and back.
//
//     x = origin + scale R (p - center),   f_device = force_scale Rᵀ f
//
// The clutch. While it is pressed, the probe stays at its place. When it is released, center
// becomes the position of the device at that moment. Rotations are treated the same way.
#include <heft/interact.h>

#include "base/assert.h"

HeftMapping heft_mapping_default(void) {
  return (HeftMapping){.axes = heft_mat3_identity(),
                       .scale = 1,
                       .force_scale = 1,
                       .clutch = -1,
                       .held_rot = heft_quat_identity(),
                       .shift_rot = heft_quat_identity()};
}

static HeftVec3 place(const HeftMapping* m, HeftVec3 pos) {
  const HeftVec3 away = heft_mat3_mul_vec(m->axes, heft_vec3_sub(pos, m->center));
  return heft_vec3_add_scaled(m->origin, m->scale, away);
}

// Rotation of the handle in the world: R q R⁻¹, after the shift of the clutch.
static HeftQuat rotation(const HeftMapping* m, HeftQuat rot) {
  const HeftQuat axes = heft_quat_from_mat3(m->axes);
  const HeftQuat turned = heft_quat_mul(heft_quat_mul(axes, rot), heft_quat_conjugate(axes));
  return heft_quat_normalize(heft_quat_mul(turned, m->shift_rot));
}

static void let_go(HeftMapping* m, const HeftDeviceSample* s) {
  const HeftVec3 back = heft_mat3_tmul_vec(m->axes, heft_vec3_sub(m->held_pos, m->origin));
  m->center = heft_vec3_add_scaled(s->pos, -1 / m->scale, back);
  m->shift_rot = heft_quat_identity();
  m->shift_rot = heft_quat_mul(heft_quat_conjugate(rotation(m, s->rot)), m->held_rot);
  m->held = 0;
}

HeftProbeInput heft_mapping_apply(HeftMapping* m, const HeftDeviceSample* s) {
  HEFT_REQUIRE(m && s, ((HeftProbeInput){0}));
  const int pressed = m->clutch >= 0 && m->clutch < 32 && (s->buttons >> m->clutch & 1u);
  if (pressed && !m->held) {
    m->held_pos = place(m, s->pos);
    m->held_rot = rotation(m, s->rot);
    m->held = 1;
  }
  if (!pressed && m->held) let_go(m, s);
  HeftProbeInput in = {.time_ns = s->time_ns, .buttons = s->buttons, .present = !pressed};
  in.pos = pressed ? m->held_pos : place(m, s->pos);
  in.rot = pressed ? m->held_rot : rotation(m, s->rot);
  if (!pressed) {
    in.vel = heft_vec3_scale(m->scale, heft_mat3_mul_vec(m->axes, s->vel));
    in.spin = heft_mat3_mul_vec(m->axes, s->spin);
  }
  return in;
}

HeftDeviceForce heft_mapping_force(const HeftMapping* m, const HeftDeviceForce* f) {
  HEFT_REQUIRE(m && f, ((HeftDeviceForce){0}));
  return (HeftDeviceForce){heft_vec3_scale(m->force_scale, heft_mat3_tmul_vec(m->axes, f->force)),
                           heft_vec3_scale(m->force_scale, heft_mat3_tmul_vec(m->axes, f->torque)),
                           f->grip};
}
