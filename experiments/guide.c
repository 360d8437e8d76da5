// SPDX-License-Identifier: Apache-2.0
#include "experiments/guide.h"

#include <math.h>
#include <string.h>

const HeftOption guide_options[GUIDE_OPTION_COUNT] = {
    ACT_OPTION(InteractiveData, stiff, 0, 1, 0, "", "1: the robot does not give way"),
    ACT_OPTION(InteractiveData, blind, 0, 1, 0, "", "1: the eyes do not follow the hand"),
    ACT_OPTION(Guide, grip, 0, 1, 0, "", "1: the hand takes the object, as by the second button")};

enum { HOLD = 1, CLOSE = 2 };
static const double open_angle = -0.4, opened = -0.3, torque = 3;
static const HeftVec3 aim = {0.006, 0, -0.006};  // of the object in the open gripper [m]
static const double above = 0.02;                // of the gripper over its centre [m]
static const double far = 0.2, near = 0.14,
                    reach = 0.15;  // where the spring begins, is whole; of a grasp [m]
static const double plate_side = 0.006, thumb_side = 0.015, across = 0.02,
                    ahead = 0.01;    // a gripper that is there is at
                                     // most as far off to these sides [m]
static const double upright = 0.95;  // cosine of an object that can be taken
static const double settled = 0.5;   // of the arm behind its command [s]
static const double spring = 300, strongest = 20, turn = 4;  // [N/m, N, N m/rad]

int guide_begin(Lab* lab, Guide* g, const char* object) {
  if (!lead_begin(lab, &g->lead, object, 1)) return 0;
  g->gripper = heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, "right_gripper");
  g->thumb = lab_body(lab, "right_thumb");
  g->site = heft_model_find(lab->model, HEFT_NAMED_SITE, "right_grip");
  if (g->gripper < 0 || g->site < 0 || lab->error[0]) return 0;
  lab_set_joint(lab, "right_gripper", open_angle);
  memcpy(g->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  return lab_place(lab);
}

// ---- what is measured

int guide_pinched(const Lab* lab, const Guide* g) {
  const HeftVec3 o = {0, 0, 0};
  const HeftVec3 hand = heft_world_pair_wrench(lab->world, g->lead.object, g->lead.hand[1], o).lin,
                 thumb = heft_world_pair_wrench(lab->world, g->lead.object, g->thumb, o).lin;
  return heft_vec3_norm(hand) > 1 && heft_vec3_dot(hand, thumb) < 0;
}

void guide_observe(const Lab* lab, Guide* g) {
  lead_observe(lab, &g->lead);
  g->pinched = guide_pinched(lab, g);
}

// The way from a gripper to its place at the object, in the frame of the level hand: z goes back
// along the fingers.
static HeftVec3 way_left(const Lab* lab, const Guide* g, HeftVec3 grip) {
  HeftVec3 to = heft_vec3_from(heft_world_state(lab->world)->q + g->lead.object_q);
  to.z += above;
  return heft_vec3_sub(heft_mat3_tmul_vec(g->level, heft_vec3_sub(to, grip)), aim);
}

// The gripper in the posture that is commanded: a spring to where the gripper is would swing,
// because the arm follows late.
static HeftPose commanded(Lab* lab, const Guide* g) {
  double q[LEAD_NQ_MAX];
  memcpy(q, g->lead.posture, (size_t)lab->model->nq * sizeof(double));
  memcpy(q, heft_world_state(lab->world)->q, 7 * sizeof(double));
  heft_dynamics_kinematics(lab->sketch, q);
  return heft_dynamics_site_pose(lab->sketch, g->site);
}

// The second button asks for the grasp, and ends it.
static TaskSense sense(const Lab* lab, Guide* g, const HeftHand* hand, HeftVec3 left) {
  const HeftModel* m = lab->model;
  const int pressed = (hand->buttons & ~g->buttons & CLOSE) != 0, state = g->data.task.state;
  const int idle = state == TASK_APPROACH || state == TASK_WAIT || state == TASK_GIVE_UP;
  const HeftPose can = heft_dynamics_body_pose(heft_world_dynamics(lab->world), g->lead.object);
  const double angle = heft_world_state(lab->world)->q[m->joint_q[m->actuator_target[g->gripper]]];
  g->buttons = hand->buttons;
  if (pressed) g->wanted = idle;
  const int asked = g->wanted || g->grip > 0.5;
  return (TaskSense){.asked = asked,
                     .ended = state == TASK_GIVE_UP ? pressed : !asked,
                     .within = heft_vec3_norm(left) < reach && can.rot.m[2][2] > upright,
                     .there = left.x > -plate_side && left.x < thumb_side &&
                              fabs(left.y) < across && fabs(left.z) < ahead,
                     .taken = hand->body == g->lead.object && (hand->buttons & HOLD),
                     .pressed = g->pinched,
                     .open = angle < opened};
}

// ---- what gives way

