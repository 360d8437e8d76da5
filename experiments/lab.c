// SPDX-License-Identifier: Apache-2.0
// The laboratory: opening models, perturbed starts, logs and claims.
#include "experiments/lab.h"

#include <heft/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"

static int trouble(Lab* lab, const char* what, const char* which) {
  snprintf(lab->error, sizeof lab->error, "%.120s %.480s", what, which);
  return 0;
}

Lab lab_make(const char* folder) {
  Lab lab = {.folder = folder, .def = heft_world_def_default()};
  lab.def.tolerance = 3e-7;  // the certificate should stay below 1e-6, not on it
  return lab;
}

// ---- names

int lab_body(Lab* lab, const char* name) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_BODY, name);
  if (i < 0) trouble(lab, "the model has no body", name);
  return i;
}

int lab_dof(Lab* lab, const char* joint) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_JOINT, joint);
  if (i < 0) trouble(lab, "the model has no joint", joint);
  return i < 0 ? 0 : lab->model->joint_dof[i];
}

void lab_set_joint(Lab* lab, const char* joint, double angle) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_JOINT, joint);
  if (i < 0) {
    trouble(lab, "the model has no joint", joint);
    return;
  }
  lab->start[lab->model->joint_q[i]] = angle;
}

// ---- the start

// A perturbed start: the root moved by up to 2 mm and turned by up to 1 degree, as if it had been
// put down by hand.
static void perturb(Lab* lab) {
  const HeftModel* m = lab->model;
  if (lab->seed == 0 || m->njoint == 0 || m->joint_type[0] != HEFT_JOINT_FREE) return;
  Random random = {lab->seed};
  double* q = lab->start + m->joint_q[0];
  for (int k = 0; k < 3; ++k) q[k] += random_between(&random, -0.002, 0.002);
  const HeftQuat turn = heft_quat_from_axis_angle(random_direction(&random), HEFT_PI / 180);
  const HeftQuat is = heft_quat_mul(turn, heft_quat(q[3], q[4], q[5], q[6]));
  q[3] = is.w;
  q[4] = is.x;
  q[5] = is.y;
  q[6] = is.z;
  for (int i = 1; i < m->njoint; ++i)
    if (m->joint_type[i] == HEFT_JOINT_HINGE && m->dof_stiffness[m->joint_dof[i]] == 0 &&
        m->body_parent[m->joint_body[i]] > 0)
      lab->start[m->joint_q[i]] += random_between(&random, -1, 1) * 0.25 * HEFT_PI / 180;
}

// Height of the lowest corner of a box shape.
static double lowest_corner(const HeftDynamics* d, const HeftModel* m, int shape) {
  const double *size = m->shape_size + 3L * shape, *quat = m->shape_quat + 4L * shape;
  const HeftPose x = heft_pose_mul(heft_body_pose(d, m->shape_body[shape]),
                                   heft_pose(heft_vec3_from(m->shape_pos + 3L * shape),
                                             heft_quat(quat[0], quat[1], quat[2], quat[3])));
  double low = (double)INFINITY;
  for (int k = 0; k < 8; ++k) {
    const HeftVec3 corner = heft_vec3(k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1],
                                      k & 4 ? size[2] : -size[2]);
    low = fmin(low, heft_pose_apply(x, corner).z);
  }
  return low;
}

