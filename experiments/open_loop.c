// SPDX-License-Identifier: Apache-2.0
// Papers: R48.
// Open loop: trajectories of joint angles, and the drives that follow them.
#include "experiments/open_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/measured.h"

static const double sample = 0.01;  // time between two rows of a motion [s]

// Gears of 1:100 (harmonic drives), friction of one to two per cent of the max torque.
const LabDrives drives_small = {.gear = 100, .kp = 12, .kv = 0.25, .viscous = 0.002, .dry = 0.01};
const LabDrives drives_large = {.gear = 100, .kp = 30, .kv = 0.3, .viscous = 0.002, .dry = 0.02};

// Dry friction is a ramp at low speed, so wide that a step of the world follows it.
static double ramp(const Lab* lab, double dry, double inertia) {
  return inertia > 0 ? 4 * dry * lab->model->physics.time_step / inertia : 0;
}

void lab_drive(Lab* lab, const LabDrives* drives) {
  const HeftModel* m = lab->model;
  const HeftState* s = heft_world_state(lab->world);
  double* room = calloc((size_t)m->nv, 2 * sizeof(double));
  if (!room) return;
  double *away = room, *tau = room + m->nv;
  heft_q_difference(m, s->q, lab->goal.posture, away);
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_transmission[i] != HEFT_TRANSMISSION_JOINT) continue;
    const int joint = m->actuator_target[i], dof = m->joint_dof[joint];
    if (m->joint_type[joint] != HEFT_JOINT_HINGE && m->joint_type[joint] != HEFT_JOINT_SLIDE)
      continue;
    const double max = m->actuator_control_range[2L * i + 1], dry = drives->dry * max;
    const HeftDrive drive = {.gear = drives->gear,
                             .kp = drives->kp * max / drives->gear,
                             .kv = drives->kv * max / drives->gear,
                             .viscous = drives->viscous * max,
                             .dry = dry,
                             .dry_speed = ramp(lab, dry, m->dof_armature[dof]),
                             .limit = max / drives->gear};
    const double v_d = lab->goal.posture_velocity ? lab->goal.posture_velocity[dof] : 0;
    tau[dof] = heft_drive_torque(&drive, away[dof], v_d, 0, 0, s->v[dof]);
  }
  heft_model_torques_to_controls(m, tau, heft_world_controls(lab->world));
  free(room);
}

// ---- motions

static HeftPoseTarget body_target(int body, HeftVec3 point, HeftVec3 pos, double move,
                                  HeftQuat quat, double turn) {
  return (HeftPoseTarget){.body = body,
                          .point = point,
                          .pos = pos,
                          .quat = quat,
                          .move = {move, move, move},
                          .turn = turn};
}

double lab_plan_motion(Lab* lab, double duration, LabPath path, void* user) {
  const HeftModel* m = lab->model;
  HeftPoseSolver* solver = NULL;
  HeftError error = {0};
  const HeftVec3 zero = {0, 0, 0};
  const int root = m->joint_body[0], rows = (int)ceil(duration / sample) + 1;
  const int foot[2] = {lab_body(lab, "left_foot"), lab_body(lab, "right_foot")};
  const size_t row = (size_t)m->nq * sizeof(double);
  double worst = 0;
  free(lab->motion);
  lab->motion_rows = 0;
  lab->motion = calloc((size_t)rows, row);
  if (!lab->motion || foot[0] < 0 || foot[1] < 0 ||
      heft_pose_solver_create(&solver, m, root, NULL, &error) != HEFT_OK) {
    if (!lab->error[0])
      snprintf(lab->error, sizeof lab->error, "the motion cannot be planned: %.400s",
               error.message);
    return -1;
  }
  heft_dynamics_kinematics(lab->sketch, lab->start);
  HeftVec3 sole[2];  // the points of the feet that goals are about
  for (int k = 0; k < 2; ++k)
    sole[k] = heft_pose_apply_inverse(heft_dynamics_body_pose(lab->sketch, foot[k]),
                                      lab->goal.foot[k].pos);
  for (int i = 0; i < rows; ++i) {
    double* q = lab->motion + (long)i * m->nq;
    HeftBipedGoal goal = lab->goal;
    memcpy(q, i > 0 ? q - m->nq : lab->start, row);
    path(lab, i * sample, &goal, user);
    measured_lead(lab, i * sample, &goal.com);
    const HeftPoseTarget target[4] = {
        body_target(-1, zero, goal.com, 1, goal.pelvis, 0),
        body_target(root, zero, zero, 0, goal.pelvis, 1),
        body_target(foot[0], sole[0], goal.foot[0].pos, 1, goal.foot[0].quat, 1),
        body_target(foot[1], sole[1], goal.foot[1].pos, 1, goal.foot[1].quat, 1)};
    worst = fmax(worst, heft_pose_solver_solve(solver, target, 4, q));
  }
  heft_pose_solver_destroy(solver);
  lab->motion_rows = rows;
  return worst;
}

// Tangents of the curve at a row: half of the way from the row before to the row after.
static void tangent(const Lab* lab, int row, double* out) {
  const HeftModel* m = lab->model;
  const int before = row > 0 ? row - 1 : 0;
  const int after = row + 1 < lab->motion_rows ? row + 1 : row;
  heft_q_difference(m, lab->motion + (long)before * m->nq, lab->motion + (long)after * m->nq, out);
  for (int k = 0; k < m->nv; ++k) out[k] *= 0.5;
}

// A cubic curve between two rows, smooth in position and velocity.
void lab_play_motion(Lab* lab) {
  const HeftModel* m = lab->model;
  const double at = lab_time(lab) / sample;
  const int last = lab->motion_rows - 1, i = at >= last ? last - 1 : at > 0 ? (int)at : 0;
  const double s = at >= last ? 1 : at - i;
  const double *a = lab->motion + (long)i * m->nq, *b = a + m->nq;
  double* room = calloc((size_t)m->nv, 3 * sizeof(double));
  if (!room) return;
  double *way = room, *t0 = room + m->nv, *t1 = room + 2L * m->nv;
  heft_q_difference(m, a, b, way);
  tangent(lab, i, t0);
  tangent(lab, i + 1, t1);
  for (int k = 0; k < m->nv; ++k) {
    const double d = way[k], u = t0[k], v = t1[k];
    way[k] = s * s * (3 - 2 * s) * d + s * (1 - s) * (1 - s) * u - s * s * (1 - s) * v;
    lab->rate[k] = 6 * s * (1 - s) * d + (1 - s) * (1 - 3 * s) * u + s * (3 * s - 2) * v;
    lab->rate[k] *= at >= last ? 0 : 1 / sample;
  }
  heft_q_integrate(m, a, way, 1, lab->posture);
  free(room);
  lab->goal.posture = lab->posture;
  lab->goal.posture_velocity = lab->rate;
}
