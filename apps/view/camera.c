// SPDX-License-Identifier: Apache-2.0
// A camera on a sphere around its target, or fixed to a body of the model.
#include <heft/view.h>

#include "math/scalar.h"

static HeftVec3 back_of(const HeftCamera* c) {
  double sa, ca, se, ce;
  heft_sincos(c->azimuth, &sa, &ca);
  heft_sincos(c->elevation, &se, &ce);
  return heft_vec3(ce * ca, ce * sa, se);
}

HeftVec3 heft_camera_eye(const HeftCamera* camera) {
  if (camera->fixed) return camera->pose.pos;
  return heft_vec3_add_scaled(camera->target, camera->distance, back_of(camera));
}

HeftPose heft_camera_pose(const HeftCamera* camera) {
  if (camera->fixed) return camera->pose;
  double sa, ca;
  heft_sincos(camera->azimuth, &sa, &ca);
  const HeftVec3 back = back_of(camera), right = heft_vec3(-sa, ca, 0);
  HeftPose pose = {heft_mat3_from_columns(right, heft_vec3_cross(back, right), back),
                   heft_camera_eye(camera)};
  return pose;
}

void heft_camera_orbit(HeftCamera* camera, double dx, double dy) {
  camera->fixed = 0;
  camera->azimuth -= HEFT_PI * dx;
  camera->azimuth -= 2 * HEFT_PI * floor(camera->azimuth / (2 * HEFT_PI) + 0.5);
  camera->elevation = heft_clamp(camera->elevation + HEFT_PI * dy, -1.55, 1.55);
}

void heft_camera_pan(HeftCamera* camera, double dx, double dy) {
  camera->fixed = 0;
  const HeftPose pose = heft_camera_pose(camera);
  double s, c;
  heft_sincos(0.5 * camera->fov, &s, &c);
  const double height = 2 * camera->distance * s / c;
  camera->target =
      heft_vec3_add_scaled(camera->target, -dx * height, heft_mat3_column(pose.rot, 0));
  camera->target = heft_vec3_add_scaled(camera->target, dy * height, heft_mat3_column(pose.rot, 1));
}

void heft_camera_zoom(HeftCamera* camera, double factor) {
  camera->fixed = 0;
  camera->distance = heft_clamp(camera->distance * factor, 1e-3, 1e4);
}

HeftVec3 heft_camera_ray(const HeftCamera* camera, double x, double y, double aspect) {
  double s, c;
  heft_sincos(0.5 * camera->fov, &s, &c);
  const double t = s / c;
  return heft_vec3_normalize(heft_mat3_mul_vec(
      heft_camera_pose(camera).rot,
      heft_vec3((x - camera->shift[0]) * t * aspect, (y - camera->shift[1]) * t, -1)));
}

double heft_camera_project(const HeftCamera* camera, HeftVec3 point, double aspect, double* x,
                           double* y) {
  double s, c;
  heft_sincos(0.5 * camera->fov, &s, &c);
  const HeftVec3 p = heft_pose_apply_inverse(heft_camera_pose(camera), point);
  const double depth = -p.z, scale = c / (s * (fabs(depth) > 1e-9 ? depth : 1e-9));
  *x = p.x * scale / aspect + camera->shift[0];
  *y = p.y * scale + camera->shift[1];
  return depth;
}

HeftCamera heft_model_camera(const HeftModel* model, int camera, const HeftDynamics* dynamics) {
  return (HeftCamera){.fixed = 1,
                      .fov = model->camera_fov[camera],
                      .distance = 1,
                      .pose = heft_dynamics_camera_pose(dynamics, camera)};
}
