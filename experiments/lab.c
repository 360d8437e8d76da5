// SPDX-License-Identifier: Apache-2.0
// The laboratory: opening models, perturbed starts, logs and claims.
#define _POSIX_C_SOURCE 200809L
#include "experiments/lab.h"

#include <heft/access.h>
#include <heft/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "examples/controller/balance.h"
#include "scenes/random.h"

static int trouble(Lab* lab, const char* what, const char* which) {
  snprintf(lab->error, sizeof lab->error, "%.120s %.480s", what, which);
  return 0;
}

Lab lab_make(const char* folder) {
  Lab lab = {.folder = folder, .def = heft_world_def_default()};
  lab.def.effort_max = 20000;
  lab.def.tolerance = 3e-7;  // keeps the residual below 1e-6
  for (int i = 0; i < LAB_USERS; ++i) lab.person[i].body = -1;
  return lab;
}

// ---- names

int lab_body(Lab* lab, const char* name) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_BODY, name);
  if (i < 0) trouble(lab, "the model has no body", name);
  return i;
}

int lab_root(const Lab* lab, int body) {
  while (body > 0 && lab->model->body_parent[body] > 0) body = lab->model->body_parent[body];
  return body;
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

void lab_set_ball(Lab* lab, const char* joint, HeftQuat turn) {
  const int i = heft_model_find(lab->model, HEFT_NAMED_JOINT, joint);
  if (i < 0) {
    trouble(lab, "the model has no joint", joint);
    return;
  }
  double* q = lab->start + lab->model->joint_q[i];
  q[0] = turn.w;
  q[1] = turn.x;
  q[2] = turn.y;
  q[3] = turn.z;
}

// ---- the start

// A perturbed start: the root is moved by up to 2 mm and rotated by up to 1 degree.
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
  const HeftPose x =
      heft_pose_mul(heft_dynamics_body_pose(d, m->shape_body[shape]),
                    heft_pose(heft_vec3_from(m->shape_pos + 3L * shape), heft_quat_from(quat)));
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
    heft_dynamics_kinematics(d, lab->start);
    lab->start[m->joint_q[0] + 2] -=
        fmin(lowest_corner(d, m, soles[0]), lowest_corner(d, m, soles[1]));
    heft_dynamics_destroy(d);
  }
  for (int k = 0; k < LAB_POSES_MAX; ++k)
    memcpy(lab->pose[k], lab->start, (size_t)m->nq * sizeof(double));
  if (!put(lab)) return trouble(lab, "the initial state", "is not valid");
  if (lab->biped) heft_biped_stand(lab->biped, lab->start, &lab->goal);
  return 1;
}

