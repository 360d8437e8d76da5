// SPDX-License-Identifier: Apache-2.0
// A robot at a table, forty contact points (paper D, section 5.2, Fig. 3: 5.2 ms a step of 1 ms
// then): eight boxes lie on the table, the robot shoves one of them with its hand, and somebody
// pulls it back with a spring, as with a haptic device.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, CONTACTS, STEP, BOX, PULL, CHANNELS };
static const char* const names[CHANNELS] = {"time", "contacts", "step [us]", "box x", "pull"};

void experiment_table(Lab* lab) {
  if (!lab_open(lab, "hrp2_table.xml", pose_half_sitting)) return;
  const int box = lab_body(lab, "box0");
  const int q = lab->model->joint_q[lab->model->body_joint[box]];
  const HeftQuat ahead = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), -HEFT_PI / 2);
  const HeftVec3 palm = heft_vec3(0, 0, -0.124);
  const double at[3] = {0.24, 0.32, 0.44};
  for (int k = 1; k <= 3; ++k)
    lab_arm(lab, k, 1, palm, heft_vec3(at[k - 1], -0.27, 0.83), ahead, 0.1);
  lab->camera[0] = -125;
  lab->camera[1] = 22;
  lab->camera[2] = 2.6;
  lab->camera[3] = 0.3;
  lab->camera[5] = 0.7;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  lab_panel(lab, "time of a step, control included", "us", (const char*[]){"step [us]", NULL});
  lab_panel(lab, "the box that is shoved", "m", (const char*[]){"box x", NULL});
  lab_panel(lab, "pull of the person", "N", (const char*[]){"pull", NULL});
  const double from = lab->start[q];
  double total = 0, farthest = 0;
  long forty = 0;
  int most = 0;
  for (int i = 0; lab_time(lab) < 4 && lab_upright(lab); ++i) {
    const double t = lab_time(lab), x = heft_world_state(lab->world)->q[q];
    if (t < 1.2)
      lab_move(lab, 0, 1, 0.2, 1);
    else
      lab_move(lab, 1, 3, 1.2, 1.8);
    const double pull = t > 1 ? -8 * (x - from) / 0.1 : 0;
    const HeftVec3 center = heft_vec3_from(heft_world_state(lab->world)->q + q);
    if (pull < 0)
      heft_world_apply_wrench(lab->world, box, center, heft_vec3(pull, 0, 0), heft_vec3(0, 0, 0));
    const uint64_t before = heft_clock_ns();
    const HeftStepReport r = lab_step(lab);
    const double us = (double)(heft_clock_ns() - before) * 1e-3;
    most = r.contact_count > most ? r.contact_count : most;
    farthest = fmax(farthest, x - from);
    if (r.contact_count >= 40) {
      total += us;
      ++forty;
    }
    const double row[CHANNELS] = {t, r.contact_count, us, x, -pull};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 100 || i == 1300 || i == 3500) lab_moment(lab);
  }
  lab->success = lab_upright(lab) && farthest > 0.05;
  lab_claim(lab, lab->success, "the robot shoves the box while a person pulls it back",
            "paper D, Fig. 3", "by %.0f mm, against up to %.1f N", 1000 * farthest, 80 * farthest);
  lab_claim(lab, most >= 40, "forty contact points", "paper D, Fig. 3", "up to %d", most);
  const double mean = forty > 0 ? total / (double)forty / 1000 : 0;
  lab_claim(lab, forty > 0 && mean < 5.2, "faster than it was then", "paper D: 5.2 ms a step",
            "%.2f ms a step with forty points and more, control included", mean);
  lab_claim_certificate(lab);
}
