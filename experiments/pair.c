// SPDX-License-Identifier: Apache-2.0
// Papers: R62.
// Two simulated persons stand face to face and touch: their right palms meet, then the first pushes
// and leads the hand of the second ([Keith 2008], abstract and section 1: avatars with avatars).
// Both have a controller of their own and know nothing of each other but the forces at their
// wrists. The second complies from its wrist to its waist (Eq. 22), with a weak spring that brings
// it back. A second run has a stiff second person.
//
// The source names no numbers for avatars that touch.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, FIRST, SECOND, FORCE, TORQUE, POINTS, STEP, CHANNELS };
static const char* const names[CHANNELS] = {"time",   "first hand", "second hand", "force",
                                            "torque", "points",     "step [us]"};

enum { START, RAISED, TOUCH, LEAD };
enum { PAIR_NQ_MAX = 160 };

typedef struct Pair {
  double stiff;                   ///< option, 1: the second person does not give way
  int root;                       ///< place of the coordinates of the second person
  int own;                        ///< their number
  int wrist, hand[2], finger[2];  ///< of the second; right hands and fingers of both
  double force;                   ///< between the hands [N]
  HeftSpatial felt;               ///< at the wrist of the second, in its frame, smoothed
  HeftBipedGoal goal;             ///< of the second
  double posture[PAIR_NQ_MAX], base[PAIR_NQ_MAX];
} Pair;

// ---- preparation

static int stand(Lab* lab) {
  const HeftVec3 y = {0, 1, 0};
  pose_bend_legs(lab, 24 * HEFT_PI / 180);
  for (int side = 0; side < 2; ++side)
    lab_set_ball(lab, side ? "right_elbow" : "left_elbow", heft_quat_from_axis_angle(y, -1.2));
  return lab_place(lab);
}

// The second person has the joints of the first: its mirror image in the middle between both.
static void mirror(const Pair* p, double* q) {
  memcpy(q + p->root + 7, q + 7, (size_t)(p->own - 7) * sizeof(double));
  q[p->root + 2] = q[2];
}

// The right palm faces ahead, fingers up, so far before the middle.
static int raise_hand(Lab* lab, int k, double before) {
  const HeftMat3 turn =
      heft_mat3_from_columns(heft_vec3(1, 0, 0), heft_vec3(0, -1, 0), heft_vec3(0, 0, -1));
  const HeftVec3 palm = {0.012, 0, -0.05}, to = {0.42 - before, 0, 1.22};
  const double left = lab_arm(lab, k, 1, palm, to, heft_quat_from_mat3(turn), 1);
  if (left < 0.02) return 1;
  snprintf(lab->error, sizeof lab->error, "the hands do not meet: %.3f m", left);
  return 0;
}

static int find_parts(Lab* lab, Pair* p) {
  const HeftModel* m = lab->model;
  HeftBipedDef def = heft_biped_def_default(m);
  HeftComplianceDef give = heft_compliance_def_default(m);
  def.pelvis = give.waist = lab_body(lab, "second_pelvis");
  def.chest = lab_body(lab, "second_chest");
  for (int side = 0; side < 2; ++side) {
    def.foot[side] = lab_body(lab, side ? "second_right_foot" : "second_left_foot");
    def.sole[side] =
        heft_model_find(m, HEFT_NAMED_SHAPE, side ? "second_right_sole" : "second_left_sole");
    p->hand[side] = lab_body(lab, side ? "second_right_hand" : "right_hand");
    p->finger[side] = lab_body(lab, side ? "second_right_fingers" : "right_fingers");
  }
  p->wrist = heft_model_find(m, HEFT_NAMED_SITE, "second_right_wrist_sensor");
  if (lab->error[0] || p->wrist < 0 || m->nq > PAIR_NQ_MAX) return 0;
  p->root = m->joint_q[m->body_joint[def.pelvis]];
  p->own = p->root;
  give.inertia = 0.2;
  give.damping = 1.2;
  give.stiffness = 1;
  return heft_biped_create(&lab->second, m, &def, NULL) == HEFT_OK &&
         heft_compliance_create(&lab->compliance, m, &give, NULL) == HEFT_OK;
}

// Waist and wrist give way less.
static void set_diagonals(const Lab* lab) {
  const HeftModel* m = lab->model;
  for (int i = 0; i < m->nv; ++i) {
    const char* name = heft_model_name(m, HEFT_NAMED_JOINT, m->dof_joint[i]);
    if (name && (strstr(name, "spine") || strstr(name, "thorax")))
      heft_compliance_set_dof(lab->compliance, i, 6, 40, 60);
    if (name && strstr(name, "wrist")) heft_compliance_set_dof(lab->compliance, i, 0.1, 3, 4);
  }
}

