// SPDX-License-Identifier: Apache-2.0
// Papers: R33.
// A person as an avatar: tracked points of head and hands move a body of other lengths, an avatar
// or the HRP-2-like robot, whose joints are driven by torques and give way to contact.
//
// Points p arrive at 25 Hz to 1 kHz. Between them each goes on with the velocity of an α-β filter,
//     p' = x + v t,  x ← p' + α (p - p'),  v ← v + β (p - p') / t,
// which has no lag at constant velocity. The axes of the person are its shoulders, or where it
// looked at first. With M the middle of the shoulders, and s the ratio of the arms, a wrist goes
// to M_robot + s R (wrist - M_person), so hands that meet meet there, too. Inverse kinematics
// (HeftPoseSolver) computes the posture, with an upright chest, a head that turns as the person's,
// and limits of joints; an arm that a limit keeps from its place tries again from another start.
// Whole-body inverse dynamics (HeftBiped) tracks the posture, and the hands by tasks of their own.
//
// If shoulders are not tracked, they follow from the height of the eyes h by the proportions of
// [Winter 2009], Fig. 4.1: stature h / 0.936, breadth 0.259, from shoulder to wrist 0.332.
#include "experiments/mirror.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/poses.h"

enum { NQ_MAX = 128, SEARCH = 30 };
enum { NEEDED = (1 << MIRROR_LEFT_SHOULDER) - 1, SHOULDERS = 3 << MIRROR_LEFT_SHOULDER };
enum { ELBOWS = 3 << MIRROR_LEFT_ELBOW };
static const double alpha = 0.7, beta = 0.4, late = 0.045, longest = 0.05;  // [s]
static const double share = 0.97, blend = 1;  // of the reach; time to the first pose [s]
static const double astray = 0.02;            // [m]
static const int origin[4] = {MIRROR_LEFT, MIRROR_RIGHT, MIRROR_LEFT_ELBOW, MIRROR_RIGHT_ELBOW};

typedef struct Mirror {
  double off, worst, mean;  // error of the farther hand at the last sample, max, mean [m]
  double gap;               // of the posture, without dynamics [m]
  double samples;
  double scale;    // the robot's lengths per the person's; 0: nothing was tracked yet
  double stature;  // of the person, from its eyes
  double since;    // time since the last sample [s]
  double began;    // time of the first [s]
  HeftVec3 ahead;  // where the person looked then
  HeftVec3 seen[MIRROR_POINTS], at[MIRROR_POINTS], speed[MIRROR_POINTS];
  int known;  // bits of the points of the last sample
  int hand[2], head, chest;
  HeftVec3 home, rest[2];  // middle of the robot's shoulders, and its wrists, at the start
  HeftMat3 axes;           // of the robot
  HeftQuat upright;        // the same
  double posture[NQ_MAX], rate[NQ_MAX];
  double other[NQ_MAX];  // a second posture, from another start
  int rounds;            // that it was improved
  uint64_t random;
} Mirror;

// ---- the person

static HeftVec3 level(HeftVec3 v) { return heft_vec3_normalize(heft_vec3(v.x, v.y, 0)); }

static HeftVec3 toward(const HeftVec3* p, int from, int to) {
  return heft_vec3_sub(p[to], p[from]);
}

// Columns: front, left, bone. 0: the points coincide.
static int frame_of(const HeftVec3* p, int at, HeftMat3* out) {
  const HeftVec3 bone = heft_vec3_normalize(toward(p, at, at + 1)), to = toward(p, at, at + 2);
  const HeftVec3 aside = heft_vec3_add_scaled(to, -heft_vec3_dot(to, bone), bone);
  if (!(heft_vec3_norm(aside) > 1e-6)) return 0;
  const HeftVec3 front = heft_vec3_normalize(aside);
  *out = heft_mat3_from_columns(front, heft_vec3_cross(bone, front), bone);
  return 1;
}

static double arm_of(const HeftVec3* p, int side) {
  const int elbow = MIRROR_LEFT_ELBOW + side;
  return heft_vec3_norm(toward(p, MIRROR_LEFT_SHOULDER + side, elbow)) +
         heft_vec3_norm(toward(p, elbow, origin[side]));
}

