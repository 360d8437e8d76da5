// SPDX-License-Identifier: Apache-2.0
// The robot walks with the micro/macro model at λ = 1 in its own units, with and without static
// friction ([Sugihara 2006], section IV-D, Fig. 9). The path of the centre of mass is the same.
// Without static friction its acceleration varies more.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, WITH, WITHOUT, EXACT, CHANNELS };
static const char* const names[CHANNELS] = {"time", "with static", "without", "exact"};
enum { ROWS = 6000 };

typedef struct Walked {
  double acceleration[ROWS];  ///< of the centre of mass, sideways, filtered [m/s²]
  double y[ROWS];             ///< its path [m]
  double jitter;              ///< mean change of the acceleration from step to step
  int rows, upright;
} Walked;

enum { WITH_STATIC, WITHOUT_STATIC, BY_EXACT };

static HeftContactModel law(int which, HeftContactOptions* o) {
  *o = heft_contact_options_default();
  if (which == BY_EXACT) return HEFT_CONTACT_MODEL_EXACT;
  o->static_friction = which == WITH_STATIC ? 1 : 0;
  return HEFT_CONTACT_MODEL_MICRO_MACRO;
}

// ---- the act

typedef struct Slipping {
  double law, steps;  ///< options
} Slipping;

static const HeftOption options[] = {
    ACT_OPTION(Slipping, law, 0, 2, 0, "", "0 with static friction, 1 without, 2 exact law"),
    ACT_OPTION(Slipping, steps, 2, 100, 10, "", "number of steps")};

static int begin(Lab* lab, void* self) {
  const Slipping* s = self;
  HeftContactOptions o;
  const HeftContactModel model = law((int)(s->law + 0.5), &o);
  HeftWalkDef def = heft_walk_def_default();
  def.steps = (int)s->steps;
  return lab_use_now(lab, model, &o) && lab_plan_walk(lab, &def);
}

static void control(Lab* lab, void* self) {
  (void)self;
  heft_walk_goal(lab->walk, lab_time(lab), &lab->goal, NULL);
  lab_balance(lab);
}

const Act act_slip = {.name = "slip",
                      .text = "the HRP-2-like robot walks with and without static friction",
                      .file = "hrp2_like.xml",
                      .pose = pose_half_sitting,
                      .size = sizeof(Slipping),
                      .options = {options, 2},
                      .begin = begin,
                      .control = control};

static int walk(Lab* lab, Walked* w) {
  if (!lab_open(lab, "hrp2_like.xml", pose_half_sitting)) return 0;
  HeftWalkDef def = heft_walk_def_default();
  def.steps = lab->brief ? 2 : 4;
  HeftWalk* plan = NULL;
  if (heft_walk_create(&plan, &def, &lab->goal, lab->gravity, NULL) != HEFT_OK) return 0;
  double v = 0, a = 0;
  int counted = 0;
  while (lab_time(lab) < heft_walk_duration(plan) && lab_upright(lab) && w->rows < ROWS) {
    heft_walk_goal(plan, lab_time(lab), &lab->goal, NULL);
    lab_step(lab);
    const HeftDynamics* d = heft_world_dynamics(lab->world);
    const HeftVec3 com = lab_com(lab);
    const double mass = lab_weight(lab) / lab->gravity;
    const double now = heft_dynamics_momentum(d, lab->model->joint_body[0], com).lin.y / mass;
    const double acceleration = (now - v) / 0.001;
    if (lab_time(lab) > 0.5) {
      w->jitter += fabs(acceleration - a);
      ++counted;
    }
    v = now;
    a = acceleration;
    w->acceleration[w->rows] = acceleration;
    w->y[w->rows++] = com.y;
  }
  w->jitter /= counted > 0 ? counted : 1;
  w->upright = lab_upright(lab);
  heft_walk_destroy(plan);
  return 1;
}

static double apart(const Walked* a, const Walked* b) {
  double worst = 0;
  for (int i = 0; i < a->rows && i < b->rows; ++i) worst = fmax(worst, fabs(a->y[i] - b->y[i]));
  return worst;
}

void experiment_slip(Lab* lab) {
  static Walked w[3];
  memset(w, 0, sizeof w);
  for (int k = 0; k < 3; ++k) {
    HeftContactOptions o;
    const HeftContactModel model = law(k, &o);
    lab_use(lab, model, &o);
    if (!walk(lab, &w[k])) return;
  }
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "acceleration of the centre of mass, sideways", "m/s2",
            (const char*[]){"with static", "without", "exact", NULL});
  for (int i = 0; i < w[2].rows; ++i) {
    const double row[CHANNELS] = {0.001 * i, w[0].acceleration[i], w[1].acceleration[i],
                                  w[2].acceleration[i]};
    if (i >= 200) lab_log(lab, row);
  }
  lab->success = w[2].upright;
  const int both = w[0].upright && w[1].upright;
  lab_claim(lab, both && apart(&w[0], &w[1]) < 0.02 ? LAB_HOLDS : LAB_DIFFERS,
            "with and without static friction it takes the same path", "[Sugihara 2006], Fig. 9",
            "at most %.1f mm apart%s", 1000 * apart(&w[0], &w[1]), both ? "" : "; one fell");
  lab_claim(lab, w[1].jitter > w[0].jitter ? LAB_HOLDS : LAB_DIFFERS,
            "without static friction the acceleration jitters more", "[Sugihara 2006], Fig. 9",
            "%.3g against %.3g m/s2 a step; exact %.3g", w[1].jitter, w[0].jitter, w[2].jitter);
  lab_claim_certificate(lab);
}
