// SPDX-License-Identifier: Apache-2.0
// Links as the world sees them.
#include "dynamics/links.h"

#include "dynamics/workspace.h"

int heft_link_count(const HeftModel* model) { return model->tree->nlink; }
int heft_body_link(const HeftModel* model, int body) { return model->tree->body_link[body]; }
int heft_link_root(const HeftModel* model, int link) { return model->tree->link[link].root; }
int heft_link_body(const HeftModel* model, int link) { return model->tree->link[link].body; }
int heft_link_parent(const HeftModel* model, int link) { return model->tree->link[link].parent; }
int heft_link_q(const HeftModel* model, int link) { return model->tree->link[link].q; }
int heft_link_dof(const HeftModel* model, int link) { return model->tree->link[link].dof; }
int heft_link_dof_count(const HeftModel* model, int link) {
  return model->tree->link[link].dof_count;
}
int heft_link_q_count(const HeftModel* model, int link) { return model->tree->link[link].q_count; }
const double* heft_factor_pivots(const HeftDynamics* d) { return d->inverse_d; }
double heft_link_mass(const HeftModel* model, int link) { return model->tree->link[link].mass; }
int heft_dof_is_free(const HeftModel* model, int dof) {
  return model->tree->link[model->tree->dof_link[dof]].kind == LINK_FREE;
}
int heft_dof_root(const HeftModel* model, int dof) {
  return model->tree->link[model->tree->dof_link[dof]].root;
}

const double* heft_link_frames(HeftDynamics* d) {
  const HeftTree* t = d->tree;
  for (int k = 0; k < t->nlink; ++k) {
    LinkPose* frame = &d->frame[k];
    *frame = d->pose[k];
    frame->pos = frame->pos + d->origin[t->link[k].root];
  }
  return (const double*)d->frame;
}

HeftSpatial heft_link_velocity(const HeftDynamics* d, int link) {
  return heft_spatial(vec3_from_v4(d->velocity[link].ang), vec3_from_v4(d->velocity[link].lin));
}

HeftSpatial heft_link_acceleration(const HeftDynamics* d, int link) {
  return heft_spatial(vec3_from_v4(d->acceleration[link].ang),
                      vec3_from_v4(d->acceleration[link].lin));
}
