// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R75, S13.
// The HOAP-2-like robot squats in 1.25 s and in 1 s on one force plate ([Moraud 2008], section V-B,
// Fig. 11). The loop is open: drives (Eq. 22 of [Chardonnet 2012]) follow joint angles that were
// planned before. The plate is filtered at 20 Hz by a Butterworth filter of order 5. Plastic feet
// have a friction of 0.13. Both are as in the source. The contact model is that of the source,
// `foot_exact`; the exact law repeats the run.
//
// The source prints curves without numbers. For the same depth the inertial force is proportional
// to 1/T². So the fast squat should swing 1.25² times as much as the slow one, less what the drives
// give way.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/open_loop.h"
#include "experiments/poses.h"

enum { TIME, RAW, FOOT, EXACT, PELVIS, CHANNELS };
static const char* const names[CHANNELS] = {"time", "foot_exact raw", "foot_exact filtered",
                                            "exact law filtered", "pelvis"};
static const double periods[2] = {1.25, 1}, begins[2] = {1, 2.75}, end = 4.5;
enum { ROWS = 4500 };

typedef struct Squat {
  double depth, law;  ///< options
  double force;       ///< value: of both feet [N]
} Squat;

static const HeftOption options[] = {
    ACT_OPTION(Squat, depth, 0, 0.06, 0.045, "m", "how far the centre of mass goes down"),
    ACT_OPTION(Squat, law, 0, 1, 0, "", "0 foot_exact, 1 exact law")};
static const HeftOption values[] = {ACT_VALUE(Squat, force, "N", "vertical force of both feet")};

static void along_squats(const Lab* lab, double time, HeftBipedGoal* goal, void* user) {
  const double depth = *(const double*)user;
  (void)lab;
  for (int k = 0; k < 2; ++k) {
    const double s = (time - begins[k]) / periods[k];
    if (s > 0 && s < 1) goal->com.z -= 0.5 * depth * (1 - heft_cos(2 * HEFT_PI * s));
  }
}

static int begin(Lab* lab, void* self) {
  Squat* q = self;
  return lab_use_now(lab, q->law > 0.5 ? HEFT_CONTACT_MODEL_EXACT : HEFT_CONTACT_MODEL_FOOT_EXACT,
                     NULL) &&
         lab_plan_motion(lab, end, along_squats, &q->depth) >= 0;
}

static void control(Lab* lab, void* self) {
  (void)self;
  lab_play_motion(lab);
  lab_drive(lab, &drives_small);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  (void)report;
  ((Squat*)self)->force = lab_foot_force(lab, 0, NULL) + lab_foot_force(lab, 1, NULL);
}

const Act act_squat = {.name = "squat",
                       .text = "the HOAP-2-like robot squats twice in open loop",
                       .file = "hoap2_like.xml",
                       .pose = pose_small,
                       .size = sizeof(Squat),
                       .options = {options, 2},
                       .values = {values, 1},
                       .begin = begin,
                       .control = control,
                       .observe = observe};

typedef struct Squats {
  double raw[ROWS], filtered[ROWS], pelvis[ROWS];
  double rest, low[2], high[2];  ///< forces over the weight
  int rows, upright;
} Squats;

static int squat(Lab* lab, Squats* s, int law, int pictures) {
  Squat q = {.depth = 0.045, .law = law};
  lab->tracing = law;
  if (!act_open(&act_squat, lab, &q)) return 0;
  const int z = lab->model->joint_q[0] + 2;
  const double weight = lab_weight(lab), height = lab->start[z];
  HeftButterworth filter = heft_butterworth_make(5, 20, 1000);
  double sum = 0;
  int rest = 0;
  s->low[0] = s->low[1] = 1;
  for (int i = 0; i < ROWS && lab_upright(lab); ++i) {
    const double t = lab_time(lab);
    act_step(&act_squat, lab, &q);
    const double smooth = heft_butterworth_step(&filter, i < 50 ? 1 : q.force / weight);
    if (t > end - 0.4) sum += q.force / weight;
    rest += t > end - 0.4;
    for (int k = 0; k < 2; ++k) {
      if (t < begins[k] || t > begins[k] + periods[k] + 0.1) continue;
      s->low[k] = fmin(s->low[k], smooth);
      s->high[k] = fmax(s->high[k], smooth);
    }
    s->raw[i] = q.force;
    s->filtered[i] = smooth * weight;
    s->pelvis[i] = heft_world_state(lab->world)->q[z] - height;
    s->rows = i + 1;
    if (pictures && (i == 900 || i == 1625 || i == 3250)) lab_instant(lab);
  }
  s->rest = rest > 0 ? sum / rest : 0;
  s->upright = lab_upright(lab);
  return 1;
}

static double swing(const Squats* s, int k) { return s->high[k] - s->low[k]; }

static void judge(Lab* lab, const Squats* s, double weight) {
  double apart = 0;
  for (int i = 800; i < s[0].rows && i < s[1].rows; ++i)
    apart = fmax(apart, fabs(s[0].filtered[i] - s[1].filtered[i]));
  lab->success = s[0].upright && s[1].upright;
  lab_claim(lab, fabs(s[0].rest - 1) < 0.002, "at rest the plate shows the weight, within 0.2 %",
            "statics", "%+.4f %%", 100 * (s[0].rest - 1));
  const double ratio = swing(&s[0], 1) / swing(&s[0], 0);
  lab_claim(lab, fabs(ratio - 1.5625) < 0.1 * 1.5625,
            "the fast squat swings 1.25² times as much as the slow one, within 10 %",
            "[Moraud 2008], Fig. 11", "%.3f times: %.3f to %.3f, and %.3f to %.3f of the weight",
            ratio, s[0].low[0], s[0].high[0], s[0].low[1], s[0].high[1]);
  lab_claim(lab, apart < 0.05 * swing(&s[0], 0) * weight,
            "foot_exact and the exact law give the same force, within 5 % of the swing", "ours",
            "at most %.2f N apart, of a swing of %.1f N", apart, swing(&s[0], 0) * weight);
  lab_claim_certificate(lab);
}

void experiment_squat(Lab* lab) {
  Squats* s = calloc(2, sizeof *s);
  int well = s != NULL;
  double weight = 1;
  lab_camera(lab, -60, 10, 1.1, heft_vec3(0, 0, 0.22));
  for (int k = 0; k < 2 && well; ++k) {
    well = squat(lab, &s[k], k, k == 0);
    if (well) weight = lab_weight(lab);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (well) {
    lab_channels(lab, CHANNELS, names);
    lab_panel(lab, "Fig. 11: force of the plate, foot_exact", "N",
              (const char*[]){names[RAW], names[FOOT], NULL});
    lab_panel(lab, "the same under the exact law", "N", (const char*[]){names[EXACT], NULL});
    lab_panel(lab, "height of the pelvis over its start", "m", (const char*[]){"pelvis", NULL});
    lab_source(lab, names[RAW], "plates.fz", 1, 0);
    lab_source(lab, names[FOOT], "plates.fz", 1, 20);
    lab_source(lab, names[EXACT], "plates.fz", 1, 20);
    for (int i = 500; i < s[0].rows; ++i) {
      const double row[CHANNELS] = {0.001 * i, s[0].raw[i], s[0].filtered[i],
                                    i < s[1].rows ? s[1].filtered[i] : (double)NAN, s[0].pelvis[i]};
      lab_log(lab, row);
    }
    judge(lab, s, weight);
  }
  free(s);
}
