// SPDX-License-Identifier: Apache-2.0
// The local model: the force on a handle between two steps of the world.
//
// Held: a spring to a frame that continues with its velocity.
// Surface: a plane through the proxy. Below it the spring pushes along the normal,
//     f_n = max(0, k d + c (v_anchor - v) · n),   d = (anchor - x) · n,
// and along the surface it pulls towards the proxy, with at most µ f_n: the handle then slides.
//
// If the force differs from the force of the step, f₀, the touched body accelerates: after the time
// t its point is at a + v t - t²/2 W (f - f₀), where W is its mobility with its contacts. In the
// spring this is
//     (I + k t²/2 W) f = k (a + v t - x) + k t²/2 W f₀,
// a wall of stiffness k / (1 + k t²/2 w): hard if the body is static or heavy; if it is light, the
// softer the later the next step comes.
#include <heft/interact.h>
#include <math.h>

#include "base/assert.h"
#include "math/vec3_limit.h"

static const double ahead_max = 0.02;  // an anchor continues for this time [s]

static HeftVec3 surface_force(const HeftLocalModel* m, double yield, HeftVec3 stretch,
                              HeftVec3 slip) {
  const HeftVec3 n = m->normal;
  const double depth = heft_vec3_dot(stretch, n);
  if (!(depth > 0)) return heft_vec3(0, 0, 0);
  const double give = yield * heft_vec3_dot(n, heft_mat3_mul_vec(m->mobility, n));
  const double pressed = m->stiffness * depth + m->damping * heft_vec3_dot(slip, n);
  const double push = fmax(0, (pressed + give * heft_vec3_dot(m->force, n)) / (1 + give));
  const HeftVec3 along = heft_vec3_add_scaled(stretch, -depth, n);
  const double size = m->stiffness * heft_vec3_norm(along), max = m->friction * push;
  const double share = size > max ? (size > 0 ? max / size : 0) : 1;
  const HeftVec3 drag = heft_vec3_scale(share * m->stiffness, along);
  return heft_vec3_add_scaled(drag, push, n);
}

// x of (I + y W) x = b, symmetric and positive.
static HeftVec3 solve_yield(const HeftMat3* w, double yield, HeftVec3 b) {
  HeftMat3 a = heft_mat3_identity();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) a.m[i][k] += yield * w->m[i][k];
  const HeftVec3 r[3] = {heft_mat3_row(a, 0), heft_mat3_row(a, 1), heft_mat3_row(a, 2)};
  const HeftVec3 c[3] = {heft_vec3_cross(r[1], r[2]), heft_vec3_cross(r[2], r[0]),
                         heft_vec3_cross(r[0], r[1])};
  const double det = heft_vec3_dot(r[0], c[0]);
  HeftVec3 x = heft_vec3_scale(b.x / det, c[0]);
  x = heft_vec3_add_scaled(x, b.y / det, c[1]);
  return heft_vec3_add_scaled(x, b.z / det, c[2]);
}

static HeftVec3 spring_force(const HeftLocalModel* m, double yield, HeftVec3 stretch,
                             HeftVec3 slip) {
  const HeftVec3 f = heft_vec3_add_scaled(heft_vec3_scale(m->stiffness, stretch), m->damping, slip);
  if (!(yield > 0)) return f;
  const HeftVec3 kept = heft_vec3_scale(yield, heft_mat3_mul_vec(m->mobility, m->force));
  return solve_yield(&m->mobility, yield, heft_vec3_add(f, kept));
}

static double ahead_of(const HeftLocalModel* m, uint64_t now_ns) {
  const double age = (double)(int64_t)(now_ns - m->time_ns) * 1e-9;
  return fmin(fmax(age, 0), ahead_max);
}

HeftSpatial heft_local_moved(const HeftLocalModel* m, uint64_t now_ns) {
  HEFT_REQUIRE(m, ((HeftSpatial){0}));
  const double ahead = m->kind == HEFT_LOCAL_NONE ? 0 : ahead_of(m, now_ns);
  return (HeftSpatial){heft_vec3_add_scaled(m->moved.ang, ahead, m->spin),
                       heft_vec3_add_scaled(m->moved.lin, ahead, m->vel)};
}

HeftDeviceForce heft_local_model_force(const HeftLocalModel* m, uint64_t now_ns,
                                       const HeftDeviceSample* handle) {
  HEFT_REQUIRE(m && handle, ((HeftDeviceForce){0}));
  HeftDeviceForce f = {{0, 0, 0}, {0, 0, 0}, 0};
  if (m->kind == HEFT_LOCAL_NONE) return f;
  const double ahead = ahead_of(m, now_ns);
  const HeftVec3 anchor = heft_vec3_add_scaled(m->anchor, ahead, m->vel);
  const HeftVec3 stretch = heft_vec3_sub(anchor, handle->pos);
  const HeftVec3 slip = heft_vec3_sub(m->vel, handle->vel);
  const double yield = 0.5 * m->stiffness * ahead * ahead;
  if (m->kind == HEFT_LOCAL_SURFACE) {
    f.force = surface_force(m, yield, stretch, slip);
  } else {
    const HeftQuat turn = heft_quat_mul(heft_quat_exp(heft_vec3_scale(ahead, m->spin)), m->turn);
    const HeftVec3 way = heft_quat_log(heft_quat_mul(turn, heft_quat_conjugate(handle->rot)));
    f.force = spring_force(m, yield, stretch, slip);
    f.torque = heft_vec3_add_scaled(heft_vec3_scale(m->rotational_stiffness, way),
                                    m->rotational_damping, heft_vec3_sub(m->spin, handle->spin));
  }
  f.force = vec3_bounded(heft_vec3_add(f.force, m->steady), m->force_max);
  f.torque = vec3_bounded(f.torque, m->torque_max);
  return f;
}
