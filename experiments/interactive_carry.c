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

static int begin(Lab* lab, void* self) {
  Carry* c = self;
  if (lab->model->nq > CARRY_NQ_MAX) return 0;
  find_parts(lab, c);
  if (!place_arms(lab, c)) return 0;
  HeftComplianceDef give = heft_compliance_def_default(lab->model);
  give.waist = lab_body(lab, "chest");
  const int eyes = heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze");
  give.inertia = 0.3;
  give.damping = 3;
  memcpy(c->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  c->stand = lab->goal;
  c->stand.posture = c->stand.posture_velocity = NULL;  // plain data
  return heft_compliance_create(&lab->compliance, lab->model, &give, NULL) == HEFT_OK &&
         heft_gaze_create(&lab->gaze, lab->model, eyes, -1, 2, NULL, NULL) == HEFT_OK;
}

static void sit(Lab* lab, const void* self, InteractiveSeat* seat) {
  const Carry* c = self;
  seat[0].at = heft_vec3_from(lab->start + c->bar_q);
  seat[0].probe.mode = HEFT_PROBE_ATTACH;
  seat[0].probe.body = c->bar;
  seat[0].probe.stiffness = 600;
  seat[0].probe.rotational_stiffness = 0;
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
  heft_compliance_step(lab->compliance, d, touch, yields ? 2 : 0, h);
}

// A user who pushes for a while leads the robot.
static int is_led(Carry* c, const HeftHand* hand, double h) {
  HeftGestureDef gestures = heft_gesture_def_default();
  gestures.push_shortest = 0.3;  // the user grasps the same bar: a push is recognised early
  gestures.release = 0.2;
  const HeftVec3 force = hand->body == c->bar ? hand->force : heft_vec3(0, 0, 0);
  HeftBehaviourOutput want = {0};
  HeftBehaviourInput in = {h, hand->pos, force, HEFT_GESTURE_NONE};
  in.gesture = heft_gesture_step(&gestures, &c->gesture, force, h);
  ++c->data.gestures[in.gesture];
  heft_behaviour_at(0)->step(&c->lead, &in, &want);
  return want.comply && !(c->data.stiff > 0.5);
}

static void control(Lab* lab, void* self) {
  Carry* c = self;
  const HeftHand* hand = &lab->person[0];
  const double h = lab->model->physics.time_step;
  const HeftState* state = heft_world_state(lab->world);
  const HeftVec3 bar = heft_vec3_from(state->q + c->bar_q);
  const double share = c->mass * lab->gravity / lab_weight(lab);
  be_led(lab, c, is_led(c, hand, h), h);
  const HeftVec3 target = hand->present ? hand->pos : bar;
  double eyes[CARRY_NQ_MAX];  // posture of the gaze
  memcpy(eyes, c->base, (size_t)lab->model->nq * sizeof(double));
  c->data.gaze_error =
      heft_gaze_step(lab->gaze, heft_world_dynamics(lab->world), state->q, target, h, eyes);
  if (!(c->data.blind > 0.5)) memcpy(c->base, eyes, (size_t)lab->model->nq * sizeof(double));
  heft_compliance_apply(lab->compliance, c->base, c->posture);
  c->data.led = interactive_led(lab);
  lab->goal.posture = c->posture;
  lab->goal.com = c->stand.com;
  lab->goal.com.x -= share * (bar.x - c->stand.com.x);
  lab->goal.load_count = 2;
  for (int side = 0; side < 2; ++side)
    lab->goal.load[side] = (HeftLoad){.body = c->hand[side],
                                      .point = {bar.x, side ? -0.25 : 0.25, bar.z},
                                      .force = {0, 0, -0.5 * c->mass * lab->gravity}};
  lab_balance(lab);
  for (int side = 0; side < 2; ++side)
    heft_world_controls(lab->world)[c->gripper[side]] = grip_torque;
}

static const HeftOption options[] = {
    ACT_OPTION(InteractiveData, stiff, 0, 1, 0, "", "1: the robot does not give way"),
    ACT_OPTION(InteractiveData, blind, 0, 1, 0, "", "1: the eyes do not follow the hand")};
static const HeftOption values[] = {
    INTERACTIVE_COUNT("pushes", HEFT_GESTURE_PUSH, "pushes so far"),
    ACT_VALUE(InteractiveData, gaze_error, "rad", "angle between the eyes and the hand"),
    ACT_VALUE(InteractiveData, led, "rad", "displacement of the arms by compliance")};

const Act act_carry = {.name = "carry",
                       .text = "a user and the HRP-2-like robot move a bar together",
                       .experiment = "share",
                       .file = "hrp2_lift_8.xml",
                       .pose = pose_half_sitting,
                       .size = sizeof(Carry),
                       .options = {options, 2},
                       .values = {values, 3},
                       .begin = begin,
                       .control = control};

static const InteractivePath way[] = {{0, {0.36, 0, 1.15}, 0}, {1.5, {0.36, 0, 1.15}, 0},
                                      {3, {0.29, 0, 1.15}, 0}, {4.5, {0.29, 0, 1.15}, 0},
                                      {6, {0.38, 0, 1.15}, 0}, {8, {0.38, 0, 1.15}, 0}};

const InteractiveKind interactive_carry = {
    .act = &act_carry,
    .users = 1,
    .takes = 8,
    .begins = 1,
    .device = {"omega,hand-stiffness=400,hand-damping=12", NULL},
    .way = {way, NULL},
    .way_count = {sizeof way / sizeof *way, 0},
    .sit = sit,
};
