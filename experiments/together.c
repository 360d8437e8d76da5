// SPDX-License-Identifier: Apache-2.0
// Papers: R61.
// Two users lift a plank of 1.2 kg, each at one end, with devices of different kinds (interactive
// scene `together`). Each must feel half of the weight. While they hold it, a box is created above
// the plank, off its middle, and falls onto it. [Keith 2008], abstract, has "creation and
// manipulation of objects in a collaborative way". A world of the changed model takes over, and the
// users go on. By the law of the lever, each then carries a part of the box. The source papers have
// one user at a time; two are our own requirement.
#include <math.h>
#include <stddef.h>

#include "experiments/experiments.h"
#include "experiments/interactive.h"

enum { TIME, HEIGHT, TILT, LEFT, RIGHT, CHANNELS };
static const char* const names[CHANNELS] = {"time", "height", "tilt", "left", "right"};

// A box of 8 cm above the plank, between its middle and its left end.
static int drop_box(Lab* lab, Encounter* e, InteractiveScene* m, int plank) {
  const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), plank);
  HeftChange change = {.kind = HEFT_CHANGE_BOX, .value = 0.04, .name = "box"};
  change.pos = heft_pose_apply(at, heft_vec3(0, 0.2, 0.08));
  if (!encounter_create(e, m, &change)) return 0;
  return lab_body(lab, "box");
}

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
  double low = 1, high = 0, tilt = 0, share[2] = {0}, worst = 0, empty[2] = {0}, jump = 0;
  const double made = lab_brief(lab) ? 3 : 4, end = lab_brief(lab) ? 5 : 8;
  int box = -1, dropped = 0;
  for (int i = 0; well && lab_time(lab) < end; ++i) {
    if (box < 0 && lab_time(lab) >= made) {
      box = drop_box(lab, &e, &m, plank);
      dropped = 1;
    }
    if (lab->error[0]) break;
    encounter_step(&e, &m);
    const HeftPose at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), plank);
    const double angle = 180 / HEFT_PI * fabs(heft_atan2(at.rot.m[2][1], at.rot.m[1][1]));
    low = fmin(low, at.pos.z);
    high = at.pos.z;
    worst = fmax(worst, angle);
    tilt = angle;
    for (int k = 0; k < 2; ++k) {
      const double now = -lab->hand[k].force.z;
      if (dropped) jump = fmax(jump, fabs(now - share[k]));
      share[k] = now;
      if (box < 0) empty[k] = now;
    }
    dropped = 0;
    const double row[CHANNELS] = {lab_time(lab), at.pos.z, angle, share[0], share[1]};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 300 || i == 1500 || i == 1000 * (int)made + 20 || i == 1000 * (int)end - 100)
      lab_instant(lab);
  }
  double weight = 0, left = 0;
  if (box > 0) {
    const HeftVec3 on =
        heft_pose_apply_inverse(heft_dynamics_body_pose(heft_world_dynamics(lab->world), plank),
                                heft_dynamics_body_pose(heft_world_dynamics(lab->world), box).pos);
    weight = lab->model->body_mass[box] * lab->gravity;
    left = weight * (0.5 + on.y);  // the users hold the plank at 0.5 m to both sides of its middle
  }
  const double ledger[2] = {well ? heft_device_report(e.device[0]).energy_lowest : -1,
                            well ? heft_device_report(e.device[1]).energy_lowest : -1};
  encounter_close(&e);
  interactive_close(&m);
  lab->success = high - low > 0.2;
  lab_claim(lab, high - low > 0.2, "two users lift a plank together", "own requirement",
            "by %.0f mm, at most %.1f degrees askew, %.2f at the end", 1e3 * (high - low), worst,
            tilt);
  lab_claim(lab, fabs(empty[0] - half) < 0.02 * half && fabs(empty[1] - half) < 0.02 * half,
            "each feels half of its weight", "own requirement", "%.3f N and %.3f N of %.3f N",
            empty[0], empty[1], half);
  lab_claim(lab,
            weight > 0 && fabs(share[0] - empty[0] - left) < 0.02 * weight &&
                fabs(share[1] - empty[1] - (weight - left)) < 0.02 * weight,
            "a box created while they hold it loads them by the law of the lever",
            "[Keith 2008], 1", "%.3f N and %.3f N more, lever %.3f N and %.3f N",
            share[0] - empty[0], share[1] - empty[1], left, weight - left);
  lab_claim(lab, jump < 0.02, "the users feel nothing of the exchange of the world",
            "own requirement", "force changes by %.4f N in that step", jump);
  lab_claim(lab, ledger[0] >= -1e-6 && ledger[1] >= -1e-6,
            "the couplings give no energy that they did not take", "own requirement",
            "lowest %.1e J and %.1e J", ledger[0], ledger[1]);
  lab_claim_certificate(lab);
}
