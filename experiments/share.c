// SPDX-License-Identifier: Apache-2.0
// A person and the HRP-2-like robot move a bar together (papers A, D and E: interactive
// manipulation with a haptic device). The robot holds the bar of 8.4 kg in its hooks by contact
// alone; the person, an emulated hand at an emulated device, holds it in the middle, pushes it
// towards the robot, and pulls it back.
//
// The robot is led: what the bar does to the hands beyond its known weight, carried to the wrists,
// moves the arms through M_d q̈ + B_d q̇ = Jᵀ f (paper A, Eq. 16), and the eyes follow the person's
// hand. The same again with stiff arms shows what that buys.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, HAND_X, BAR_X, FORCE_X, LED, GAZE, FEET, CONTACTS, CHANNELS, NQ_MOST = 128 };
static const char* const names[CHANNELS] = {"time",   "hand x", "bar x", "force x",
                                            "led by", "gaze",   "feet",  "contacts"};

static const char way[] =
    "omega:0 0 0 0; 1.5 0 0 0; 3 -0.07 0 0; 4.5 -0.07 0 0; 6 0.02 0 0; 8 0.02 0 0";
static const double grip_torque = 10, slow = 0.02;
static const HeftVec3 grip = {-0.008, 0, -0.105};  // the bar's place in a hand

typedef struct Share {
  int bar, bar_q, hand[2], thumb[2], gripper[2];
  double mass, start_x, settled_x;
  HeftCompliance* compliance;
  HeftGaze* gaze;
  HeftProbe* probe;
  HeftServo* servo;
  HeftDevice* device;
  HeftVec3 felt[2];  // by the wrists, beyond the known weight, smoothed [N]
  double base[NQ_MOST], posture[NQ_MOST];
  double travel, force_peak, gaze_error, ledger, step_us;
  double contacts;
  int upright;
} Share;

// ---- getting ready

static int place_arms(Lab* lab, Share* s) {
  const double x = 0.36, z = 1.15;
  const HeftQuat down = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -100 * HEFT_PI / 180);
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 at = {x, side ? -0.25 : 0.25, z};
    if (lab_arm(lab, 0, side, grip, at, down, 1) > 1e-3) return 0;
  }
  memcpy(lab->start, lab->pose[0], (size_t)lab->model->nq * sizeof(double));
  lab->start[s->bar_q] = s->start_x = x;
  lab->start[s->bar_q + 2] = z;
  return lab_place(lab);
}

static void find_parts(Lab* lab, Share* s) {
  s->bar = lab_body(lab, "bar");
  for (int side = 0; side < 2; ++side) {
    s->hand[side] = lab_body(lab, side ? "right_hand" : "left_hand");
    s->thumb[side] = lab_body(lab, side ? "right_thumb" : "left_thumb");
    s->gripper[side] =
        heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, side ? "right_gripper" : "left_gripper");
  }
  s->mass = lab->model->body_mass[s->bar];
  s->bar_q = lab->model->joint_q[lab->model->body_joint[s->bar]];
}

// A firm hand.
static void strengthen(HeftDevice* device) {
  HeftEmulator* person = heft_device_self(device);
  person->def.hand_stiffness = 400;
  person->def.hand_damping = 12;
}

static int invite(Lab* lab, Share* s) {
  HeftError error = {0};
  HeftProbeDef probe = heft_probe_def_default();
  HeftMapping mapping = heft_mapping_default();
  HeftComplianceDef give = heft_compliance_def_default(lab->model);
  const int eyes = heft_model_find(lab->model, HEFT_NAMED_SITE, "gaze");
  probe.mode = HEFT_PROBE_ATTACH;
  probe.body = s->bar;
  probe.stiffness = 600;
  probe.turn_stiffness = 0;
  mapping.origin = heft_vec3_from(lab->start + s->bar_q);
  give.inertia = 0.3;
  give.damping = 3;
  if (heft_probe_create(&s->probe, lab->model, &probe, &error) == HEFT_OK &&
      heft_servo_create(&s->servo, NULL, &error) == HEFT_OK &&
      heft_device_open(&s->device, heft_driver_named("emulated"), way, NULL, &error) == HEFT_OK &&
      heft_compliance_create(&s->compliance, lab->model, &give, &error) == HEFT_OK &&
      heft_gaze_create(&s->gaze, lab->model, eyes, -1, 2, NULL, &error) == HEFT_OK)
    return strengthen(s->device), heft_servo_add(s->servo, s->device, &mapping) == 0;
  snprintf(lab->error, sizeof lab->error, "%.500s", error.message);
  return 0;
}