// Axes of the person, with z up, and the middle of its shoulders.
static HeftPose body_of(const Mirror* m, const HeftVec3* p) {
  const HeftVec3 up = {0, 0, 1};
  HeftVec3 middle, x = m->ahead;
  if (m->known & 1 << MIRROR_LEFT_SHOULDER) {
    x = heft_vec3_cross(level(toward(p, MIRROR_RIGHT_SHOULDER, MIRROR_LEFT_SHOULDER)), up);
    middle = heft_vec3_scale(0.5, heft_vec3_add(p[MIRROR_LEFT_SHOULDER], p[MIRROR_RIGHT_SHOULDER]));
  } else {  // behind the eyes and below them, about the neck
    middle = heft_vec3_add_scaled(p[MIRROR_HEAD], -0.073 * m->stature, up);
    for (int k = 1; k < 3; ++k)
      middle = heft_vec3_add_scaled(middle, (k == 1 ? -0.045 : -0.05) * m->stature,
                                    heft_vec3_normalize(toward(p, MIRROR_HEAD, MIRROR_HEAD + k)));
  }
  return (HeftPose){heft_mat3_from_columns(x, heft_vec3_cross(up, x), up), middle};
}

// Wrists and elbows, and rotations of hands and head, in the world of the robot. Returns bits of
// the rotations.
static int map(const Mirror* m, const HeftVec3* p, HeftVec3 to[4], HeftQuat turn[3]) {
  const HeftPose body = body_of(m, p);
  const HeftMat3 r = heft_mat3_mul(m->axes, heft_mat3_transpose(body.rot));
  int known = 0;
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 away = heft_vec3_sub(p[origin[k]], body.pos);
    to[k] = heft_vec3_add_scaled(m->home, m->scale, heft_mat3_mul_vec(r, away));
  }
  for (int k = 0; k < 3; ++k) {
    HeftMat3 f;
    if (!frame_of(p, k < 2 ? origin[k] : MIRROR_HEAD, &f)) continue;
    known |= 1 << k;
    f = heft_mat3_mul(r, f);
    const double s = k == 0 ? 1 : -1;  // thumbs at y of the left hand, at -y of the right
    const HeftVec3 front = {f.m[0][0], f.m[1][0], f.m[2][0]},
                   side = {f.m[0][1], f.m[1][1], f.m[2][1]},
                   bone = {f.m[0][2], f.m[1][2], f.m[2][2]};
    if (k < 2)
      f = heft_mat3_from_columns(heft_vec3_scale(s, side), heft_vec3_scale(s, front),
                                 heft_vec3_neg(bone));
    turn[k] = heft_quat_from_mat3(f);
  }
  return known;
}

static double arm_length(const Lab* lab, int hand) {
  const HeftModel* m = lab->model;
  const int forearm = m->body_parent[hand];
  return heft_vec3_norm(heft_vec3_from(m->body_pos + 3L * hand)) +
         heft_vec3_norm(heft_vec3_from(m->body_pos + 3L * forearm));
}

static void meet(const Lab* lab, Mirror* m) {
  const HeftVec3* p = lab->tracked;
  m->began = lab_time(lab);
  m->known = (int)lab->tracked_bits;
  m->ahead = level(toward(p, MIRROR_HEAD, MIRROR_HEAD + 2));
  m->stature = p[MIRROR_HEAD].z / 0.936;
  const int measured = (m->known & SHOULDERS) == SHOULDERS && (m->known & ELBOWS) == ELBOWS;
  const double arm = measured ? 0.5 * (arm_of(p, 0) + arm_of(p, 1)) : 0.332 * m->stature;
  m->scale = arm > 0 ? share * arm_length(lab, m->hand[0]) / arm : 0;
  memcpy(m->at, p, sizeof m->at);
  memset(m->speed, 0, sizeof m->speed);
  m->since = 0;
}

// How far the posture leaves a hand from its place.
static double miss(const Lab* lab, const Mirror* m, int side, const double* q, HeftVec3 to) {
  heft_dynamics_kinematics(lab->sketch, q);
  return heft_vec3_norm(heft_vec3_sub(heft_dynamics_body_pose(lab->sketch, m->hand[side]).pos, to));
}

// The error of the hands against where the person has them now.
static void judge(const Lab* lab, Mirror* m) {
  HeftVec3 to[4];
  HeftQuat turn[3];
  if (lab_time(lab) < m->began + 2 * blend) return;
  map(m, m->seen, to, turn);
  m->off = m->gap = 0;
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 is = heft_dynamics_body_pose(heft_world_dynamics(lab->world), m->hand[side]).pos;
    m->off = fmax(m->off, heft_vec3_norm(heft_vec3_sub(to[side], is)));
    m->gap = fmax(m->gap, miss(lab, m, side, m->posture, to[side]));
  }
  m->worst = fmax(m->worst, m->off);
  m->mean += (m->off - m->mean) / ++m->samples;
}