static int begin(Lab* lab, void* self) {
  Pair* p = self;
  if (!find_parts(lab, p) || !stand(lab)) return 0;
  set_diagonals(lab);
  mirror(p, lab->start);
  if (!lab_place(lab)) return 0;
  static const double before[3] = {0.05, -0.004, -0.09};
  for (int k = RAISED; k <= LEAD; ++k) {
    memcpy(lab->pose[k], lab->pose[k - 1], (size_t)lab->model->nq * sizeof(double));
    if (!raise_hand(lab, k, before[k - RAISED])) return 0;
    // the second person stays where the hands have met
    if (k < LEAD) mirror(p, lab->pose[k]);
  }
  heft_biped_stand(lab->second, lab->start, &p->goal);
  p->goal.posture = NULL;  // plain data
  return 1;
}

// ---- every step

static void plan_arms(Lab* lab) {
  const double t = lab_time(lab);
  if (t < 1)
    lab_move(lab, START, RAISED, 0.1, 0.9);
  else if (t < 1.8)
    lab_move(lab, RAISED, TOUCH, 1, 0.6);
  else if (t < 3.4)
    lab_move(lab, TOUCH, LEAD, 1.8, 1);
  else
    lab_move(lab, LEAD, TOUCH, 3.4, 1);
}

// The wrist of the second person feels hand and fingers of the first. A world that was restored has
// no contacts of the last step, so the act remembers what it felt.
static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Pair* p = self;
  const double h = lab->model->physics.time_step;
  (void)report;
  const HeftSpatial a = heft_wrist_wrench(lab->world, p->wrist, p->hand[0]),
                    b = heft_wrist_wrench(lab->world, p->wrist, p->finger[0]);
  const HeftVec3 force = heft_vec3_add(a.lin, b.lin), torque = heft_vec3_add(a.ang, b.ang);
  const double share = h / 0.02;
  p->felt.lin = heft_vec3_add_scaled(p->felt.lin, share, heft_vec3_sub(force, p->felt.lin));
  p->felt.ang = heft_vec3_add_scaled(p->felt.ang, share, heft_vec3_sub(torque, p->felt.ang));
  p->force = heft_vec3_norm(p->felt.lin);
}

// The chest of a goal is turned against its pelvis as in a posture.
static void follow_chest(Lab* lab, const double* posture, const char* pelvis, const char* chest,
                         HeftBipedGoal* goal) {
  heft_dynamics_kinematics(lab->sketch, posture);
  const HeftPose root = heft_dynamics_body_pose(lab->sketch, lab_body(lab, pelvis)),
                 at = heft_dynamics_body_pose(lab->sketch, lab_body(lab, chest));
  const HeftMat3 turn = heft_mat3_mul(heft_mat3_transpose(root.rot), at.rot);
  goal->chest = heft_quat_mul(goal->pelvis, heft_quat_from_mat3(turn));
}

static void control(Lab* lab, void* self) {
  Pair* p = self;
  const HeftModel* m = lab->model;
  const HeftState* s = heft_world_state(lab->world);
  const double h = m->physics.time_step;
  const HeftLoad load = heft_wrist_load(lab->world, p->wrist, p->felt);
  heft_compliance_step(lab->compliance, heft_world_dynamics(lab->world), &load, !(p->stiff > 0.5),
                       h);
  plan_arms(lab);
  heft_compliance_apply(lab->compliance, lab->posture, p->posture);
  p->goal.posture = p->posture;
  follow_chest(lab, p->posture, "second_pelvis", "second_chest", &p->goal);
  double tau[PAIR_NQ_MAX] = {0}, more[PAIR_NQ_MAX] = {0};
  heft_biped_torques(lab->biped, &lab->goal, s->q, s->v, tau);
  heft_biped_torques(lab->second, &p->goal, s->q, s->v, more);
  p->goal.posture = NULL;
  for (int i = 0; i < m->nv; ++i) tau[i] += more[i];
  heft_model_torques_to_controls(m, tau, heft_world_controls(lab->world));
}

static const HeftOption options[] = {
    ACT_OPTION(Pair, stiff, 0, 1, 0, "", "1: the second person does not give way")};
static const HeftOption values[] = {ACT_VALUE(Pair, force, "N", "force between the hands")};

static const ActPart parts[] = {ACT_FOUND(Pair, root),   ACT_FOUND(Pair, own),
                                ACT_FOUND(Pair, wrist),  ACT_FOUND(Pair, hand),
                                ACT_FOUND(Pair, finger), ACT_GOAL(Pair, goal)};
