// SPDX-License-Identifier: Apache-2.0
// Papers: S9.
// From knots to joint angles. A cubic spline through the knots gives the path of the bar, which the
// hands follow, and the height of the robot's centre of mass c. Forwards, c keeps the zero-moment
// point of robot and bar b in the middle of the feet, x_f (angular momentum left out):
//     m [c_x (c̈_z + g) - c_z c̈_x] + m_b [b_x (b̈_z + g) - b_z b̈_x] = x_f [m (c̈_z + g) + m_b (b̈_z + g)].
// With c̈_x by differences of rows this is a tridiagonal system, with c at rest at both ends.
// Inverse kinematics gives the angles of each row.
#include "experiments/snatch_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/snatch_knots.h"

static const double sample = 0.01;  // of lab_play_motion()
static const double reach = 0.25;   // sideways from the middle to a hand [m]
const HeftVec3 snatch_grip = {-0.008, 0, -0.105};

void snatch_at(const SnatchPlan* plan, double time, double value[SNATCH_CHANNELS],
               double rate[SNATCH_CHANNELS], double acceleration[SNATCH_CHANNELS]) {
  HeftSpline* spline = NULL;
  if (heft_spline_create(&spline, SNATCH_KNOTS, SNATCH_CHANNELS, plan->time, plan->value[0], NULL,
                         NULL) != HEFT_OK)
    return;
  heft_spline_at(spline, time, value, rate, acceleration);
  heft_spline_destroy(spline);
}

SnatchPlan snatch_stored(double bar_mass) {
  const double(*from)[5] = bar_mass < 15 ? snatch_knots_8 : snatch_knots_23;
  SnatchPlan out;
  for (int k = 0; k < SNATCH_KNOTS; ++k) {
    out.time[k] = from[k][0];
    memcpy(out.value[k], from[k] + 1, sizeof out.value[k]);
  }
  return out;
}

// ---- the centre of mass

typedef struct Row {
  double bar[3], bar_rate[3], bar_acc[3];  ///< x, z, pitch
  double com[2], com_acc;                  ///< x, z; z̈
} Row;

// The tridiagonal system of the head of this file.
static void balance_rows(Row* row, int count, double mass, double bar, double gravity,
                         double middle) {
  double* room = calloc((size_t)count, 2 * sizeof(double));
  if (!room) return;
  double *upper = room, *right = room + count;
  for (int i = 0; i < count; ++i) {
    const double up = row[i].com_acc + gravity, bar_up = row[i].bar_acc[1] + gravity;
    const double b = mass * row[i].com[1] / (sample * sample);
    const double want = middle * (mass * up + bar * bar_up) -
                        bar * (row[i].bar[0] * bar_up - row[i].bar[1] * row[i].bar_acc[0]);
    const int is_end = i == 0 || i == count - 1;
    const double low = is_end ? 0 : -b, diagonal = is_end ? mass * gravity : mass * up + 2 * b;
    const double pivot = diagonal - (i > 0 ? low * upper[i - 1] : 0);
    upper[i] = (is_end ? 0 : -b) / pivot;
    right[i] = (want - (i > 0 ? low * right[i - 1] : 0)) / pivot;
  }
  for (int i = count - 1; i >= 0; --i)
    row[i].com[0] = right[i] - (i + 1 < count ? upper[i] * row[i + 1].com[0] : 0);
  free(room);
}

static Row* make_rows(const SnatchPlan* plan, int count) {
  Row* row = calloc((size_t)count, sizeof *row);
  HeftSpline* spline = NULL;
  if (!row || heft_spline_create(&spline, SNATCH_KNOTS, SNATCH_CHANNELS, plan->time,
                                 plan->value[0], NULL, NULL) != HEFT_OK) {
    free(row);
    return NULL;
  }
  for (int i = 0; i < count; ++i) {
    double x[SNATCH_CHANNELS], v[SNATCH_CHANNELS], a[SNATCH_CHANNELS];
    heft_spline_at(spline, i * sample, x, v, a);
    memcpy(row[i].bar, x, sizeof row[i].bar);
    memcpy(row[i].bar_rate, v, sizeof row[i].bar_rate);
    memcpy(row[i].bar_acc, a, sizeof row[i].bar_acc);
    row[i].com[1] = x[SNATCH_COM];
    row[i].com_acc = a[SNATCH_COM];
  }
  heft_spline_destroy(spline);
  return row;
}

