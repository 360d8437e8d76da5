// SPDX-License-Identifier: Apache-2.0
// Links as the world sees them.
#include "dynamics/links.h"

static void frames_of_group(void* arg, int worker, int index) {
  HeftDynamics* d = arg;
  const HeftTree* t = d->tree;
  (void)worker;
  for (int k = t->group[index].link; k < t->group[index + 1].link; ++k) {
    LinkPose* frame = &d->frame[k];
    *frame = d->pose[k];
    frame->pos = frame->pos + d->origin[t->link[k].root];
  }
}

const double* heft_link_frames(HeftDynamics* d) {
  d->frame[0] = d->pose[0];
  run_groups(d, frames_of_group, d);
  return (const double*)d->frame;
}

// (|v| + |ω| r)² <= 2 (|v|² + |ω|² r²)
int heft_links_are_slow(const HeftDynamics* d, const double* radius, double limit) {
  const double most = 0.5 * limit * limit;
  for (int k = 1; k < d->tree->nlink; ++k) {
    const Pair* v = &d->velocity[k];
    const double r = radius[k];
    const V4 lin = v->lin + v4_cross(v->ang, d->pose[k].pos);
    if (r > 0 && !(v4_dot3(lin, lin) + v4_dot3(v->ang, v->ang) * r * r <= most)) return 0;
  }
  return 1;
}

HeftSpatial heft_link_acceleration(const HeftDynamics* d, int link) {
  return heft_spatial(vec3_from_v4(d->acceleration[link].ang),
                      vec3_from_v4(d->acceleration[link].lin));
}

void heft_dynamics_refresh_tree(HeftDynamics* d) {
  d->tree = d->model->tree;
  if (d->deform) heft_deform_refresh(d->deform);
}

HeftMat3 heft_node_slides(const HeftModel* m, int link) {
  const double* quat = m->body_quat + 4L * m->tree->link[link].body;
  return heft_quat_to_mat3(heft_quat_normalize(heft_quat_from(quat)));
}
