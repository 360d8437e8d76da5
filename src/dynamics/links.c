// SPDX-License-Identifier: Apache-2.0
// Links as the world sees them.
#include "dynamics/links.h"

const double* heft_link_frames(HeftDynamics* d) {
  const HeftTree* t = d->tree;
  for (int k = 0; k < t->nlink; ++k) {
    LinkPose* frame = &d->frame[k];
    *frame = d->pose[k];
    frame->pos = frame->pos + d->origin[t->link[k].root];
  }
  return (const double*)d->frame;
}

HeftSpatial heft_link_acceleration(const HeftDynamics* d, int link) {
  return heft_spatial(vec3_from_v4(d->acceleration[link].ang),
                      vec3_from_v4(d->acceleration[link].lin));
}

void heft_dynamics_refresh_tree(HeftDynamics* d) { d->tree = d->model->tree; }