// ---- joint angles

typedef struct Ends {
  int foot[2], hand[2], chest, root;
  HeftPose sole[2];  ///< where the feet stay
} Ends;

static double solve_row(HeftPoseSolver* solver, const Ends* e, const Row* row, double* q) {
  const HeftQuat level = heft_quat_identity();
  const HeftQuat turn = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), row->bar[2] * HEFT_PI / 180);
  HeftPoseTarget t[7] = {{.body = -1, .pos = {row->com[0], 0, row->com[1]}, .move = {1, 1, 1}},
                         {.body = e->root, .quat = level, .turn = 0.1},
                         {.body = e->chest, .quat = level, .turn = 0.05}};
  for (int k = 0; k < 2; ++k) {
    t[3 + k] = (HeftPoseTarget){.body = e->foot[k],
                                .pos = e->sole[k].pos,
                                .quat = heft_quat_from_mat3(e->sole[k].rot),
                                .move = {3, 3, 3},
                                .turn = 3};
    t[5 + k] = (HeftPoseTarget){.body = e->hand[k],
                                .point = snatch_grip,
                                .pos = {row->bar[0], k ? -reach : reach, row->bar[1]},
                                .quat = turn,
                                .move = {2, 2, 2},
                                .turn = 1};
  }
  return heft_pose_solver_solve(solver, t, 7, q);
}

static int find_ends(Lab* lab, Ends* e) {
  static const char* const feet[2] = {"left_foot", "right_foot"};
  static const char* const hands[2] = {"left_hand", "right_hand"};
  heft_dynamics_kinematics(lab->sketch, lab->start);
  e->root = lab->model->joint_body[0];
  e->chest = lab_body(lab, "chest");
  for (int k = 0; k < 2; ++k) {
    e->foot[k] = lab_body(lab, feet[k]);
    e->hand[k] = lab_body(lab, hands[k]);
    if (e->foot[k] < 0 || e->hand[k] < 0) return 0;
    e->sole[k] = heft_dynamics_body_pose(lab->sketch, e->foot[k]);
  }
  return e->chest >= 0;
}

// ---- inverse dynamics of the plan

typedef struct Differences {
  double *v, *a, *tau, *before;
} Differences;

// Torques of a row: the bar pulls at both hands.
static void add_cost(Lab* lab, const Ends* e, const Row* row, const double* q, Differences* d,
                     double bar_mass, double mass, SnatchCost* cost) {
  const HeftModel* m = lab->model;
  HeftDynamics* s = lab->sketch;
  const double up = row->bar_acc[1] + lab->gravity;
  heft_dynamics_kinematics(s, q);
  heft_dynamics_clear_wrenches(s);
  for (int k = 0; k < 2; ++k)
    heft_dynamics_add_wrench(s, e->hand[k], heft_vec3(row->bar[0], k ? -reach : reach, row->bar[1]),
                             heft_vec3(-0.5 * bar_mass * row->bar_acc[0], 0, -0.5 * bar_mass * up),
                             heft_vec3(0, 0, 0));
  heft_dynamics_rnea(s, d->v, d->a, d->tau);
  // The feet carry the wrench at the root, half each.
  const int dof = m->joint_dof[0];
  const HeftVec3 force = heft_vec3_from(d->tau + dof);
  const HeftPose root = heft_dynamics_body_pose(s, e->root);
  const HeftVec3 moment = heft_mat3_mul_vec(root.rot, heft_vec3_from(d->tau + dof + 3));
  const double zmp = root.pos.x + (root.pos.z * force.x * -1 - moment.y) / force.z;
  cost->margin = fmin(cost->margin, 0.12 - fabs(zmp - (e->sole[0].pos.x + 0.025)));
  (void)mass;
  const HeftVec3 at = heft_vec3(zmp, 0, 0);
  for (int k = 0; k < 2; ++k)
    heft_dynamics_add_wrench(s, e->foot[k], heft_vec3(at.x, e->sole[k].pos.y, 0),
                             heft_vec3_scale(0.5, force), heft_vec3(0, 0, 0));
  heft_dynamics_rnea(s, d->v, d->a, d->tau);
  heft_dynamics_clear_wrenches(s);
  for (int i = 0; i < m->nactuator; ++i) {
    const int joint = m->joint_dof[m->actuator_target[i]];
    const double max = m->actuator_control_range[2L * i + 1], tau = fabs(d->tau[joint]);
    cost->torque = fmax(cost->torque, tau / max);
    cost->energy += sample * tau * fabs(d->v[joint]);
  }
}

