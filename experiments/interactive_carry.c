// SPDX-License-Identifier: Apache-2.0
// A user and the HRP-2-like robot move a bar together ([Chardonnet 2012], [Chardonnet 2008] and
// [Keith 2008]: interactive manipulation with a haptic device). The robot holds the bar of 8.4 kg
// in its hooks by contact alone. The user grasps it in the middle, pushes it towards the robot and
// pulls it back.
//
// While the user pushes (HeftBehaviour lead), the robot complies: the force of the bar on the hands
// beyond its known weight, at the wrists, moves the arms by M_d q̈ + B_d q̇ = Jᵀ f
// ([Chardonnet 2012], Eq. 16). The eyes follow the hand of the user, or keep their direction.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/carry.h"
#include "experiments/poses.h"

static const double grip_torque = 10, slow = 0.02, settled = 1;
static const HeftVec3 grip = {-0.008, 0, -0.105};  // position of the bar in a hand

// ---- preparation

static int place_arms(Lab* lab, Carry* c) {
  const double x = 0.36, z = 1.15;
  const HeftQuat down = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -100 * HEFT_PI / 180);
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 at = {x, side ? -0.25 : 0.25, z};
    if (lab_arm(lab, 0, side, grip, at, down, 1) > 1e-3) {
      snprintf(lab->error, sizeof lab->error, "the arms do not reach the bar");
      return 0;
    }
  }
  memcpy(lab->start, lab->pose[0], (size_t)lab->model->nq * sizeof(double));
  lab->start[c->bar_q] = c->start_x = x;
  lab->start[c->bar_q + 2] = z;
  return lab_place(lab);
}

static void find_parts(Lab* lab, Carry* c) {
  c->bar = lab_body(lab, "bar");
  for (int side = 0; side < 2; ++side) {
    c->hand[side] = lab_body(lab, side ? "right_hand" : "left_hand");
    c->thumb[side] = lab_body(lab, side ? "right_thumb" : "left_thumb");
    c->gripper[side] =
        heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, side ? "right_gripper" : "left_gripper");
  }
  c->mass = lab->model->body_mass[c->bar];
  c->bar_q = lab->model->joint_q[lab->model->body_joint[c->bar]];
}

static int carry_open(InteractiveScene* m) {
  Carry* c = m->self;
  Lab* lab = m->lab;
  if (!lab_open(lab, "hrp2_lift_8.xml", pose_half_sitting) || lab->model->nq > CARRY_NQ_MAX)
    return 0;
  find_parts(lab, c);
  if (!place_arms(lab, c)) return 0;
  HeftComplianceDef give = heft_compliance_def_default(lab->model);
  const int eyes = heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze");
  give.inertia = 0.3;
  give.damping = 3;
  m->seat[0].at = heft_vec3_from(lab->start + c->bar_q);
  m->seat[0].probe.mode = HEFT_PROBE_ATTACH;
  m->seat[0].probe.body = c->bar;
  m->seat[0].probe.stiffness = 600;
  m->seat[0].probe.rotational_stiffness = 0;
  memcpy(c->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  c->stand = lab->goal;
  return heft_compliance_create(&c->compliance, lab->model, &give, NULL) == HEFT_OK &&
         heft_gaze_create(&c->gaze, lab->model, eyes, -1, 2, NULL, NULL) == HEFT_OK;
}

static int carry_open_blind(InteractiveScene* m) {
  m->blind = 1;
  return carry_open(m);
}

static void carry_close(InteractiveScene* m) {
  Carry* c = m->self;
  heft_gaze_destroy(c->gaze);
  heft_compliance_destroy(c->compliance);
}

// ---- every step

// Force of the bar on a hand beyond its known weight, at the wrist.
static HeftVec3 wrist_force(const Lab* lab, const Carry* c, int side) {
  const HeftVec3 o = {0, 0, 0};
  const HeftSpatial hand = heft_world_pair_wrench(lab->world, c->hand[side], c->bar, o),
                    thumb = heft_world_pair_wrench(lab->world, c->thumb[side], c->bar, o);
  const HeftVec3 weight = {0, 0, -0.5 * c->mass * lab->gravity};
  return heft_vec3_sub(heft_vec3_add(hand.lin, thumb.lin), weight);
}

static void be_led(Lab* lab, Carry* c, int yields, double h) {
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  HeftLoad touch[2];
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 now = lab_time(lab) > settled ? wrist_force(lab, c, side) : heft_vec3(0, 0, 0);
    c->felt[side] =
        heft_vec3_add_scaled(c->felt[side], h / slow, heft_vec3_sub(now, c->felt[side]));
    touch[side] = (HeftLoad){.body = c->hand[side],
                             .point = heft_dynamics_body_pose(d, c->hand[side]).pos,
                             .force = {c->felt[side].x, 0, 0}};
  }
  heft_compliance_step(c->compliance, d, touch, yields ? 2 : 0, h);
}