// A sample that is repeated counts, too, if it is late: then the person is at rest.
static void see(const Lab* lab, Mirror* m, double h) {
  const HeftVec3* p = lab->tracked;
  if ((lab->tracked_bits & NEEDED) != NEEDED) {
    memset(m->speed, 0, sizeof m->speed);
    return;
  }
  if (!(m->scale > 0)) meet(lab, m);
  m->since += h;
  if (memcmp(p, m->seen, sizeof m->seen) == 0 && m->since < late) return;
  for (int k = 0; k < MIRROR_POINTS; ++k) {
    const HeftVec3 guess = heft_vec3_add_scaled(m->at[k], m->since, m->speed[k]);
    const HeftVec3 off = heft_vec3_sub(p[k], guess);
    m->at[k] = heft_vec3_add_scaled(guess, alpha, off);
    m->speed[k] = heft_vec3_add_scaled(m->speed[k], beta / m->since, off);
  }
  memcpy(m->seen, p, sizeof m->seen);
  m->known = (int)lab->tracked_bits;
  m->since = 0;
  judge(lab, m);
}

// ---- the robot

static void shuffle_arm(const Lab* lab, Mirror* m, int side) {
  const HeftModel* model = lab->model;
  for (int j = 0; j < model->njoint; ++j) {
    int body = m->hand[side];
    while (body > m->chest && body != model->joint_body[j]) body = model->body_parent[body];
    const int dof = model->joint_dof[j];
    if (body <= m->chest || model->joint_type[j] != HEFT_JOINT_HINGE || !model->dof_limited[dof])
      continue;
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    const double *range = model->dof_range + 2L * dof, x = (double)(m->random >> 11) * 0x1p-53;
    m->other[model->joint_q[j]] = range[0] + x * (range[1] - range[0]);
  }
}

// An arm that cannot get to its place tries again from elsewhere.
static void search(Lab* lab, Mirror* m, const HeftPoseTarget* targets, int count,
                   const HeftVec3* to) {
  double left[2], found[2];
  for (int side = 0; side < 2; ++side) left[side] = miss(lab, m, side, m->posture, to[side]);
  if (m->rounds == 0 && fmax(left[0], left[1]) < astray) return;
  if (m->rounds == 0) memcpy(m->other, m->posture, sizeof m->other);
  for (int side = 0; side < 2 && m->rounds == 0; ++side)
    if (left[side] > astray) shuffle_arm(lab, m, side);
  heft_pose_solver_step(lab->poser, targets, count, m->other);
  m->rounds = (m->rounds + 1) % SEARCH;
  if (m->rounds > 0) return;
  for (int side = 0; side < 2; ++side) found[side] = miss(lab, m, side, m->other, to[side]);
  if (fmax(found[0], found[1]) > 0.5 * fmax(left[0], left[1])) return;
  memcpy(m->posture, m->other, sizeof m->posture);
  memset(m->rate, 0, sizeof m->rate);
}

static void solve(Lab* lab, Mirror* m, const HeftVec3 to[4], const HeftQuat turn[3], int known,
                  double taken) {
  const double guide = (m->known & ELBOWS) == ELBOWS ? 0.02 * taken : 0;
  const int* parent = lab->model->body_parent;
  const HeftPoseTarget targets[6] = {
      {.body = m->chest, .quat = m->upright, .turn = 0.003},
      {.body = m->head, .quat = turn[2], .turn = known & 4 ? 0.03 * taken : 0},
      {.body = m->hand[0],
       .pos = to[0],
       .quat = turn[0],
       .move = {900, 60, 10},
       .turn = known & 1 ? 1e-3 * taken : 0},
      {.body = m->hand[1],
       .pos = to[1],
       .quat = turn[1],
       .move = {900, 60, 10},
       .turn = known & 2 ? 1e-3 * taken : 0},
      {.body = parent[m->hand[0]], .pos = to[2], .move = {guide, guide, guide}},
      {.body = parent[m->hand[1]], .pos = to[3], .move = {guide, guide, guide}}};
  double before[NQ_MAX];
  memcpy(before, m->posture, sizeof before);
  heft_pose_solver_step(lab->poser, targets, 6, m->posture);
  heft_q_difference(lab->model, before, m->posture, m->rate);
  const double h = lab->model->physics.time_step;
  for (int i = 0; i < lab->model->nv; ++i) m->rate[i] /= h;
  search(lab, m, targets, 6, to);
}