static void part(Share* s) {
  heft_servo_destroy(s->servo);
  heft_device_close(s->device);
  heft_probe_destroy(s->probe);
  heft_gaze_destroy(s->gaze);
  heft_compliance_destroy(s->compliance);
}

// ---- the robot

// What the bar does to a hand beyond its known weight, at the wrist.
static HeftVec3 wrist_force(const Lab* lab, const Share* s, int side) {
  const HeftVec3 o = {0, 0, 0};
  const HeftSpatial hand = heft_world_pair_wrench(lab->world, s->hand[side], s->bar, o),
                    thumb = heft_world_pair_wrench(lab->world, s->thumb[side], s->bar, o);
  const HeftVec3 weight = {0, 0, -0.5 * s->mass * lab->gravity};
  return heft_vec3_sub(heft_vec3_add(hand.lin, thumb.lin), weight);
}

static void be_led(Lab* lab, Share* s, double h) {
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  HeftLoad touch[2];
  for (int side = 0; side < 2; ++side) {
    const HeftVec3 now = lab_time(lab) > 1 ? wrist_force(lab, s, side) : heft_vec3(0, 0, 0);
    s->felt[side] =
        heft_vec3_add_scaled(s->felt[side], h / slow, heft_vec3_sub(now, s->felt[side]));
    touch[side] = (HeftLoad){.body = s->hand[side],
                             .point = heft_body_pose(d, s->hand[side]).pos,
                             .force = {s->felt[side].x, 0, 0}};
  }
  heft_compliance_step(s->compliance, d, touch, 2, h);
}

static void set_goal(Lab* lab, Share* s, const HeftBipedGoal* stand, int led, double h) {
  const HeftState* state = heft_world_state(lab->world);
  const HeftVec3 bar = heft_vec3_from(state->q + s->bar_q);
  const double share = s->mass * lab->gravity / lab_weight(lab);
  if (led) be_led(lab, s, h);
  s->gaze_error =
      heft_gaze_step(s->gaze, heft_world_dynamics(lab->world), state->q, bar, h, s->base);
  heft_compliance_apply(s->compliance, s->base, s->posture);
  lab->goal.posture = s->posture;
  lab->goal.com = stand->com;
  lab->goal.com.x -= share * (bar.x - stand->com.x);
  lab->goal.load_count = 2;
  for (int side = 0; side < 2; ++side)
    lab->goal.load[side] = (HeftLoad){.body = s->hand[side],
                                      .point = {bar.x, side ? -0.25 : 0.25, bar.z},
                                      .force = {0, 0, -0.5 * s->mass * lab->gravity}};
}

// ---- one step of both

static double step_both(Lab* lab, Share* s, uint64_t now_ns) {
  HeftProbeInput hand;
  heft_servo_tick(s->servo, now_ns);
  heft_servo_input(s->servo, 0, &hand);
  if (lab_time(lab) < 1) hand.present = 0;  // the robot takes hold first
  heft_biped_step(lab->biped, &lab->goal, lab->world);
  for (int side = 0; side < 2; ++side)
    heft_world_controls(lab->world)[s->gripper[side]] = grip_torque;
  const uint64_t before = heft_clock_ns();
  heft_probe_begin(s->probe, lab->world, &hand);
  lab_step_alone(lab);
  const HeftLocalModel model = heft_probe_end(s->probe, lab->world);
  const double us = 1e-3 * (double)(heft_clock_ns() - before);
  heft_servo_model(s->servo, 0, &model);
  return us;
}