int lab_raise(Lab* lab, double up) {
  HeftState* state = NULL;
  if (heft_state_create(&state, lab->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(state, heft_world_state(lab->world));
  state->q[lab->model->joint_q[0] + 2] += up;
  const int taken = heft_world_set_state(lab->world, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken;
}

static int load(Lab* lab, const char* file) {
  char path[600];
  HeftError error = {0};
  HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "%.400s/%.100s", lab->folder, file);
  if (heft_model_load_file(&lab->model, path, &def, &error) == HEFT_OK) return 1;
  return trouble(lab, path, error.message);
}

char* lab_read(Lab* lab, const char* file) {
  char path[600], *text = NULL;
  long size = -1;
  snprintf(path, sizeof path, "%.400s/%.100s", lab->folder, file);
  FILE* f = fopen(path, "rb");
  if (f && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  if (size >= 0) text = calloc((size_t)size + 1, 1);
  if (text && (fseek(f, 0, SEEK_SET) != 0 || fread(text, 1, (size_t)size, f) != (size_t)size)) {
    free(text);
    text = NULL;
  }
  if (f) fclose(f);
  if (!text) trouble(lab, "cannot read", path);
  return text;
}

// One allocation for all poses.
static int take_poses(Lab* lab) {
  const long nq = lab->model->nq;
  lab->start = calloc((size_t)((LAB_POSES_MAX + 3) * nq), sizeof(double));
  if (!lab->start) return 0;
  for (int k = 0; k < LAB_POSES_MAX; ++k) lab->pose[k] = lab->start + (k + 1) * nq;
  lab->posture = lab->start + (LAB_POSES_MAX + 1) * nq;
  lab->rate = lab->start + (LAB_POSES_MAX + 2) * nq;
  return 1;
}

// Creates a world of the loaded model and sets the initial pose.
static int start(Lab* lab, const LabAngle* angles) {
  const HeftModel* m = lab->model;
  HeftError error = {0};
  if (!lab->guest && heft_world_create(&lab->world, m, &lab->def, &error) != HEFT_OK)
    return trouble(lab, "the world cannot be created:", error.message);
  if (heft_biped_create(&lab->biped, m, NULL, &error) != HEFT_OK) lab->biped = NULL;
  if (!take_poses(lab) || heft_dynamics_create(&lab->sketch, m, NULL, NULL) != HEFT_OK)
    return trouble(lab, "no", "memory");
  lab->gravity = -m->physics.gravity[2];
  memcpy(lab->start, m->q_default, (size_t)m->nq * sizeof(double));
  for (const LabAngle* a = angles; a && a->joint; ++a) lab_set_joint(lab, a->joint, a->angle);
  perturb(lab);
  return lab->error[0] == 0 && lab_place(lab);
}

int lab_open(Lab* lab, const char* file, const LabAngle* angles) {
  lab_close(lab);
  return (lab->guest || load(lab, file)) && start(lab, angles);
}

int lab_open_text(Lab* lab, const char* text, const LabAngle* angles) {
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  lab_close(lab);
  if (heft_model_load_bytes(&lab->model, text, strlen(text), "text.xml", &def, &error) != HEFT_OK)
    return trouble(lab, "the model cannot be loaded:", error.message);
  return start(lab, angles);
}

void lab_close(Lab* lab) {
  heft_dynamics_destroy(lab->sketch);
  heft_biped_destroy(lab->biped);
  heft_biped_destroy(lab->second);
  heft_walk_destroy(lab->walk);
  heft_compliance_destroy(lab->compliance);
  heft_gaze_destroy(lab->gaze);
  heft_pose_solver_destroy(lab->poser);
  if (lab->balance) balance_close(lab->balance);
  free(lab->balance);
  free(lab->start);
  free(lab->motion);
  lab->motion = NULL;
  lab->motion_rows = 0;
  lab->compliance = NULL;
  lab->gaze = NULL;
  lab->poser = NULL;
  lab->balance = NULL;
  lab->sketch = NULL;
  lab->biped = lab->second = NULL;
  lab->walk = NULL;
  if (!lab->guest) {
    heft_world_destroy(lab->world);
    heft_model_destroy(lab->model);
    lab->world = NULL;
    lab->model = NULL;
  }
  lab->start = lab->posture = lab->rate = NULL;
}

void lab_release(Lab* lab) {
  lab_close(lab);
  free(lab->log.data);
  lab->log.data = NULL;
}

int lab_plan_walk(Lab* lab, const HeftWalkDef* def) {
  HeftError error = {0};
  heft_walk_destroy(lab->walk);
  lab->walk = NULL;
  return heft_walk_create(&lab->walk, def, &lab->goal, lab->gravity, &error) == HEFT_OK ||
         trouble(lab, "no walk can be planned:", error.message);
}

// ---- arms

double lab_arm(Lab* lab, int k, int side, HeftVec3 point, HeftVec3 pos, HeftQuat quat,
               double turn) {
  HeftPoseSolver* solver = NULL;
  const int shoulder = lab_body(lab, side ? "right_upper_arm" : "left_upper_arm");
  if (shoulder < 0 || heft_pose_solver_create(&solver, lab->model, shoulder, NULL, NULL) != HEFT_OK)
    return 1;
  const HeftPoseTarget t = {.body = lab_body(lab, side ? "right_hand" : "left_hand"),
                            .point = point,
                            .pos = pos,
                            .quat = quat,
                            .move = {1, 1, 1},
                            .turn = turn};
  const double left = heft_pose_solver_solve(solver, &t, 1, lab->pose[k]);
  heft_pose_solver_destroy(solver);
  return left;
}

void lab_move(Lab* lab, int from, int to, double start, double takes) {
  const HeftModel* m = lab->model;
  double s[3];
  heft_spline_smooth_step((lab_time(lab) - start) / takes, s);
  heft_q_difference(m, lab->pose[from], lab->pose[to], lab->rate);
  heft_q_integrate(m, lab->pose[from], lab->rate, s[0], lab->posture);
  for (int i = 0; i < m->nv; ++i) lab->rate[i] *= s[1] / takes;
  lab->goal.posture = lab->posture;
  lab->goal.posture_velocity = lab->rate;
}

void lab_follow(Lab* lab) {
  const int root = lab->model->joint_body[0];
  const int chest = heft_model_find(lab->model, HEFT_NAMED_BODY, "chest");
  heft_dynamics_kinematics(lab->sketch, lab->posture);
  heft_dynamics_velocities(lab->sketch, lab->rate);
  const HeftVec3 com = heft_dynamics_center_of_mass(lab->sketch, root);
  const double mass = heft_whole_body_mass(heft_biped_whole_body(lab->biped));
  lab->goal.com = com;
  lab->goal.com_velocity =
      heft_vec3_scale(1 / mass, heft_dynamics_momentum(lab->sketch, root, com).lin);
  lab->goal.pelvis = heft_quat_from_mat3(heft_dynamics_body_pose(lab->sketch, root).rot);
  if (chest > 0)
    lab->goal.chest = heft_quat_from_mat3(heft_dynamics_body_pose(lab->sketch, chest).rot);
}

void lab_follow_chest(Lab* lab, const double* posture) {
  const int chest = heft_model_find(lab->model, HEFT_NAMED_BODY, "chest");
  if (chest < 0) return;
  heft_dynamics_kinematics(lab->sketch, posture);
  const HeftPose root = heft_dynamics_body_pose(lab->sketch, lab->model->joint_body[0]),
                 at = heft_dynamics_body_pose(lab->sketch, chest);
  const HeftMat3 turn = heft_mat3_mul(heft_mat3_transpose(root.rot), at.rot);
  lab->goal.chest = heft_quat_mul(lab->goal.pelvis, heft_quat_from_mat3(turn));
}

// ---- stepping

void lab_note_step(Lab* lab, const HeftStepReport* r) {
  const HeftContactModel model = heft_world_contact_model(lab->world);
  ++lab->model_steps[model];
  lab->unsolved[model] += r->status != HEFT_STEP_SOLVED;
  if (lab->def.contact_model > HEFT_CONTACT_MODEL_EXACT) {
    lab->other_relative = fmax(lab->other_relative, r->relative);
    return;
  }
  ++lab->steps;
  lab->worst_relative = fmax(lab->worst_relative, r->relative);
  lab->worst_residual = fmax(lab->worst_residual, r->residual);
  lab->uncertified += !(r->relative < 1e-6);
  lab->troubled += !heft_step_taken(r->status);
}

HeftStepReport lab_step_alone(Lab* lab) {
  const HeftStepReport r = lab->step ? lab->step(lab) : heft_world_step(lab->world);
  lab_note_step(lab, &r);
  return r;
}

void lab_balance(Lab* lab) {
  if (lab->biped) heft_biped_step(lab->biped, &lab->goal, lab->world);
}

HeftStepReport lab_step(Lab* lab) {
  lab_balance(lab);
  return lab_step_alone(lab);
}

// Gains proportional to the max torque of a joint; dofs of a ball joint share theirs.
static void servo_gains(const HeftModel* m, double kp, double kv, double* p, double* v) {
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_transmission[i] != HEFT_TRANSMISSION_JOINT) continue;
    const int joint = m->actuator_target[i];
    const int count = heft_joint_type_dof_count((HeftJointType)m->joint_type[joint]);
    for (int k = 0; k < count; ++k) {
      if (m->actuator_gear[6L * i + k] == 0) continue;
      p[m->joint_dof[joint] + k] = kp * m->actuator_control_range[2L * i + 1];
      v[m->joint_dof[joint] + k] = kv * m->actuator_control_range[2L * i + 1];
    }
  }
}

void lab_servo(Lab* lab, double kp, double kv) {
  const HeftModel* m = lab->model;
  const HeftState* s = heft_world_state(lab->world);
  double* room = calloc((size_t)m->nv, 4 * sizeof(double));
  if (room) {
    double *p = room, *v = room + m->nv, *scratch = room + 2L * m->nv, *tau = room + 3L * m->nv;
    servo_gains(m, kp, kv, p, v);
    heft_pd_torques(m, p, v, lab->goal.posture, lab->goal.posture_velocity, NULL, s->q, s->v,
                    scratch, tau);
    heft_model_torques_to_controls(m, tau, heft_world_controls(lab->world));
  }
  free(room);
}

HeftStepReport lab_step_servo(Lab* lab, double kp, double kv) {
  lab_servo(lab, kp, kv);
  return lab_step_alone(lab);
}

double* lab_delassus_scratch(const Lab* lab, HeftDynamics* d, const double* q, int points) {
  const int nv = lab->model->nv;
  size_t size = 0;
  for (int k = 0; k < HEFT_DELASSUS_COUNT; ++k) {
    const size_t needed = heft_dynamics_delassus_scratch(d, (HeftDelassusMethod)k, points);
    if (needed > size) size = needed;
  }
  size = ((size + 8) * sizeof(double) + 63) / 64 * 64;
  double *scratch = aligned_alloc(64, size), *room = calloc((size_t)nv, 3 * sizeof(double));
  heft_dynamics_kinematics(d, q);
  heft_dynamics_crba(d);
  const int well = scratch && room && heft_dynamics_factor(d, NULL) == HEFT_OK;
  if (well) {
    heft_dynamics_aba(d, room, room + nv, room + 2L * nv);
    memset(scratch, 0, size);
  }
  free(room);
  if (well) return scratch;
  free(scratch);
  return NULL;
}

double lab_cpu_us(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

int lab_brief(Lab* lab) {
  lab->shortened |= lab->brief;
  return lab->brief;
}

double lab_time(const Lab* lab) { return *heft_world_state(lab->world)->time; }

int lab_upright(const Lab* lab) {
  const int z = lab->model->joint_q[0] + 2;
  const double now = heft_world_state(lab->world)->q[z];
  return now > 0.5 * lab->start[z] && now < 3 * lab->start[z];
}

HeftVec3 lab_com(const Lab* lab) {
  return heft_dynamics_center_of_mass(heft_world_dynamics(lab->world), lab->model->joint_body[0]);
}

double lab_eyes_off(const Lab* lab, HeftVec3 point) {
  const HeftPose eyes = heft_dynamics_site_pose(
      heft_world_dynamics(lab->world), heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze"));
  const HeftVec3 to = heft_vec3_normalize(heft_vec3_sub(point, eyes.pos));
  return heft_vec3_norm(heft_quat_log(heft_quat_between(heft_mat3_column(eyes.rot, 0), to)));
}

HeftSpatial lab_wrist_load(const Lab* lab, HeftVec3 about) {
  double f[3] = {0}, n[3] = {0};
  heft_world_sensor(lab->world, "right_wrist_force", f, 3, NULL);
  heft_world_sensor(lab->world, "right_wrist_torque", n, 3, NULL);
  const HeftPose x =
      heft_dynamics_site_pose(heft_world_dynamics(lab->world),
                              heft_model_find(lab->model, HEFT_NAMED_SITE, "right_wrist_sensor"));
  // Sensors have the force of the forearm on the hand.
  const HeftVec3 force = heft_vec3_scale(-1, heft_mat3_mul_vec(x.rot, heft_vec3_from(f))),
                 torque = heft_vec3_scale(-1, heft_mat3_mul_vec(x.rot, heft_vec3_from(n)));
  return (HeftSpatial){heft_vec3_add(torque, heft_vec3_cross(heft_vec3_sub(x.pos, about), force)),
                       force};
}

double lab_weight(const Lab* lab) {
  return heft_whole_body_mass(heft_biped_whole_body(lab->biped)) * lab->gravity;
}

double lab_foot_force(const Lab* lab, int side, HeftVec3* force) {
  static const char* const parts[2][2] = {{"left_foot", "left_toe"}, {"right_foot", "right_toe"}};
  HeftVec3 f = heft_vec3(0, 0, 0);
  for (int k = 0; k < 2; ++k) {
    const int body = heft_model_find(lab->model, HEFT_NAMED_BODY, parts[side][k]);
    if (body > 0)
      f = heft_vec3_add(f, heft_world_contact_wrench(lab->world, body, heft_vec3(0, 0, 0)).lin);
  }
  if (force) *force = f;
  return f.z;
}

double lab_pressure(const Lab* lab, HeftVec3* center) {
  HeftVec3 sum = heft_vec3(0, 0, 0);
  double force = 0;
  for (int side = 0; side < 2; ++side) {
    const int foot =
        heft_model_find(lab->model, HEFT_NAMED_BODY, side ? "right_foot" : "left_foot");
    const HeftForcePlate p = heft_force_plate_read(lab->world, foot, 0, 0);
    sum = heft_vec3_add_scaled(sum, p.force.z, p.center);
    force += p.force.z;
  }
  *center = force > 0 ? heft_vec3_scale(1 / force, sum) : heft_vec3(0, 0, 0);
  return force;
}

void lab_force(Lab* lab, HeftContactModel model, const HeftContactOptions* options) {
  lab->forced = 0;
  lab_use(lab, model, options);
  lab->forced = 1;
}

void lab_use(Lab* lab, HeftContactModel model, const HeftContactOptions* options) {
  if (lab->forced) return;
  lab->def.contact_model = model;
  lab->def.contact_options = options ? *options : heft_contact_options_default();
}

int lab_use_now(Lab* lab, HeftContactModel model, const HeftContactOptions* options) {
  HeftError error = {0};
  lab_use(lab, model, options);
  return heft_world_set_contact_model(lab->world, lab->def.contact_model, &lab->def.contact_options,
                                      &error) == HEFT_OK ||
         trouble(lab, "the contact model cannot be used:", error.message);
}

// ---- log and claims

void lab_channels(Lab* lab, int count, const char* const* names) {
  LabLog* log = &lab->log;
  log->channel_count = count < LAB_CHANNELS_MAX ? count : LAB_CHANNELS_MAX;
  log->rows = log->room = 0;
  free(log->data);
  log->data = NULL;
  for (int i = 0; i < log->channel_count; ++i) {
    snprintf(log->name[i], sizeof log->name[i], "%s", names[i]);
    log->source[i][0] = '\0';
  }
}

static int find_channel(const LabLog* log, const char* name) {
  for (int i = 0; i < log->channel_count; ++i)
    if (strcmp(log->name[i], name) == 0) return i;
  return -1;
}

void lab_source(Lab* lab, const char* channel, const char* source, double sign, double cutoff) {
  LabLog* log = &lab->log;
  const int i = find_channel(log, channel);
  if (i < 0) return;
  snprintf(log->source[i], sizeof log->source[i], "%s", source);
  log->sign[i] = sign;
  log->cutoff[i] = cutoff;
}

void lab_add_channel(Lab* lab, const char* name, int beside, const double* values) {
  LabLog* log = &lab->log;
  const int n = log->channel_count;
  if (n == LAB_CHANNELS_MAX) return;
  double* wider = malloc((size_t)log->room * (size_t)(n + 1) * sizeof(double));
  if (!wider) return;
  for (long i = 0; i < log->rows; ++i) {
    memcpy(wider + i * (n + 1), log->data + i * n, (size_t)n * sizeof(double));
    wider[i * (n + 1) + n] = values[i];
  }
  free(log->data);
  log->data = wider;
  snprintf(log->name[n], sizeof log->name[n], "%s", name);
  log->source[n][0] = '\0';
  log->channel_count = n + 1;
  for (int k = 0; k < lab->panels; ++k) {
    LabPanel* p = &lab->panel[k];
    for (int i = 0, had = p->count; i < had && p->count < 8; ++i)
      if (p->channel[i] == beside) p->channel[p->count++] = n;
  }
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

void lab_panel(Lab* lab, const char* title, const char* unit, const char* const* names) {
  if (lab->panels == LAB_PANELS_MAX) return;
  LabPanel* p = &lab->panel[lab->panels++];
  memset(p, 0, sizeof *p);
  snprintf(p->title, sizeof p->title, "%s", title);
  snprintf(p->unit, sizeof p->unit, "%s", unit);
  for (; *names && p->count < 8; ++names) {
    const int i = find_channel(&lab->log, *names);
    if (i >= 0) p->channel[p->count++] = i;
  }
}

void lab_panel_dots(Lab* lab) {
  if (lab->panels > 0) lab->panel[lab->panels - 1].scatter = 1;
}

void lab_camera(Lab* lab, double azimuth, double elevation, double distance, HeftVec3 target) {
  const double camera[6] = {azimuth, elevation, distance, target.x, target.y, target.z};
  memcpy(lab->camera, camera, sizeof camera);
}

void lab_instant(Lab* lab) {
  if (lab->picture) lab->picture(lab, lab->user);
}

void lab_claim(Lab* lab, int verdict, const char* claim, const char* where, const char* format,
               ...) {
  if (lab->claims == LAB_CLAIMS_MAX) return;
  LabClaim* c = &lab->claim[lab->claims++];
  snprintf(c->claim, sizeof c->claim, "%s", claim);
  snprintf(c->where, sizeof c->where, "%s", where);
  va_list args;
  va_start(args, format);
  vsnprintf(c->figure, sizeof c->figure, format, args);
  va_end(args);
  c->verdict = (LabVerdict)verdict;
  lab->failed += verdict == LAB_FAILS;
  lab->differ += verdict == LAB_DIFFERS || verdict == LAB_CONTRADICTS;
}

void lab_claim_certificate(Lab* lab) {
  if (lab->steps == 0) return;  // another model was forced
  lab_claim(lab, lab->uncertified == 0 && lab->troubled == 0,
            "the certificate of the exact model stays below 1e-6", "exact model",
            "worst %.1e of %ld steps", lab->worst_relative, lab->steps);
}

void lab_claim_steps(Lab* lab) {
  char figure[LAB_TEXT] = "";
  size_t used = 0;
  long unsolved = 0;
  for (int i = 0; i < HEFT_CONTACT_MODEL_COUNT; ++i) {
    if (lab->model_steps[i] == 0 || used >= sizeof figure) continue;
    unsolved += lab->unsolved[i];
    used += (size_t)snprintf(figure + used, sizeof figure - used, "%s%s %ld of %ld",
                             used ? ", " : "", heft_contact_model_name((HeftContactModel)i),
                             lab->unsolved[i], lab->model_steps[i]);
  }
  if (used > 0)
    lab_claim(lab, unsolved == 0 ? LAB_HOLDS : LAB_DIFFERS, "every contact model solves its steps",
              "own requirement", "unsolved: %s", figure);
}
