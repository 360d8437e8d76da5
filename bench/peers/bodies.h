// SPDX-License-Identifier: Apache-2.0
// Scenes of free bodies for engines that do not read MJCF: Heft's reader, and what is not possible
// said in words. C and C++.
#ifndef HEFT_BENCH_BODIES_H
#define HEFT_BENCH_BODIES_H

#include <heft/dynamics.h>
#include <heft/io.h>

#include "peer.h"

static HeftModel* bodies_model;
static char bodies_reason[200];

// A quaternion turns a vector.
static inline void bodies_turn(const double q[4], const double v[3], double out[3]) {
  const HeftVec3 x = heft_quat_rotate(heft_quat_from(q), heft_vec3_from(v));
  out[0] = x.x;
  out[1] = x.y;
  out[2] = x.z;
}

static inline int bodies_free(const HeftModel* m, int body) {
  return m->body_parent[body] == 0 && m->body_joint_count[body] == 1 &&
         m->joint_type[m->body_joint[body]] == HEFT_JOINT_FREE;
}

// NULL, or why the scene is not one of free bodies.
static inline const char* bodies_load(const char* path, const PeerSettings* s) {
  HeftError error = {};
  HeftLoadDef def = heft_load_def_default();
  def.hulls = false;  // meshes are triangles, for engines that have them
  if (heft_model_load_file(&bodies_model, path, &def, &error) != HEFT_OK) {
    snprintf(bodies_reason, sizeof bodies_reason, "%.180s", error.message);
    return bodies_reason;
  }
  HeftModel* m = bodies_model;
  for (int i = 1; i < m->nbody; ++i) {
    const double* inertia = m->body_inertia + 6L * i;
    if (!bodies_free(m, i)) return "free bodies only";
    if (fabs(inertia[3]) + fabs(inertia[4]) + fabs(inertia[5]) > 1e-12 * inertia[0])
      return "moments along the body's axes only";
  }
  for (int i = 0; i < m->nmaterial; ++i) {
    if (!isnan(s->friction)) m->material_friction[i] = s->friction;
    if (!isnan(s->restitution)) m->material_restitution[i] = s->restitution;
  }
  for (int i = 0; i < 3; ++i) {
    if (!isnan(s->gravity[i])) m->physics.gravity[i] = s->gravity[i];
  }
  if (!isnan(s->step)) m->physics.time_step = s->step;
  return NULL;
}

static inline int bodies_collides(const HeftModel* m, int shape) {
  return m->shape_category[shape] != 0 || m->shape_collides[shape] != 0;
}

// Between a body's frame (x) and its centre of mass (c), both as position, quaternion, velocity,
// angular velocity.
static inline void bodies_to_com(int body, const double x[13], double c[13]) {
  double arm[3];
  bodies_turn(x + 3, bodies_model->body_com + 3L * body, arm);
  memcpy(c, x, 13 * sizeof *c);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] += arm[i];
    c[7 + i] += x[10 + j] * arm[k] - x[10 + k] * arm[j];
  }
}

static inline void bodies_from_com(int body, const double c[13], double x[13]) {
  double arm[3];
  bodies_turn(c + 3, bodies_model->body_com + 3L * body, arm);
  memmove(x, c, 13 * sizeof *c);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    x[i] -= arm[i];
    x[7 + i] -= c[10 + j] * arm[k] - c[10 + k] * arm[j];
  }
}

#endif