static void note(Lab* lab, const Share* s) {
  const HeftEmulator* person = heft_device_self(s->device);
  const HeftState* state = heft_world_state(lab->world);
  double led = 0;
  for (int i = 0; i < lab->model->nv; ++i)
    led = fmax(led, fabs(heft_compliance_offset(s->compliance)[i]));
  const double row[CHANNELS] = {lab_time(lab),
                                s->start_x + person->pos.x,
                                state->q[s->bar_q],
                                heft_probe_state(s->probe)->force.x,
                                led,
                                s->gaze_error,
                                lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL),
                                heft_world_contact_count(lab->world)};
  lab_log(lab, row);
}

static int share(Lab* lab, Share* s, int led) {
  if (!lab_open(lab, "hrp2_lift_8.xml", pose_half_sitting)) return 0;
  find_parts(lab, s);
  if (lab->model->nq > NQ_MOST || !place_arms(lab, s) || !invite(lab, s)) {
    if (!lab->error[0]) snprintf(lab->error, sizeof lab->error, "the arms do not reach the bar");
    part(s);
    return 0;
  }
  memcpy(s->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  const HeftBipedGoal stand = lab->goal;
  const double h = lab->model->physics.time_step, end = lab->brief ? 5 : 8;
  uint64_t now = 1000000000u;
  double low = s->start_x, sum = 0, contacts = 0;
  int i = 0;
  for (; lab_time(lab) < end && lab_upright(lab); ++i) {
    now += 1000000u;
    set_goal(lab, s, &stand, led, h);
    sum += step_both(lab, s, now);
    contacts += heft_world_contact_count(lab->world);
    const double x = heft_world_state(lab->world)->q[s->bar_q];
    if (lab_time(lab) < 1.5) low = s->settled_x = x;
    low = fmin(low, x);
    s->force_peak = fmax(s->force_peak, fabs(heft_probe_state(s->probe)->force.x));
    if (led && i % 5 == 0) note(lab, s);
    if (led && (i == 1400 || i == 4000)) lab_moment(lab);
  }
  s->travel = s->settled_x - low;
  s->upright = lab_upright(lab);
  s->ledger = heft_device_report(s->device).energy_lowest;
  s->step_us = sum / (i > 0 ? i : 1);
  s->contacts = contacts / (i > 0 ? i : 1);
  part(s);
  return 1;
}

void experiment_share(Lab* lab) {
  Share led = {0}, stiff = {0};
  lab->camera[0] = -50;
  lab->camera[1] = 12;
  lab->camera[2] = 2.6;
  lab->camera[5] = 0.85;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "the person's hand and the bar", "m", (const char*[]){"hand x", "bar x", NULL});
  lab_panel(lab, "what the person feels", "N", (const char*[]){"force x", NULL});
  lab_panel(lab, "how far the arms were led, and the eyes' error", "rad",
            (const char*[]){"led by", "gaze", NULL});
  lab_panel(lab, "what the feet carry", "N", (const char*[]){"feet", NULL});
  if (!share(lab, &led, 1) || !share(lab, &stiff, 0)) return;
  lab->success = led.upright && led.travel > stiff.travel;
  lab_claim(lab, led.upright && stiff.upright, "it stands while a person pushes what it holds",
            "paper D, 4", "upright with compliance and without");
  lab_claim(lab, led.travel > 2 * stiff.travel && led.force_peak < stiff.force_peak,
            "a compliant robot can be led by what it holds", "paper A, Eq. 16",
            "the bar goes %.0f mm with at most %.1f N; with stiff arms %.0f mm with %.1f N",
            1e3 * led.travel, led.force_peak, 1e3 * stiff.travel, stiff.force_peak);
  lab_claim(lab, led.gaze_error < 0.05, "it looks at the person's hand", "paper A, 4",
            "off by %.2f degrees at the end", led.gaze_error * 180 / HEFT_PI);
  lab_claim(lab, led.ledger >= -1e-6 && stiff.ledger >= -1e-6,
            "the coupling gives no energy that it did not take", "must show",
            "lowest %.1e J and %.1e J", led.ledger, stiff.ledger);
  lab_claim(lab, led.step_us < 5200, "a step takes less than the 5.2 ms of then", "paper D, 5",
            "%.0f us on average, %.0f contacts", led.step_us, led.contacts);
  lab_claim_certificate(lab);
}
