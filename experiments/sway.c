// SPDX-License-Identifier: Apache-2.0
// The centre of mass moves from side to side, and the load moves from foot to foot. [Moraud 2008],
// Fig. 9, shows the CB humanoid and a person in robot shoes on two force plates. Here the
// HRP-2-like robot and the CB-like robot repeat it. The figure shows the CB-like robot; the load on
// its toes counts with its feet.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, LX, LY, LZ, RX, RY, RZ, SUM, COM_Y, CHANNELS };
static const char* const names[CHANNELS] = {"time",    "left x",  "left y", "left z", "right x",
                                            "right y", "right z", "sum z",  "com y"};
static const double period = 2.5, reach = 0.05;

typedef struct Sway {
  double periods;  ///< option
  double middle;   ///< of the centre of mass [m]
} Sway;

static const HeftOption options[] = {
    ACT_OPTION(Sway, periods, 3, 1000, 100, "", "number of periods of 2.5 s")};

static double duration(const Sway* s) { return s->periods * period + 1; }

static int begin(Lab* lab, void* self) {
  ((Sway*)self)->middle = lab->goal.com.y;
  return 1;
}

// The amplitude grows over the first period and decreases over the last.
static void control(Lab* lab, void* self) {
  const Sway* s = self;
  const double t = lab_time(lab), end = duration(s);
  const double w = 2 * HEFT_PI / period;
  double in[3], out[3];
  heft_spline_smooth_step(t / period, in);
  heft_spline_smooth_step((end - 1 - t) / period, out);
  const double a = reach * in[0] * out[0];
  lab->goal.com.y = s->middle + a * heft_sin(w * t);
  lab->goal.com_velocity.y = a * w * heft_cos(w * t);
  lab->goal.com_acceleration.y = -a * w * w * heft_sin(w * t);
  lab_balance(lab);
}

const Act act_sway = {.name = "sway",
                      .text = "the hips of the CB-like robot sway from foot to foot",
                      .file = "cb_like.xml",
                      .pose = pose_half_sitting,
                      .size = sizeof(Sway),
                      .options = {options, 1},
                      .begin = begin,
                      .control = control};

static void note(Lab* lab) {
  HeftVec3 f[2];
  for (int side = 0; side < 2; ++side) lab_foot_force(lab, side, &f[side]);
  const HeftVec3 com = heft_whole_body_com(heft_biped_whole_body(lab->biped), NULL);
  const double row[CHANNELS] = {lab_time(lab), f[0].x, f[0].y,          f[0].z, f[1].x,
                                f[1].y,        f[1].z, f[0].z + f[1].z, com.y};
  lab_log(lab, row);
}

// Correlation of the two vertical forces: -1 if one falls as the other rises.
static double correlation(const Lab* lab, int a, int b) {
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  const int first = lab->log.rows / 4, count = lab->log.rows - 2 * first;
  for (int i = first; i < first + count; ++i) {
    const double x = lab_value(lab, i, a), y = lab_value(lab, i, b);
    sa += x;
    sb += y;
    saa += x * x;
    sbb += y * y;
    sab += x * y;
  }
  return (sab - sa * sb / count) / sqrt((saa - sa * sa / count) * (sbb - sb * sb / count));
}

// One robot. keep: it is logged and drawn.
static int sway(Lab* lab, const char* file, const char* robot, int keep) {
  char claim[LAB_TEXT];
  Act act = act_sway;
  Sway s = {.periods = lab->brief ? 3 : 5};
  act.file = file;
  if (!act_open(&act, lab, &s)) return 0;
  const double end = duration(&s), weight = lab_weight(lab);
  double min = 1e9, max = 0, sum = 0;
  for (int i = 0; lab_time(lab) < end && lab_upright(lab); ++i) {
    act_step(&act, lab, &s);
    const double left = lab_foot_force(lab, 0, NULL);
    sum = left + lab_foot_force(lab, 1, NULL);
    if (keep && i % 5 == 0) note(lab);
    if (i == 3100 || i == 4400) lab_instant(lab);
    if (i < 500) continue;
    min = fmin(min, left);
    max = fmax(max, left);
  }
  const int well = lab_upright(lab) && min > 0 && max < weight;
  snprintf(claim, sizeof claim, "%s: at rest both feet carry the weight, within 1 %%", robot);
  lab_claim(lab, fabs(sum / weight - 1) < 0.01, claim, "own requirement",
            "%.2f N of %.2f N: %+.3f %%", sum, weight, 100 * (sum / weight - 1));
  snprintf(claim, sizeof claim, "%s: the weight goes from foot to foot, no foot lifts", robot);
  lab_claim(lab, well, claim, "[Moraud 2008], Fig. 9", "left foot from %.0f to %.0f N of %.0f N",
            min, max, weight);
  return well;
}

void experiment_sway(Lab* lab) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "vertical force of each foot", "N",
            (const char*[]){"left z", "right z", "sum z", NULL});
  lab_panel(lab, "sideways force of each foot", "N", (const char*[]){"left y", "right y", NULL});
  lab_panel(lab, "forward force of each foot", "N", (const char*[]){"left x", "right x", NULL});
  lab_panel(lab, "centre of mass, sideways", "m", (const char*[]){"com y", NULL});
  lab->success = sway(lab, "hrp2_like.xml", "HRP-2 like", 0);
  if (lab->seed != 0) return;
  sway(lab, "cb_like.xml", "CB like", 1);
  const double together = correlation(lab, LZ, RZ);
  lab_claim(lab, together < -0.99, "CB like: the vertical forces of the feet mirror each other",
            "[Moraud 2008], Fig. 9", "correlation %.4f", together);
  lab_claim_certificate(lab);
}