static int put(Lab* lab) {
  HeftState* state = NULL;
  if (heft_state_create(&state, lab->model, NULL, NULL) != HEFT_OK) return 0;
  memcpy(state->q, lab->start, (size_t)lab->model->nq * sizeof(double));
  const int taken = heft_world_set_state(lab->world, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken;
}

int lab_place(Lab* lab) {
  const HeftModel* m = lab->model;
  HeftDynamics* d = NULL;
  const int soles[2] = {heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole"),
                        heft_model_find(m, HEFT_NAMED_SHAPE, "right_sole")};
  if (soles[0] >= 0 && soles[1] >= 0) {
    if (heft_dynamics_create(&d, m, NULL, NULL) != HEFT_OK) return trouble(lab, "no", "memory");
    heft_kinematics(d, lab->start);
    lab->start[m->joint_q[0] + 2] -=
        fmin(lowest_corner(d, m, soles[0]), lowest_corner(d, m, soles[1]));
    heft_dynamics_destroy(d);
  }
  if (!put(lab)) return trouble(lab, "the start", "is not sound");
  if (lab->biped) heft_biped_stand(lab->biped, lab->start, &lab->goal);
  return 1;
}

static int load(Lab* lab, const char* file) {
  char path[600];
  HeftError error = {0};
  HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%.400s/%.100s", lab->folder, file);
  if (heft_load_file(&lab->model, path, &def, &error) == HEFT_OK) return 1;
  return trouble(lab, path, error.message);
}

int lab_open(Lab* lab, const char* file, const LabAngle* angles) {
  lab_close(lab);
  if (!load(lab, file)) return 0;
  const HeftModel* m = lab->model;
  HeftError error = {0};
  if (heft_world_create(&lab->world, m, &lab->def, &error) != HEFT_OK)
    return trouble(lab, "no world:", error.message);
  if (heft_biped_create(&lab->biped, m, NULL, &error) != HEFT_OK) lab->biped = NULL;
  lab->start = calloc((size_t)m->nq, sizeof(double));
  lab->work = calloc((size_t)m->nq, sizeof(double));
  if (!lab->start || !lab->work) return trouble(lab, "no", "memory");
  lab->gravity = -m->physics.gravity[2];
  memcpy(lab->start, m->q_default, (size_t)m->nq * sizeof(double));
  for (const LabAngle* a = angles; a && a->joint; ++a) lab_set_joint(lab, a->joint, a->angle);
  perturb(lab);
  return lab->error[0] == 0 && lab_place(lab);
}

void lab_close(Lab* lab) {
  heft_biped_destroy(lab->biped);
  heft_world_destroy(lab->world);
  heft_model_destroy(lab->model);
  free(lab->start);
  free(lab->work);
  lab->biped = NULL;
  lab->world = NULL;
  lab->model = NULL;
  lab->start = lab->work = NULL;
}

void lab_release(Lab* lab) {
  lab_close(lab);
  free(lab->log.data);
  lab->log.data = NULL;
}

// ---- stepping

HeftStepReport lab_step_alone(Lab* lab) {
  const HeftStepReport r = heft_world_step(lab->world);
  ++lab->steps;
  lab->worst_relative = fmax(lab->worst_relative, r.relative);
  lab->worst_residual = fmax(lab->worst_residual, r.residual);
  lab->uncertified += !(r.relative < 1e-6);
  lab->troubled += r.status != HEFT_STEP_SOLVED;
  return r;
}

HeftStepReport lab_step(Lab* lab) {
  if (lab->biped) heft_biped_step(lab->biped, &lab->goal, lab->world);
  return lab_step_alone(lab);
}

double lab_time(const Lab* lab) { return *heft_world_state(lab->world)->time; }

int lab_upright(const Lab* lab) {
  const int z = lab->model->joint_q[0] + 2;
  const double now = heft_world_state(lab->world)->q[z];
  return lab->troubled == 0 && now > 0.5 * lab->start[z];
}

double lab_foot_force(const Lab* lab, int side, HeftVec3* force) {
  const int foot =
      heft_model_find(lab->model, HEFT_NAMED_BODY, side == 0 ? "left_foot" : "right_foot");
  const HeftVec3 f = heft_world_contact_wrench(lab->world, foot, heft_vec3(0, 0, 0)).lin;
  if (force) *force = f;
  return f.z;
}

// ---- log and claims

void lab_channels(Lab* lab, int count, const char* const* names) {
  LabLog* log = &lab->log;
  log->channel_count = count < LAB_CHANNELS_MOST ? count : LAB_CHANNELS_MOST;
  log->rows = log->room = 0;
  free(log->data);
  log->data = NULL;
  for (int i = 0; i < log->channel_count; ++i)
    snprintf(log->name[i], sizeof log->name[i], "%s", names[i]);
}

void lab_log(Lab* lab, const double* values) {
  LabLog* log = &lab->log;
  if (log->rows == log->room) {
    const int room = log->room ? 2 * log->room : 1024;
    double* more = realloc(log->data, (size_t)room * (size_t)log->channel_count * sizeof(double));
    if (!more) return;
    log->data = more;
    log->room = room;
  }
  memcpy(log->data + (long)log->rows * log->channel_count, values,
         (size_t)log->channel_count * sizeof(double));
  ++log->rows;
}

double lab_value(const Lab* lab, int row, int channel) {
  return lab->log.data[(long)row * lab->log.channel_count + channel];
}

void lab_claim(Lab* lab, int holds, const char* claim, const char* where, const char* format, ...) {
  if (lab->claims == LAB_CLAIMS_MOST) return;
  LabClaim* c = &lab->claim[lab->claims++];
  snprintf(c->claim, sizeof c->claim, "%s", claim);
  snprintf(c->where, sizeof c->where, "%s", where);
  va_list args;
  va_start(args, format);
  vsnprintf(c->figure, sizeof c->figure, format, args);
  va_end(args);
  c->holds = holds;
  lab->failed += !holds;
}

void lab_claim_certificate(Lab* lab) {
  lab_claim(lab, lab->uncertified == 0 && lab->troubled == 0,
            "the certificate of the exact model stays below 1e-6", "exact model",
            "worst %.1e of %ld steps", lab->worst_relative, lab->steps);
}
