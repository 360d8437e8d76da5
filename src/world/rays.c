// SPDX-License-Identifier: Apache-2.0
// Bundles of rays at the present state of a world: depth cameras, lidars, feelers. A bundle is
// given in the frame of a body, site or camera; each of its rays is one query of the collider.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/links.h"
#include "world/constraints.h"
#include "world/world_internal.h"

static HeftStatus check_rays(const HeftModel* m, const HeftRays* rays, HeftError* error) {
  if (rays->count < 0 || (rays->count > 0 && !rays->direction))
    return heft_error_set(error, HEFT_ERR_VALUE, "%d rays, expected 0 or more with directions",
                          rays->count);
  if (rays->frame != HEFT_NAMED_BODY && rays->frame != HEFT_NAMED_SITE &&
      rays->frame != HEFT_NAMED_CAMERA)
    return heft_error_set(error, HEFT_ERR_VALUE, "frame of rays: expected a body, site or camera");
  if (rays->index < 0 || rays->index >= heft_model_named_count(m, rays->frame))
    return heft_error_set(error, HEFT_ERR_VALUE, "frame of rays: number %d, but the model has %d",
                          rays->index, heft_model_named_count(m, rays->frame));
  if (!(rays->max_distance > 0))
    return heft_error_set(error, HEFT_ERR_VALUE, "max_distance: expected more than 0, got %g",
                          rays->max_distance);
  for (int i = 0; i < rays->count; ++i) {
    const HeftVec3 d = heft_vec3_from(rays->direction + 3L * i);
    const HeftVec3 o = rays->from ? heft_vec3_from(rays->from + 3L * i) : heft_vec3(0, 0, 0);
    if (!(fabs(heft_vec3_dot(d, d) - 1) < 1e-7) || !isfinite(o.x + o.y + o.z))
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "ray %d: expected a finite origin and a direction of length 1", i);
  }
  return HEFT_OK;
}

static HeftPose frame_of(const HeftDynamics* d, const HeftRays* rays) {
  return rays->frame == HEFT_NAMED_BODY   ? heft_dynamics_body_pose(d, rays->index)
         : rays->frame == HEFT_NAMED_SITE ? heft_dynamics_site_pose(d, rays->index)
                                          : heft_dynamics_camera_pose(d, rays->index);
}

HeftStatus heft_world_rays(HeftWorld* w, const HeftRays* rays, double* distance, int* shape,
                           double* normal, HeftError* error) {
  HEFT_REQUIRE(w && rays && distance, HEFT_ERR_ARGUMENT);
  const HeftStatus status = check_rays(w->model, rays, error);
  if (status != HEFT_OK) return status;
  HeftCollider* collider = w->constraints->collider;
  const HeftPose frame = frame_of(w->dynamics, rays);
  heft_collider_update_links(collider, heft_link_frames(w->dynamics));
  for (int i = 0; i < rays->count; ++i) {
    const HeftVec3 from =
        rays->from ? heft_pose_apply(frame, heft_vec3_from(rays->from + 3L * i)) : frame.pos;
    const HeftVec3 way = heft_mat3_mul_vec(frame.rot, heft_vec3_from(rays->direction + 3L * i));
    const HeftRayHit hit = heft_collider_ray(collider, from, way, rays->max_distance, rays->filter);
    distance[i] = hit.shape >= 0 ? hit.distance : HUGE_VAL;
    if (shape) shape[i] = hit.shape;
    if (normal) memcpy(normal + 3L * i, &hit.normal, sizeof hit.normal);
  }
  return HEFT_OK;
}
