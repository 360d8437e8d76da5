// SPDX-License-Identifier: Apache-2.0
// Heft as an engine under test.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "validation/engine.h"

EngineSettings engine_settings(void) {
  const double as_in_file = (double)NAN;
  return (EngineSettings){.gravity = {as_in_file, as_in_file, as_in_file},
                          .friction = as_in_file,
                          .kinetic = as_in_file,
                          .restitution = as_in_file,
                          .step = as_in_file,
                          .tolerance = 1e-12};
}

// A loaded model is not shared here, so that its numbers may be changed before the world is
// created.
static void adjust(HeftModel* m, const EngineSettings* s) {
  for (int i = 0; i < 3; ++i) {
    if (!isnan(s->gravity[i])) m->physics.gravity[i] = s->gravity[i];
  }
  if (!isnan(s->step)) m->physics.time_step = s->step;
  for (int i = 0; i < m->nmaterial; ++i) {
    if (!isnan(s->friction)) m->material_friction[i] = m->material_kinetic[i] = s->friction;
    if (!isnan(s->kinetic)) m->material_kinetic[i] = s->kinetic;
    if (!isnan(s->restitution)) m->material_restitution[i] = s->restitution;
  }
}

static int heft_open(Engine* e, const char* path, const EngineSettings* s) {
  HeftError error = {0};
  HeftLoadDef load = heft_load_def_default();
  HeftWorldDef def = heft_world_def_default();
  load.hulls = !s->triangles;
  load.soft_contacts = s->soft_contacts != 0;
  if (s->pieces) load.limits.work = (double)INFINITY;
  def.tolerance = s->tolerance;
  if (s->rk4) def.integrator = HEFT_INTEGRATOR_RK4;
  e->push_count = 0;
  e->worst_relative = 0;
  if (heft_model_load_file(&e->model, path, &load, &error) == HEFT_OK) {
    adjust(e->model, s);
    e->step = e->model->physics.time_step;
    if (heft_world_create(&e->world, e->model, &def, &error) == HEFT_OK) return 1;
  }
  snprintf(e->reason, sizeof e->reason, "%.150s", error.message);
  heft_model_destroy(e->model);
  e->model = NULL;
  return 0;
}

static void heft_close(Engine* e) {
  heft_world_destroy(e->world);
  heft_model_destroy(e->model);
  e->world = NULL;
  e->model = NULL;
}

static int heft_read(Engine* e, int body, EngineBody* out) {
  const HeftDynamics* d = heft_world_dynamics(e->world);
  const HeftPose pose = heft_dynamics_body_pose(d, body);
  const HeftSpatial twist = heft_dynamics_body_velocity(d, body, pose.pos);
  *out = (EngineBody){
      .pos = pose.pos, .quat = heft_quat_from_mat3(pose.rot), .vel = twist.lin, .omega = twist.ang};
  return 1;
}

static int heft_place(Engine* e, int body, const EngineBody* in) {
  const HeftModel* m = e->model;
  const int joint = m->body_joint[body];
  HeftState* state = NULL;
  if (m->body_joint_count[body] != 1 || m->joint_type[joint] != HEFT_JOINT_FREE) return 0;
  if (heft_state_create(&state, m, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(state, heft_world_state(e->world));
  double *q = state->q + m->joint_q[joint], *v = state->v + m->joint_dof[joint];
  const HeftVec3 spin = heft_quat_rotate(heft_quat_conjugate(in->quat), in->omega);
  const double placed[7] = {in->pos.x,  in->pos.y,  in->pos.z, in->quat.w,
                            in->quat.x, in->quat.y, in->quat.z};
  const double moving[6] = {in->vel.x, in->vel.y, in->vel.z, spin.x, spin.y, spin.z};
  memcpy(q, placed, sizeof placed);
  memcpy(v, moving, sizeof moving);
  const int taken = heft_world_set_state(e->world, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken;
}

static int heft_push(Engine* e, int body, HeftVec3 force) {
  int i = 0;
  while (i < e->push_count && e->pushes[i].body != body) ++i;
  if (i == ENGINE_PUSHES) return 0;
  if (i == e->push_count) ++e->push_count;
  e->pushes[i].body = body;
  e->pushes[i].force = force;
  return 1;
}

static int heft_step(Engine* e, int count) {
  for (int n = 0; n < count; ++n) {
    const HeftDynamics* d = heft_world_dynamics(e->world);
    for (int i = 0; i < e->push_count; ++i) {
      const int body = e->pushes[i].body;
      const HeftVec3 com = heft_pose_apply(heft_dynamics_body_pose(d, body),
                                           heft_vec3_from(e->model->body_com + 3L * body));
      heft_world_apply_wrench(e->world, body, com, e->pushes[i].force, heft_vec3(0, 0, 0));
    }
    e->report = heft_world_step(e->world);
    e->worst_relative = fmax(e->worst_relative, e->report.relative);
    if (!heft_step_taken(e->report.status)) return 0;
  }
  return 1;
}

static int heft_force(Engine* e, int a, int b, HeftVec3* out) {
  *out = heft_vec3(0, 0, 0);
  for (int i = 0; i < heft_world_contact_count(e->world); ++i) {
    const HeftContact c = heft_world_contact(e->world, i);
    if (c.body_a == a && c.body_b == b) *out = heft_vec3_add(*out, c.force);
    if (c.body_a == b && c.body_b == a) *out = heft_vec3_sub(*out, c.force);
  }
  return 1;
}

static int heft_spin(Engine* e, const double* v, int count) {
  return heft_world_set_v(e->world, 0, v, count, NULL) == HEFT_OK;
}

static int heft_energy(Engine* e, double out[2]) {
  const HeftDynamics* d = heft_world_dynamics(e->world);
  const HeftState* state = heft_world_state(e->world);
  out[0] = heft_dynamics_kinetic_energy(d, state->v);
  out[1] = heft_dynamics_potential_energy(d, state->q);
  return 1;
}

const EngineType engine_heft = {heft_open, heft_close, heft_read, heft_place, heft_push,
                                heft_step, heft_force, heft_spin, heft_energy};
