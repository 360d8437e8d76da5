// SPDX-License-Identifier: Apache-2.0
// Two users lift a plank of 1.2 kg, each at one end, with devices of different kinds (interactive
// scene `together`). Each must feel half of the weight. The source papers have one user at a time;
// this is our own requirement.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, HEIGHT, TILT, LEFT, RIGHT, CHANNELS };
static const char* const names[CHANNELS] = {"time", "height", "tilt", "left", "right"};

void experiment_together(Lab* lab) {
  InteractiveScene m = {0};
  Encounter e = {0};
  lab->camera[0] = 40;
  lab->camera[1] = 18;
  lab->camera[2] = 2.2;
  lab->camera[5] = 0.3;
  if (!interactive_open(&m, interactive_find("together"), lab)) return;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the plank", "m", (const char*[]){"height", NULL});
  lab_panel(lab, "tilt of the plank", "degrees", (const char*[]){"tilt", NULL});
  lab_panel(lab, "load on each user", "N", (const char*[]){"left", "right", NULL});
  const int well = encounter_open(&e, &m);
  const int plank = lab_body(lab, "plank");
  const double half = 0.5 * lab->model->body_mass[plank] * lab->gravity;
  double low = 1, high = 0, tilt = 0, share[2] = {0}, worst = 0;
  for (int i = 0; well && lab_time(lab) < m.kind->takes; ++i) {
    encounter_step(&e, &m);
    const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), plank);
    const double angle = 180 / HEFT_PI * fabs(heft_atan2(at.rot.m[2][1], at.rot.m[1][1]));
    low = fmin(low, at.pos.z);
    high = at.pos.z;
    worst = fmax(worst, angle);
    tilt = angle;
    for (int k = 0; k < 2; ++k) share[k] = -lab->hand[k].force.z;
    const double row[CHANNELS] = {lab_time(lab), at.pos.z, angle, share[0], share[1]};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 300 || i == 1500 || i == 4500) lab_instant(lab);
  }
  const double ledger[2] = {well ? heft_device_report(e.device[0]).energy_lowest : -1,
                            well ? heft_device_report(e.device[1]).energy_lowest : -1};
  encounter_close(&e);
  interactive_close(&m);
  lab->success = high - low > 0.2;
  lab_claim(lab, high - low > 0.2 && tilt < 1, "two users lift a plank together", "own requirement",
            "by %.0f mm, at most %.1f degrees askew, %.2f at the end", 1e3 * (high - low), worst,
            tilt);
  lab_claim(lab, fabs(share[0] - half) < 0.02 * half && fabs(share[1] - half) < 0.02 * half,
            "each feels half of its weight", "own requirement", "%.3f N and %.3f N of %.3f N",
            share[0], share[1], half);
  lab_claim(lab, ledger[0] >= -1e-6 && ledger[1] >= -1e-6,
            "the couplings give no energy that they did not take", "own requirement",
            "lowest %.1e J and %.1e J", ledger[0], ledger[1]);
  lab_claim_certificate(lab);
}