// 1 for the bodies of the arm.
static int is_arm(const Lab* lab, const Guide* g, int body) {
  const int chest = heft_model_find(lab->model, HEFT_NAMED_BODY, "chest");
  if (body <= 0) return 0;
  for (int own = g->thumb; own > 0 && own != chest; own = lab->model->body_parent[own])
    if (own == body) return 1;
  return 0;
}

// An arm that the user holds gives way to force and torque of the user.
static int user_load(const Lab* lab, const Guide* g, const HeftHand* hand, HeftLoad* load) {
  const int held = is_arm(lab, g, hand->body) && (hand->buttons & HOLD) && !(g->data.stiff > 0.5);
  *load = (HeftLoad){
      .body = hand->body, .point = hand->point, .force = hand->force, .torque = hand->torque};
  return held;
}

static HeftVec3 bounded(HeftVec3 v, double most) {
  const double size = heft_vec3_norm(v);
  return size > most ? heft_vec3_scale(most / size, v) : v;
}

// The spring between gripper and object, and one that keeps the hand level.
static HeftLoad draw(Lab* lab, Guide* g, HeftVec3 measured, int wanted, double dt) {
  const HeftPose x = commanded(lab, g);
  HeftVec3 left = way_left(lab, g, x.pos);
  const HeftVec3 late = heft_vec3_sub(heft_vec3_sub(measured, left), g->late);
  g->late = heft_vec3_add_scaled(g->late, dt / settled, late);
  left = heft_vec3_add(left, g->late);
  const double share = wanted ? 1 : fmin(fmax((far - heft_vec3_norm(left)) / (far - near), 0), 1);
  if (!wanted) left.z = fmax(left.z, 0);
  const HeftVec3 pull = bounded(heft_vec3_scale(spring * share, left), strongest);
  const HeftMat3 off = heft_mat3_mul(g->level, heft_mat3_transpose(x.rot));
  return (HeftLoad){
      .body = g->lead.hand[1],
      .point = x.pos,
      .force = heft_mat3_mul_vec(g->level, pull),
      .torque = heft_vec3_scale(turn * share, heft_quat_log(heft_quat_from_mat3(off)))};
}

// What the hand carries of the object: the most that the wrist has felt since the gripper closed.
static void carry(Lab* lab, Guide* g, double dt) {
  const double all = lab->model->body_mass[g->lead.object] * lab->gravity;
  const double now = fmin(fmax(all - g->lead.user.lin.z, g->weight), all);
  g->weight = g->closed > 0.5 ? g->weight + dt / 0.05 * (now - g->weight) : 0;
  const double* at = heft_world_state(lab->world)->q + g->lead.object_q;
  lab->goal.load_count = 1;
  lab->goal.load[0] =
      (HeftLoad){.body = g->lead.hand[1], .point = heft_vec3_from(at), .force = {0, 0, -g->weight}};
}

static void give_way(Lab* lab, Guide* g, const HeftHand* hand, HeftVec3 left, int pushed,
                     double dt) {
  const int state = g->data.task.state, carries = state == TASK_CARRY;
  const int wanted = state == TASK_APPROACH && (g->wanted || g->grip > 0.5);
  HeftLoad load[2];
  int count = user_load(lab, g, hand, &load[0]);
  if (state == TASK_GRASP || state == TASK_RELEASE || wanted) count = 0;
  if (state == TASK_APPROACH && (wanted || count > 0) && !(g->data.stiff > 0.5))
    load[count++] = draw(lab, g, left, wanted, dt);
  if (count > 0)
    heft_compliance_step(lab->compliance, heft_world_dynamics(lab->world), load, count, dt);
  else
    lead_comply(lab, &g->lead, pushed && carries, dt);
}

void guide_control(Lab* lab, Guide* g) {
  const double h = lab->model->physics.time_step;
  const HeftHand* hand = &lab->person[0];
  const HeftPose grip = heft_dynamics_site_pose(heft_world_dynamics(lab->world), g->site);
  if (!g->begun) {
    g->begun = 1;
    g->level = grip.rot;
    memcpy(g->lead.posture, g->base, (size_t)lab->model->nq * sizeof(double));
  }
  const HeftVec3 left = way_left(lab, g, grip.pos);
  const TaskSense s = sense(lab, g, hand, left);
  task_step(&g->data.task, &s, h);
  if (g->data.task.state == TASK_GIVE_UP) g->wanted = 0;
  g->closed = g->data.task.state == TASK_GRASP || g->data.task.state == TASK_CARRY;
  g->since = g->closed > 0.5 ? g->since + h : 0;
  const int pushed = lead_pushed(lab, &g->lead, &g->data, hand, h);
  give_way(lab, g, hand, left, pushed, h);
  lead_pose(lab, &g->lead, &g->data, g->base, h);
  lab->goal.posture_velocity = NULL;
  carry(lab, g, h);
}

void guide_grip(Lab* lab, const Guide* g) {
  if (g->closed > 0.5)
    heft_world_controls(lab->world)[g->gripper] = torque * fmin(g->since / 0.3, 1);
}
