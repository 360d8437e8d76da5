// SPDX-License-Identifier: Apache-2.0
// Papers: R38, S17.
// The HOAP-1-like robot walks in open loop on the ground of [Sugihara 2006], with static friction 1
// and with none (section IV-D, Fig. 9). The source states no ε, the speed below which a point may
// stick; ours was chosen with this figure in view: up to 5 mm/s the two runs do not differ. So the
// figure shows that the model can behave as the source reports, not that it does so for every ε. λ
// is 1 in its own unit. Drives follow joint angles that were planned before; no sensor and no
// balance control. The source shows the path of the centre of gravity and its acceleration. The
// paths are similar, and without static friction the acceleration oscillates "due to the dither of
// sole in tangential direction".
//
// The dither is the median change of the acceleration from one step to the next, which leaves
// touchdowns out.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "experiments/poses.h"

enum {
  TIME,
  Y_WITH,
  Y_WITHOUT,
  Y_EXACT,
  A_WITH,
  A_WITHOUT,
  A_EXACT,
  X_WITH,
  X_WITHOUT,
  X_EXACT,
  CHANNELS
};
static const char* const names[CHANNELS] = {
    "time",      "y with static", "y without",     "y exact law", "a with static",
    "a without", "a exact law",   "x with static", "x without",   "x exact law"};
enum { ROWS = 6000 };
enum { WITH_STATIC, WITHOUT_STATIC, BY_EXACT, LAWS };

typedef struct Walked {
  double acceleration[ROWS];  ///< of the centre of mass, sideways [m/s²]
  double x[ROWS], y[ROWS];    ///< its path [m]
  double change[ROWS];        ///< of the acceleration in a step, both directions along the ground
  double dither;              ///< median of change
  double deepest;             ///< of the soles [m]
  int rows, upright;
} Walked;

static HeftContactModel law(int which, const Setting* s, HeftContactOptions* o) {
  *o = membrane_options(s, 1);
  if (which == WITHOUT_STATIC) o->static_friction = 0;
  return which == BY_EXACT ? HEFT_CONTACT_MODEL_EXACT : HEFT_CONTACT_MODEL_MICRO_MACRO;
}

// ---- the act

typedef struct Slipping {
  double law, steps;  ///< options
} Slipping;

static const HeftOption options[] = {
    ACT_OPTION(Slipping, law, 0, 2, 0, "", "0 with static friction, 1 without, 2 exact law"),
    ACT_OPTION(Slipping, steps, 2, 100, 6, "", "number of steps")};

static int begin(Lab* lab, void* self) {
  const Slipping* s = self;
  HeftContactOptions o;
  const HeftContactModel model = law((int)(s->law + 0.5), &setting_usual, &o);
  return lab_use_now(lab, model, &o) && membrane_plan_walk(lab, (int)s->steps);
}

static void control(Lab* lab, void* self) {
  (void)self;
  membrane_walk(lab, &setting_usual);
}

const Act act_slip = {.name = "slip",
                      .text = "the HOAP-1-like robot walks with and without static friction",
                      .file = "hoap_membrane.xml",
                      .pose = pose_small,
                      .size = sizeof(Slipping),
                      .options = {options, 2},
                      .begin = begin,
                      .control = control};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int walk(Lab* lab, const Setting* s, Walked* w, int which, int steps, int pictures) {
  HeftContactOptions o;
  const HeftContactModel model = law(which, s, &o);
  lab_use(lab, model, &o);
  if (!setting_open(lab, s, "hoap_membrane.xml") || !membrane_plan_walk(lab, steps)) return 0;
  HeftVec3 v = {0, 0, 0}, a = {0, 0, 0};
  int counted = 0;
  while (lab_time(lab) < heft_walk_duration(lab->walk) && lab_upright(lab) && w->rows < ROWS) {
    membrane_walk(lab, s);
    w->deepest = fmax(w->deepest, lab_step_alone(lab).penetration);
    const HeftVec3 com = lab_com(lab);
    const double mass = lab_weight(lab) / lab->gravity, h = lab->model->physics.time_step;
    const HeftVec3 now = heft_vec3_scale(
        1 / mass,
        heft_dynamics_momentum(heft_world_dynamics(lab->world), lab->model->joint_body[0], com)
            .lin);
    const HeftVec3 is = heft_vec3_scale(1 / h, heft_vec3_sub(now, v));
    if (lab_time(lab) > 0.5) w->change[counted++] = hypot(is.x - a.x, is.y - a.y);
    v = now;
    a = is;
    w->acceleration[w->rows] = is.y;
    w->x[w->rows] = com.x;
    w->y[w->rows++] = com.y;
    if (pictures && (w->rows == 200 || w->rows == 1400 || w->rows == 2400)) lab_instant(lab);
  }
  qsort(w->change, (size_t)counted, sizeof(double), ascending);
  w->dither = counted > 0 ? w->change[counted / 2] : 0;
  w->upright = lab_upright(lab);
  return 1;
}

