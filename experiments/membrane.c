// SPDX-License-Identifier: Apache-2.0
// Papers: R39.
#include "experiments/membrane.h"

#include <stddef.h>
#include <stdio.h>

#include "experiments/open_loop.h"

const double membrane_slip_speed = 0.02;

HeftContactOptions membrane_options(double lambda) {
  HeftContactOptions o = heft_contact_options_default();
  o.lambda = lambda;
  o.unit_free = 0;
  o.slip_speed = membrane_slip_speed;
  return o;  // layer and friction of the floor
}

static void along_walk(const Lab* lab, double time, HeftBipedGoal* goal, void* user) {
  (void)user;
  heft_walk_goal(lab->walk, time, goal, NULL);
}

int membrane_plan_walk(Lab* lab, int steps) {
  HeftWalkDef def = heft_walk_def_default();
  def.steps = steps;
  def.length = 0.04;
  def.swing = 0.4;
  def.both = 0.15;
  def.lift = 0.012;
  def.start = 0.8;
  def.end = 1;
  if (!lab_plan_walk(lab, &def)) return 0;
  const double off = lab_plan_motion(lab, heft_walk_duration(lab->walk), along_walk, NULL);
  if (off > 1e-3)
    snprintf(lab->error, sizeof lab->error, "the walk is out of reach by %.3g m", off);
  return off >= 0 && off <= 1e-3;
}

void membrane_walk(Lab* lab) {
  lab_play_motion(lab);
  lab_drive(lab, &drives_small);
}