static void reach(Lab* lab, Mirror* m) {
  const double h = lab->model->physics.time_step, ahead = fmin(m->since, longest);
  HeftVec3 now[MIRROR_POINTS], soon[MIRROR_POINTS], to[4], next[4];
  HeftQuat turn[3], later[3];
  double s[3];
  for (int k = 0; k < MIRROR_POINTS; ++k) {
    now[k] = heft_vec3_add_scaled(m->at[k], ahead, m->speed[k]);
    soon[k] = heft_vec3_add_scaled(now[k], h, m->speed[k]);
  }
  const int known = map(m, now, to, turn);
  map(m, soon, next, later);
  heft_spline_smooth_step((lab_time(lab) - m->began) / blend, s);
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 way = heft_vec3_sub(to[side], m->rest[side]);
    next[side] = heft_vec3_scale(s[0] / h, heft_vec3_sub(next[side], to[side]));
    next[side] = heft_vec3_add_scaled(next[side], s[1] / blend, way);
    to[side] = heft_vec3_add_scaled(m->rest[side], s[0], way);
  }
  solve(lab, m, to, turn, known, s[0]);
  heft_dynamics_kinematics(lab->sketch, m->posture);
  lab->goal.chest = heft_quat_from_mat3(heft_dynamics_body_pose(lab->sketch, m->chest).rot);
  lab->goal.point_task_count = 2;
  for (int side = 0; side < 2; ++side) {
    const HeftPose x = heft_dynamics_body_pose(lab->sketch, m->hand[side]);
    lab->goal.point_task[side] = (HeftPointTask){.body = m->hand[side],
                                                 .pos = x.pos,
                                                 .velocity = next[side],
                                                 .quat = heft_quat_from_mat3(x.rot),
                                                 .move = {900, 60, 10},
                                                 .turn = {400, 40, 0.1}};
  }
}

static void control(Lab* lab, void* self) {
  Mirror* m = self;
  see(lab, m, lab->model->physics.time_step);
  if (m->scale > 0) reach(lab, m);
  lab->goal.posture = m->posture;
  lab->goal.posture_velocity = m->rate;
  lab_balance(lab);
}

static int stand(Lab* lab) {
  const HeftVec3 y = {0, 1, 0};
  if (heft_model_find(lab->model, HEFT_NAMED_JOINT, "left_hip") < 0) {
    for (const LabAngle* a = pose_half_sitting; a->joint; ++a)
      lab_set_joint(lab, a->joint, a->angle);
    return lab_place(lab);
  }
  pose_bend_legs(lab, 20 * HEFT_PI / 180);
  for (int side = 0; side < 2; ++side)
    lab_set_ball(lab, side ? "right_elbow" : "left_elbow", heft_quat_from_axis_angle(y, -0.3));
  return lab_place(lab);
}

static int begin(Lab* lab, void* self) {
  Mirror* m = self;
  m->head = lab_body(lab, "head");
  m->chest = lab_body(lab, "chest");
  for (int side = 0; side < 2; ++side)
    m->hand[side] = lab_body(lab, side ? "right_hand" : "left_hand");
  if (lab->error[0] || lab->model->nq > NQ_MAX || !lab->biped || !stand(lab) ||
      heft_pose_solver_create(&lab->poser, lab->model, m->chest, NULL, NULL) != HEFT_OK)
    return 0;
  memcpy(m->posture, lab->start, (size_t)lab->model->nq * sizeof(double));
  heft_dynamics_kinematics(lab->sketch, m->posture);
  m->home = heft_vec3(0, 0, 0);
  for (int side = 0; side < 2; ++side) {
    const int arm = lab->model->body_parent[lab->model->body_parent[m->hand[side]]];
    m->rest[side] = heft_dynamics_body_pose(lab->sketch, m->hand[side]).pos;
    m->home = heft_vec3_add_scaled(m->home, 0.5, heft_dynamics_body_pose(lab->sketch, arm).pos);
  }
  m->upright = lab->goal.pelvis;
  m->axes = heft_quat_to_mat3(m->upright);
  return 1;
}

static const HeftOption values[] = {
    ACT_VALUE(Mirror, off, "m", "of the farther hand from where the person has it"),
    ACT_VALUE(Mirror, mean, "m", "the same, mean"), ACT_VALUE(Mirror, worst, "m", "the same, max"),
    ACT_VALUE(Mirror, gap, "m", "of its posture, without dynamics")};

static const ActPart parts[] = {ACT_FOUND(Mirror, hand), ACT_FOUND(Mirror, head),
                                ACT_FOUND(Mirror, chest), ACT_RANGE(Mirror, rounds, 0, SEARCH - 1),
                                ACT_RANGE(Mirror, known, 0, (1 << MIRROR_POINTS) - 1)};
const Act act_mirror = {.name = "mirror",
                        .text = "a tracked person moves an avatar at a table with a box",
                        .file = "avatar_table.xml",
                        .size = sizeof(Mirror),
                        .parts = ACT_PARTS(parts),
                        .values = {values, 4},
                        .begin = begin,
                        .control = control};