static double apart(const Walked* a, const Walked* b) {
  double worst = 0;
  for (int i = 0; i < a->rows && i < b->rows; ++i)
    worst = fmax(worst, hypot(a->x[i] - b->x[i], a->y[i] - b->y[i]));
  return worst;
}

static double swing(const Walked* w) {
  double low = w->y[0], high = low;
  for (int i = 0; i < w->rows; ++i) {
    low = fmin(low, w->y[i]);
    high = fmax(high, w->y[i]);
  }
  return high - low;
}

static WalkMeasure measured(const Walked* w) {
  return (WalkMeasure){.upright = {w[0].upright, w[1].upright},
                       .apart = apart(&w[0], &w[1]),
                       .sway = swing(&w[0]),
                       .dither = {w[0].dither, w[1].dither},
                       .deepest = w[0].deepest};
}

int walk_measure(Lab* lab, const Setting* s, int steps, WalkMeasure* out) {
  Walked* w = calloc(2, sizeof *w);
  int well = w != NULL;
  for (int k = 0; k < 2 && well; ++k) well = walk(lab, s, &w[k], k, steps, 0);
  if (well) *out = measured(w);
  free(w);
  return well;
}

static void draw_up(Lab* lab, const Walked* w) {
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "centre of mass, sideways (Fig. 9 A, D)", "m",
            (const char*[]){names[Y_WITH], names[Y_WITHOUT], names[Y_EXACT], NULL});
  lab_panel(lab, "centre of mass, forward (Fig. 9 A, D)", "m",
            (const char*[]){names[X_WITH], names[X_WITHOUT], names[X_EXACT], NULL});
  lab_panel(lab, "its acceleration with static friction (B)", "m/s2",
            (const char*[]){names[A_WITH], NULL});
  lab_panel(lab, "its acceleration without (E)", "m/s2", (const char*[]){names[A_WITHOUT], NULL});
  for (int i = 400; i < w[0].rows; ++i) {
    double row[CHANNELS] = {0.001 * i};
    for (int k = 0; k < LAWS; ++k) {
      const int there = i < w[k].rows;
      row[Y_WITH + k] = there ? w[k].y[i] : (double)NAN;
      row[A_WITH + k] = there ? w[k].acceleration[i] : (double)NAN;
      row[X_WITH + k] = there ? w[k].x[i] : (double)NAN;
    }
    lab_log(lab, row);
  }
}

void experiment_slip(Lab* lab) {
  Walked* w = calloc(LAWS, sizeof *w);
  int well = w != NULL;
  lab_camera(lab, -60, 10, 1.1, heft_vec3(0.08, 0, 0.22));
  for (int k = 0; k < LAWS && well; ++k)
    well = walk(lab, &setting_usual, &w[k], k, lab_brief(lab) ? 4 : 6, k == 0);
  if (well) {
    lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
    draw_up(lab, w);
    lab->success = w[0].upright;
    const WalkMeasure m = measured(w);
    const int shows = shows_figure_9(&m);
    lab_claim(
        lab, shows ? LAB_HOLDS : LAB_DIFFERS,
        "paths are similar; without static friction the acceleration oscillates",
        "[Sugihara 2006], Fig. 9",
        "at most %.1f mm apart, of a sway of %.0f mm; dither %.3g m/s2 against %.3g: %.0f times; "
        "exact law %.2g",
        1000 * m.apart, 1000 * m.sway, m.dither[1], m.dither[0], m.dither[1] / m.dither[0],
        w[2].dither);
    lab_claim_certificate(lab);
  }
  free(w);
}
