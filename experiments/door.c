// SPDX-License-Identifier: Apache-2.0
// Papers: S9.
// The hand strikes a door of 10 kg with dry friction in its hinge and retracts at once; the door
// swings open without further contact ([Chardonnet 2012], section 5.2, after its reference 63). The
// robot keeps its balance by its own motion. The controller does not know the impact in advance.
#include <math.h>
#include <stddef.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, ANGLE, FORCE, COM, CHANNELS };
static const char* const names[CHANNELS] = {"time", "door angle", "hand", "com x"};

static int begin(Lab* lab, void* self) {
  (void)self;
  const HeftQuat ahead = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const HeftVec3 palm = heft_vec3(0, 0, -0.124);
  lab_arm(lab, 1, 1, palm, heft_vec3(0.38, -0.25, 1.0), ahead, 0.1);
  lab_arm(lab, 2, 1, palm, heft_vec3(0.60, -0.25, 1.02), ahead, 0.1);
  return 1;
}

static void control(Lab* lab, void* self) {
  (void)self;
  const double t = lab_time(lab);
  if (t < 1.5)
    lab_move(lab, 0, 1, 0.2, 1.2);
  else if (t < 1.85)
    lab_move(lab, 1, 2, 1.5, 0.3);
  else
    lab_move(lab, 2, 1, 1.85, 0.6);
  lab_balance(lab);
}

const Act act_door = {.name = "door",
                      .text = "the HRP-2-like robot opens a door by an impact",
                      .file = "hrp2_door.xml",
                      .pose = pose_half_sitting,
                      .begin = begin,
                      .control = control};

void experiment_door(Lab* lab) {
  if (!act_open(&act_door, lab, NULL)) return;
  const int hand = lab_body(lab, "right_hand"), thumb = lab_body(lab, "right_thumb");
  const int door = lab_body(lab, "door");
  const int angle = lab->model->joint_q[lab->model->body_joint[door]];
  lab_camera(lab, -125, 18, 3.6, heft_vec3(0.3, -0.1, 0.8));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "angle of the door", "rad", (const char*[]){"door angle", NULL});
  lab_panel(lab, "force of the hand", "N", (const char*[]){"hand", NULL});
  double impulse = 0, peak = 0, touching = 0;
  for (int i = 0; lab_time(lab) < 4 && lab_upright(lab); ++i) {
    const double t = lab_time(lab);
    act_step(&act_door, lab, NULL);
    const HeftVec3 o = heft_vec3(0, 0, 0);
    const double force = -heft_world_pair_wrench(lab->world, hand, door, o).lin.x -
                         heft_world_pair_wrench(lab->world, thumb, door, o).lin.x;
    impulse += 0.001 * force;
    peak = fmax(peak, force);
    touching += force > 0 ? 0.001 : 0;
    const double row[CHANNELS] = {t, heft_world_state(lab->world)->q[angle], force, lab_com(lab).x};
    if (i % 2 == 0) lab_log(lab, row);
    if (i == 1400 || i == 1700 || i == 2200 || i == 3900) lab_instant(lab);
  }
  const double open = heft_world_state(lab->world)->q[angle];
  lab->success = lab_upright(lab) && open > 0.3;
  lab_claim(lab, open > 0.3, "an impulsive push opens the door", "[Chardonnet 2012], 5.2",
            "open by %.0f degrees, %.1f N s in %.0f ms, up to %.0f N", open * 180 / HEFT_PI,
            impulse, 1000 * touching, peak);
  lab_claim(lab, lab_upright(lab), "the robot keeps its balance", "[Chardonnet 2012], 5.2",
            "pelvis at %.3f m", heft_world_state(lab->world)->q[2]);
  lab_claim_certificate(lab);
}