static void judge_plan(Lab* lab, const Ends* e, const Row* row, int rows, double bar_mass,
                       SnatchCost* cost) {
  const HeftModel* m = lab->model;
  const size_t nv = (size_t)m->nv;
  double* room = calloc(4 * nv, sizeof(double));
  if (!room) return;
  Differences d = {room, room + nv, room + 2 * nv, room + 3 * nv};
  cost->margin = 1;
  cost->release = 10;
  for (int i = 1; i + 1 < rows; ++i) {
    const double* q = lab->motion + (long)i * m->nq;
    heft_q_difference(m, q - m->nq, q, d.before);
    heft_q_difference(m, q, q + m->nq, d.v);
    for (size_t k = 0; k < nv; ++k) {
      d.a[k] = (d.v[k] - d.before[k]) / (sample * sample);
      d.v[k] = (d.v[k] + d.before[k]) / (2 * sample);
    }
    add_cost(lab, e, &row[i], q, &d, bar_mass, lab_weight(lab) / lab->gravity, cost);
    const double load = 1 + row[i].bar_acc[1] / lab->gravity;
    cost->lift = fmax(cost->lift, load);
    cost->release = fmin(cost->release, load);
  }
  free(room);
}

int snatch_make(Lab* lab, const SnatchPlan* plan, double bar_mass, SnatchCost* cost) {
  const HeftModel* m = lab->model;
  const int rows = (int)ceil(plan->time[SNATCH_KNOTS - 1] / sample) + 1;
  const size_t width = (size_t)m->nq * sizeof(double);
  HeftPoseSolver* solver = NULL;
  HeftError error = {0};
  Ends ends;
  Row* row = make_rows(plan, rows);
  free(lab->motion);
  lab->motion_rows = 0;
  lab->motion = calloc((size_t)rows, width);
  SnatchCost made = {0};
  const int ready = row && lab->motion && find_ends(lab, &ends) &&
                    heft_pose_solver_create(&solver, m, ends.root, NULL, &error) == HEFT_OK;
  if (ready) {
    balance_rows(row, rows, lab_weight(lab) / lab->gravity, bar_mass, lab->gravity,
                 ends.sole[0].pos.x + 0.025);
    for (int i = 0; i < rows; ++i) {
      double* q = lab->motion + (long)i * m->nq;
      memcpy(q, i > 0 ? q - m->nq : lab->start, width);
      for (int turn = 0; turn < (i == 0 ? 20 : 1); ++turn) {
        const double left = solve_row(solver, &ends, &row[i], q);
        if (i > 0 || turn == 19) made.error = fmax(made.error, left);
      }
    }
    lab->motion_rows = rows;
    if (cost) judge_plan(lab, &ends, row, rows, bar_mass, &made);
  } else {
    snprintf(lab->error, sizeof lab->error, "the lift cannot be planned: %.400s", error.message);
  }
  heft_pose_solver_destroy(solver);
  free(row);
  if (cost) *cost = made;
  return ready;
}
