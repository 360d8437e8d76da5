// SPDX-License-Identifier: Apache-2.0
// The robot squats in 1.25 s and in 1 s. The force plate measures less than the weight while the
// robot accelerates downwards and more while it reverses. [Moraud 2008], Fig. 11, shows a HOAP-2 on
// one force plate, filtered at 20 Hz by a Butterworth filter of order 5. Here the small robot and
// the HRP-2-like robot repeat it.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, SLOW, SLOW_FILTERED, SLOW_MODEL, FAST, FAST_FILTERED, FAST_MODEL, CHANNELS };
static const char* const names[CHANNELS] = {
    "time",    "1.25 s raw",   "1.25 s filtered", "1.25 s m (g + a)",
    "1 s raw", "1 s filtered", "1 s m (g + a)"};

enum { ROWS_MAX = 4000 };

typedef struct Squats {
  int rows;
  double raw[ROWS_MAX], filtered[ROWS_MAX], model[ROWS_MAX];
  double rest, peak, low, off;  ///< forces over the weight; worst error of filtered to model
  int upright;
} Squats;

typedef struct Squat {
  double count, period, depth;  ///< options
  double height;                ///< of the centre of mass, standing [m]
} Squat;

static const HeftOption options[] = {
    ACT_OPTION(Squat, count, 1, 1000, 100, "", "number of squats"),
    ACT_OPTION(Squat, period, 0.8, 5, 1.25, "s", "duration of a squat"),
    ACT_OPTION(Squat, depth, 0, 0.15, 0.1, "m", "how far the centre of mass goes down")};

static int begin(Lab* lab, void* self) {
  ((Squat*)self)->height = lab->goal.com.z;
  return 1;
}

// Squats after a short rest.
static void control(Lab* lab, void* self) {
  const Squat* q = self;
  const double w = 2 * HEFT_PI / q->period, s = lab_time(lab) - 0.5;
  const int on = s > 0 && s < q->count * q->period;
  const double a = on ? 0.5 * q->depth : 0, angle = w * s;
  lab->goal.com.z = q->height - a * (1 - heft_cos(angle));
  lab->goal.com_velocity.z = -a * w * heft_sin(angle);
  lab->goal.com_acceleration.z = -a * w * w * heft_cos(angle);
  lab_balance(lab);
}

const Act act_squat = {.name = "squat",
                       .text = "the HRP-2-like robot squats",
                       .file = "hrp2_like.xml",
                       .pose = pose_half_sitting,
                       .size = sizeof(Squat),
                       .options = {options, 3},
                       .begin = begin,
                       .control = control};

static void squat(Lab* lab, const Act* act, Squats* s, double period, double depth, int pictures) {
  Squat q = {.count = 3, .period = period, .depth = depth};
  if (!act_open(act, lab, &q)) return;
  const double weight = lab_weight(lab), end = 1.5 + 3 * period;
  HeftButterworth filter = heft_butterworth_make(5, 20, 1000), again = filter;
  s->low = 1e9;
  double sum = 0;
  int rest = 0;
  for (int i = 0; lab_time(lab) < end && lab_upright(lab) && i < 2 * ROWS_MAX; ++i) {
    const double t = lab_time(lab);
    act_step(act, lab, &q);
    const double a = lab->goal.com_acceleration.z;
    const double raw = (lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL)) / weight;
    const double smooth = heft_butterworth_step(&filter, i < 50 ? 1 : raw);
    const double model = heft_butterworth_step(&again, 1 + a / lab->gravity);
    if (t > end - 0.2) {
      sum += raw;
      ++rest;
    }
    if (t > 0.7) {
      s->peak = fmax(s->peak, smooth);
      s->low = fmin(s->low, smooth);
      s->off = fmax(s->off, fabs(smooth - model));
    }
    if (i % 2 == 0) {
      s->raw[i / 2] = raw;
      s->filtered[i / 2] = smooth;
      s->model[i / 2] = model;
      s->rows = i / 2 + 1;
    }
    if (pictures && (i == 400 || i == 500 + (int)(500 * period))) lab_instant(lab);
  }
  s->rest = rest > 0 ? sum / rest : 0;
  s->upright = lab_upright(lab);
}

static void write_down(Lab* lab, const Squats* slow, const Squats* fast) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "squats of 1.25 s: force over weight", "",
            (const char*[]){names[SLOW], names[SLOW_FILTERED], names[SLOW_MODEL], NULL});
  lab_panel(lab, "squats of 1 s: force over weight", "",
            (const char*[]){names[FAST], names[FAST_FILTERED], names[FAST_MODEL], NULL});
  for (int i = 0; i < slow->rows; ++i) {
    const int k = i < fast->rows ? i : fast->rows - 1;
    const double row[CHANNELS] = {0.002 * i,      slow->raw[i], slow->filtered[i],
                                  slow->model[i], fast->raw[k], fast->filtered[k],
                                  fast->model[k]};
    lab_log(lab, row);
  }
}

static void judge(Lab* lab, const char* robot, const Squats* slow, const Squats* fast) {
  char claim[LAB_TEXT];
  snprintf(claim, sizeof claim, "%s: at rest the plate shows the weight, within 1 %%", robot);
  lab_claim(lab, fabs(slow->rest - 1) < 0.01 && fabs(fast->rest - 1) < 0.01, claim,
            "own requirement", "%+.3f %% and %+.3f %%", 100 * (slow->rest - 1),
            100 * (fast->rest - 1));
  snprintf(claim, sizeof claim, "%s: the force swings more the faster it squats", robot);
  lab_claim(lab, fast->peak - fast->low > slow->peak - slow->low, claim, "[Moraud 2008], Fig. 11",
            "%.2f to %.2f, and %.2f to %.2f of the weight", slow->low, slow->peak, fast->low,
            fast->peak);
  snprintf(claim, sizeof claim, "%s: the force follows m (g + a) of the desired motion", robot);
  lab_claim(lab, slow->off < 0.1 && fast->off < 0.1, claim, "Newton", "worst %.3f and %.3f",
            slow->off, fast->off);
}

void experiment_squat(Lab* lab) {
  static const struct {
    const char *file, *name;
    const LabAngle* pose;
    double depth;
  } robots[2] = {{"hoap_like.xml", "small robot", pose_small, 0.02},
                 {"hrp2_like.xml", "HRP-2 like", pose_half_sitting, 0.1}};
  static const double periods[2] = {1.25, 1};
  Squats* s = calloc(2, sizeof *s);
  lab->success = s != NULL;
  for (int r = 0; s && r < 2; ++r) {
    for (int k = 0; k < 2; ++k) {
      Act act = act_squat;
      act.file = robots[r].file;
      act.pose = robots[r].pose;
      s[k] = (Squats){0};
      squat(lab, &act, &s[k], periods[k], robots[r].depth, k == 0);
      lab->success &= s[k].upright;
    }
    if (r == 0) write_down(lab, &s[0], &s[1]);
    judge(lab, robots[r].name, &s[0], &s[1]);
  }
  free(s);
  lab_claim_certificate(lab);
}
