// SPDX-License-Identifier: Apache-2.0
// What js/lib/heft.js needs beside the public functions: a hook that calls JavaScript, and loops over bodies and
// shapes, which would be slow from there.
#include <heft/heft.h>
#include <heft/io.h>

#define IMPORT(name) __attribute__((import_module("heft"), import_name(name)))

/// JavaScript stores the warning.
IMPORT("warning") void heft_js_warn(void* user, const HeftError* error, int count);

HeftWarningHook* heft_js_warning_hook(void);
HeftWarningHook* heft_js_warning_hook(void) { return heft_js_warn; }

static void put_pose(HeftPose pose, double out[12]) {
  const double* rot = &pose.rot.m[0][0];
  out[0] = pose.pos.x, out[1] = pose.pos.y, out[2] = pose.pos.z;
  for (int k = 0; k < 9; ++k) out[3 + k] = rot[k];
}

/// Poses of all bodies (nbody x 12): position, rotation matrix row by row.
void heft_js_body_poses(const HeftWorld* world, double* out);
void heft_js_body_poses(const HeftWorld* world, double* out) {
  const HeftDynamics* dynamics = heft_world_dynamics(world);
  const HeftModel* model = heft_world_model(world);
  for (int i = 0; i < model->nbody; ++i)
    put_pose(heft_dynamics_body_pose(dynamics, i), out + 12 * i);
}

/// The same for all shapes (nshape x 12).
void heft_js_shape_poses(const HeftWorld* world, double* out);
void heft_js_shape_poses(const HeftWorld* world, double* out) {
  const HeftDynamics* dynamics = heft_world_dynamics(world);
  const HeftModel* model = heft_world_model(world);
  for (int i = 0; i < model->nshape; ++i) {
    const double *p = model->shape_pos + 3 * i, *q = model->shape_quat + 4 * i;
    const HeftQuat quat = {q[0], q[1], q[2], q[3]};
    const HeftPose local = {heft_quat_to_mat3(quat), heft_vec3(p[0], p[1], p[2])};
    const HeftPose body = heft_dynamics_body_pose(dynamics, model->shape_body[i]);
    put_pose(heft_pose_mul(body, local), out + 12 * i);
  }
}
