// SPDX-License-Identifier: Apache-2.0
// Papers: S3.
// A robot stands at a table with eight boxes and forty contact points. It pushes one box with its
// hand, and a user with a haptic device pulls the box back (interactive scene `table`). In
// [Chardonnet 2008], section 5.2, Fig. 3, a step of 1 ms took 5.2 ms. Here a step must take less
// than 1 ms, servo, control, probe and world together.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, CONTACTS, STEP, BOX, PULL, CHANNELS };
static const char* const names[CHANNELS] = {"time", "contacts", "step [us]", "box x", "pull"};

void experiment_table(Lab* lab) {
  InteractiveScene m = {0};
  Encounter e = {0};
  if (!interactive_open(&m, interactive_find("table"), lab)) return;
  const int box = lab_body(lab, "box0");
  const int q = lab->model->joint_q[lab->model->body_joint[box]];
  lab_camera(lab, -125, 22, 2.6, heft_vec3(0.3, 0, 0.7));
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  lab_panel(lab, "time of a step", "us", (const char*[]){"step [us]", NULL});
  lab_panel(lab, "the box that is shoved", "m", (const char*[]){"box x", NULL});
  lab_panel(lab, "pull of the person", "N", (const char*[]){"pull", NULL});
  const double from = lab->start[q];
  double total = 0, farthest = 0, pull = 0;
  long forty = 0;
  int max = 0;
  const int well = encounter_open(&e, &m);
  for (int i = 0; well && lab_time(lab) < 4 && lab_upright(lab); ++i) {
    const HeftStepReport r = encounter_step(&e, &m);
    const double x = heft_world_state(lab->world)->q[q], f = fabs(lab->hand[0].force.x);
    max = r.contact_count > max ? r.contact_count : max;
    farthest = fmax(farthest, x - from);
    pull = fmax(pull, f);
    if (r.contact_count >= 40) {
      total += e.step_us;
      ++forty;
    }
    const double row[CHANNELS] = {lab_time(lab), r.contact_count, e.step_us, x, f};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 100 || i == 1300 || i == 3500) lab_instant(lab);
  }
  const double ledger = well ? heft_device_report(e.device[0]).energy_lowest : -1;
  lab->success = lab_upright(lab) && farthest > 0.05;
  lab_claim(lab, lab->success, "the robot shoves the box while a person pulls it back",
            "[Chardonnet 2008], Fig. 3", "by %.0f mm, against up to %.1f N", 1000 * farthest, pull);
  lab_claim(lab, max >= 40, "forty contact points", "[Chardonnet 2008], Fig. 3", "up to %d", max);
  const double mean = forty > 0 ? total / (double)forty / 1000 : 0;
  const double times = mean > 0 ? 1 / mean : 0;
  lab_claim(lab, times > 1, "in real time at 1 ms", "[Chardonnet 2008]: 5.2 ms a step",
            "%.2f ms of CPU time per step with forty points and more: %.1f x real time", mean,
            times);
  lab_claim(lab, ledger >= -1e-6, "the coupling returns no more energy than it absorbed",
            "own requirement", "lowest %.1e J", ledger);
  encounter_close(&e);
  interactive_close(&m);
  lab_claim_certificate(lab);
}