// A user who pushes for a while leads the robot.
static int is_led(InteractiveScene* m, const InteractiveHand* hand, double h) {
  Carry* c = m->self;
  HeftGestureDef gestures = heft_gesture_def_default();
  gestures.push_shortest = 0.3;  // the user grasps the same bar: a push is recognised early
  gestures.release = 0.2;
  const HeftVec3 force = hand->body == c->bar ? hand->force : heft_vec3(0, 0, 0);
  HeftBehaviourOutput want = {0};
  HeftBehaviourInput in = {h, hand->pos, force, HEFT_GESTURE_NONE};
  in.gesture = heft_gesture_step(&gestures, &c->gesture, force, h);
  ++m->gestures[in.gesture];
  heft_behaviour_at(0)->step(&c->lead, &in, &want);
  return want.comply && !m->stiff;
}

static void carry_act(InteractiveScene* m, const InteractiveHand* hands, double h) {
  Carry* c = m->self;
  Lab* lab = m->lab;
  const HeftState* state = heft_world_state(lab->world);
  const HeftVec3 bar = heft_vec3_from(state->q + c->bar_q);
  const double share = c->mass * lab->gravity / lab_weight(lab);
  be_led(lab, c, is_led(m, &hands[0], h), h);
  const HeftVec3 target = hands[0].present ? hands[0].pos : bar;
  double eyes[CARRY_NQ_MAX];  // posture of the gaze
  memcpy(eyes, c->base, (size_t)lab->model->nq * sizeof(double));
  m->gaze_error =
      heft_gaze_step(c->gaze, heft_world_dynamics(lab->world), state->q, target, h, eyes);
  if (!m->blind) memcpy(c->base, eyes, (size_t)lab->model->nq * sizeof(double));
  heft_compliance_apply(c->compliance, c->base, c->posture);
  m->led = interactive_led(c->compliance, lab->model);
  lab->goal.posture = c->posture;
  lab->goal.com = c->stand.com;
  lab->goal.com.x -= share * (bar.x - c->stand.com.x);
  lab->goal.load_count = 2;
  for (int side = 0; side < 2; ++side)
    lab->goal.load[side] = (HeftLoad){.body = c->hand[side],
                                      .point = {bar.x, side ? -0.25 : 0.25, bar.z},
                                      .force = {0, 0, -0.5 * c->mass * lab->gravity}};
  heft_biped_step(lab->biped, &lab->goal, lab->world);
  for (int side = 0; side < 2; ++side)
    heft_world_controls(lab->world)[c->gripper[side]] = grip_torque;
}

static const InteractivePath way[] = {{0, {0.36, 0, 1.15}, 0}, {1.5, {0.36, 0, 1.15}, 0},
                                      {3, {0.29, 0, 1.15}, 0}, {4.5, {0.29, 0, 1.15}, 0},
                                      {6, {0.38, 0, 1.15}, 0}, {8, {0.38, 0, 1.15}, 0}};

#define CARRY(word, words, opener)                                                     \
  {                                                                                    \
    .name = word, .text = words, .users = 1, .takes = 8, .begins = 1,                  \
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL}, .way = {way, NULL},  \
    .way_count = {sizeof way / sizeof *way, 0}, .size = sizeof(Carry), .open = opener, \
    .act = carry_act, .close = carry_close,                                            \
  }
const InteractiveKind interactive_carry =
    CARRY("carry", "a user and the HRP-2-like robot move a bar together", carry_open);
const InteractiveKind interactive_carry_blind =
    CARRY("carry_blind", "the same; the robot does not look at the hand", carry_open_blind);