const Act act_pair = {.name = "pair",
                      .text = "two persons meet palm to palm, and one leads the other",
                      .file = "avatar_pair.xml",
                      .size = sizeof(Pair),
                      .parts = ACT_PARTS(parts),
                      .options = {options, 1},
                      .values = {values, 1},
                      .begin = begin,
                      .control = control,
                      .observe = observe};

// ---- the experiment

typedef struct Met {
  double way, force, led, us;  ///< of the first hand [m], max [N], of the second hand [m], [us]
  int points, upright;
  long steps;
} Met;

static int between(const Lab* lab, const Pair* p) {
  int count = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    const int first = c.body_a == p->hand[0] || c.body_a == p->finger[0] ||
                      c.body_b == p->hand[0] || c.body_b == p->finger[0];
    const int second = c.body_a == p->hand[1] || c.body_a == p->finger[1] ||
                       c.body_b == p->hand[1] || c.body_b == p->finger[1];
    count += first && second;
  }
  return count;
}

static int meet(Lab* lab, int stiff, Met* met) {
  Pair p = {.stiff = stiff};
  if (!act_open(&act_pair, lab, &p)) return 0;
  const double end = lab_brief(lab) ? 2.4 : 5;
  double from[2] = {0, 0};
  for (int i = 0; lab_time(lab) < end && lab_upright(lab); ++i) {
    const double before = lab_cpu_us();
    act_step(&act_pair, lab, &p);
    const double us = lab_cpu_us() - before, t = lab_time(lab);
    const HeftDynamics* d = heft_world_dynamics(lab->world);
    const double x[2] = {heft_dynamics_body_pose(d, p.hand[0]).pos.x,
                         heft_dynamics_body_pose(d, p.hand[1]).pos.x};
    const int points = between(lab, &p);
    met->us += us;
    ++met->steps;
    met->points = points > met->points ? points : met->points;
    if (t < 1.8) memcpy(from, x, sizeof from);
    if (t > 1.8) {
      met->way = fmax(met->way, x[0] - from[0]);
      met->led = fmax(met->led, x[1] - from[1]);
      met->force = fmax(met->force, p.force);
    }
    const double row[CHANNELS] = {t, x[0], x[1], p.force, heft_vec3_norm(p.felt.ang), points, us};
    if (!stiff && i % 5 == 0) lab_log(lab, row);
    if (!stiff && (i == 100 || i == 1700 || i == 2300 || i == 3300 || i == 4900)) lab_instant(lab);
  }
  const double* q = heft_world_state(lab->world)->q;
  met->upright = lab_upright(lab) && q[p.root + 2] > 0.5 * lab->start[p.root + 2];
  met->us /= met->steps > 0 ? (double)met->steps : 1;
  return 1;
}

void experiment_pair(Lab* lab) {
  Met soft = {0}, stiff = {0};
  lab_camera(lab, 90, 8, 2.8, heft_vec3(0.42, 0, 0.95));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "hands of both persons", "m", (const char*[]){"first hand", "second hand", NULL});
  lab_panel(lab, "force between the hands", "N", (const char*[]){"force", NULL});
  lab_panel(lab, "torque at the wrist of the second", "N m", (const char*[]){"torque", NULL});
  lab_panel(lab, "contact points between the hands", "", (const char*[]){"points", NULL});
  lab_panel(lab, "time of a step", "us", (const char*[]){"step [us]", NULL});
  if (!meet(lab, 0, &soft) || (!lab_brief(lab) && !meet(lab, 1, &stiff))) return;
  lab->success = soft.upright && soft.points > 0;
  lab_claim(lab, soft.upright && soft.points >= 3, "two avatars touch, palm to palm, and stand",
            "[Keith 2008], 1", "up to %d contact points between their hands", soft.points);
  if (!lab_brief(lab))
    lab_claim(lab, stiff.upright && soft.led > 2 * stiff.led && soft.force < 0.67 * stiff.force,
              "one avatar leads the other", "[Keith 2008], Eq. 22",
              "second hand led by %.0f mm with up to %.1f N; stiff: %.0f mm with %.1f N",
              1e3 * soft.led, soft.force, 1e3 * stiff.led, stiff.force);
  if (!lab_brief(lab))  // tests do not depend on the speed of the machine
    lab_claim(lab, soft.us < 1000, "in real time at 1 ms", "own requirement",
              "%.2f ms of CPU time per step, both controllers included: %.1f x real time",
              soft.us / 1000, 1000 / soft.us);
  lab_claim_certificate(lab);
}
