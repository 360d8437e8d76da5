// SPDX-License-Identifier: Apache-2.0
#include "experiments/guide.h"

#include <math.h>
#include <string.h>

const HeftOption guide_options[GUIDE_OPTION_COUNT] = {
    ACT_OPTION(InteractiveData, stiff, 0, 1, 0, "", "1: the robot does not give way"),
    ACT_OPTION(InteractiveData, blind, 0, 1, 0, "", "1: the eyes do not follow the hand"),
    ACT_OPTION(Guide, grip, 0, 1, 0, "", "1: the gripper closes, as by the second button")};

enum { HOLD = 1, CLOSE = 2 };
static const double open_angle = -0.4, torque = 3;

int guide_begin(Lab* lab, Guide* g, const char* object) {
  if (!lead_begin(lab, &g->lead, object, 1)) return 0;
  g->gripper = heft_model_find(lab->model, HEFT_NAMED_ACTUATOR, "right_gripper");
  g->thumb = lab_body(lab, "right_thumb");
  if (g->gripper < 0 || lab->error[0]) return 0;
  lab_set_joint(lab, "right_gripper", open_angle);
  memcpy(g->base, lab->start, (size_t)lab->model->nq * sizeof(double));
  return lab_place(lab);
}

// The second button closes the gripper and opens it again.
static void watch_buttons(Guide* g, unsigned buttons, double dt) {
  if (buttons & ~g->pressed & CLOSE) g->toggled = !g->toggled;
  g->pressed = buttons;
  g->closed = (g->toggled != 0) != (g->grip > 0.5);
  g->since = g->closed > 0.5 ? g->since + dt : 0;
}

// A hand that the user holds gives way to force and torque of the user.
static int lead_hand(Lab* lab, const Guide* g, const HeftHand* hand, double dt) {
  const int held = (hand->body == g->lead.hand[1] || hand->body == g->thumb) &&
                   (hand->buttons & HOLD) && !(g->data.stiff > 0.5);
  if (!held) return 0;
  const HeftLoad load = {
      .body = hand->body, .point = hand->point, .force = hand->force, .torque = hand->torque};
  heft_compliance_step(lab->compliance, heft_world_dynamics(lab->world), &load, 1, dt);
  return 1;
}

// What the hand carries of the object: the most that the wrist has felt since the gripper closed.
static void carry(Lab* lab, Guide* g, double dt) {
  const double all = lab->model->body_mass[g->lead.object] * lab->gravity;
  const double now = fmin(fmax(all - g->lead.user.lin.z, g->weight), all);
  g->weight = g->closed > 0.5 ? g->weight + dt / 0.05 * (now - g->weight) : 0;
  const double* at = heft_world_state(lab->world)->q + g->lead.object_q;
  lab->goal.load_count = 1;
  lab->goal.load[0] = (HeftLoad){
      .body = g->lead.hand[1], .point = heft_vec3_from(at), .force = {0, 0, -g->weight}};
}

void guide_control(Lab* lab, Guide* g) {
  const double h = lab->model->physics.time_step;
  const HeftHand* hand = &lab->person[0];
  watch_buttons(g, hand->buttons, h);
  const int pushed = lead_pushed(&g->lead, &g->data, hand, h);
  if (!lead_hand(lab, g, hand, h)) lead_comply(lab, &g->lead, pushed && g->closed > 0.5, h);
  lead_pose(lab, &g->lead, &g->data, g->base, h);
  lab->goal.posture_velocity = NULL;
  carry(lab, g, h);
}

void guide_grip(Lab* lab, const Guide* g) {
  if (g->closed > 0.5)
    heft_world_controls(lab->world)[g->gripper] = torque * fmin(g->since / 0.3, 1);
}
