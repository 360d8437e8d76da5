// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R75, S12.
// The hips of the CB-like robot sway to the left, with a force plate under each shoe ([Moraud
// 2008], section V-A, Fig. 9). Its feet are rigid rectangles, as the shoes there. The motion begins
// in the middle and ends with the centre of gravity above the left leg. Drives (Eq. 22 of
// [Chardonnet 2012]) follow planned joint angles in open loop; the source has a PD controller.
// Soles have a friction of 0.45. The contact model is that of the source, `foot_exact`; the exact
// law repeats the run. For its first second the robot comes to rest under the exact law in both.
//
// The source shows the force of each foot along the three axes, without numbers: sideways forces
// that keep the legs from separating, and the weight going from both legs to the left one. Statics
// leaves the sideways forces of two feet open: friction keeps what coming to rest has left.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/open_loop.h"
#include "experiments/poses.h"

enum { TIME, LX, LY, LZ, RX, RY, RZ, ELZ, ERZ, ELY, ERY, COM_Y, CHANNELS };
static const char* const names[CHANNELS] = {
    "time",    "left x",       "left y",        "left z",       "right x",       "right y",
    "right z", "exact left z", "exact right z", "exact left y", "exact right y", "com y"};
static const char* const sources[CHANNELS] = {"",          "plate1.fx", "plate1.fy", "plate1.fz",
                                              "plate2.fx", "plate2.fy", "plate2.fz", "plate1.fz",
                                              "plate2.fz", "plate1.fy", "plate2.fy"};
static const double rests = 1, begins = 1.5, takes = 2.5, end = 6;
enum { ROWS = 600, EVERY = 10 };

typedef struct Sway {
  double reach, law;  ///< options
  double left;        ///< value: its share of the load
} Sway;

static const HeftOption options[] = {
    ACT_OPTION(Sway, reach, 0, 1.2, 1, "", "as a share of the way to the left foot"),
    ACT_OPTION(Sway, law, 0, 1, 0, "", "0 foot_exact, 1 exact law")};
static const HeftOption values[] = {ACT_VALUE(Sway, left, "", "share of the left foot")};

static void to_the_left(const Lab* lab, double time, HeftBipedGoal* goal, void* user) {
  double s[3];
  (void)lab;
  heft_spline_smooth_step((time - begins) / takes, s);
  goal->com.y += *(const double*)user * s[0] * (goal->foot[0].pos.y - goal->com.y);
}

static int begin(Lab* lab, void* self) {
  Sway* s = self;
  return lab_use_now(lab, HEFT_CONTACT_MODEL_EXACT, NULL) &&
         lab_plan_motion(lab, end, to_the_left, &s->reach) >= 0;
}

// The robot comes to rest under the exact law, until the measurement begins.
static void control(Lab* lab, void* self) {
  const HeftContactModel wanted = lab_time(lab) < rests || ((Sway*)self)->law > 0.5
                                      ? HEFT_CONTACT_MODEL_EXACT
                                      : HEFT_CONTACT_MODEL_FOOT_EXACT;
  if (!lab->forced && heft_world_contact_model(lab->world) != wanted)
    lab_use_now(lab, wanted, NULL);
  lab_play_motion(lab);
  lab_drive(lab, &drives_large);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  (void)report;
  const double left = lab_foot_force(lab, 0, NULL), right = lab_foot_force(lab, 1, NULL);
  ((Sway*)self)->left = left + right > 0 ? left / (left + right) : 0;
}

const Act act_sway = {.name = "sway",
                      .text = "the hips of the CB-like robot sway to the left in open loop",
                      .file = "cb_shoes.xml",
                      .pose = pose_legs_apart,
                      .size = sizeof(Sway),
                      .options = {options, 2},
                      .values = {values, 1},
                      .begin = begin,
                      .control = control,
                      .observe = observe};

typedef struct Swayed {
  HeftVec3 force[ROWS][2];
  double com[ROWS];
  double jump;  ///< largest change of a foot's force in a step, while no vertex changes [N]
  int rows, upright;
} Swayed;

// The points that carry force, as bits.
static uint64_t carrying(const Lab* lab) {
  uint64_t loaded = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world) && i < 64; ++i)
    loaded |= (uint64_t)(heft_world_contact(lab->world, i).force.z > 1e-9) << i;
  return loaded;
}

typedef struct Before {
  HeftVec3 force[2];
  uint64_t loaded, earlier;  ///< points one and two steps before
} Before;

// A step is compared with the one before if both have the points of the step before them.
static void note_jump(const Lab* lab, Swayed* w, Before* b) {
  const uint64_t loaded = carrying(lab);
  const int same = loaded == b->loaded && b->loaded == b->earlier;
  for (int k = 0; k < 2; ++k) {
    HeftVec3 f;
    lab_foot_force(lab, k, &f);
    if (same && lab_time(lab) > rests)
      w->jump = fmax(w->jump, heft_vec3_norm(heft_vec3_sub(f, b->force[k])));
    b->force[k] = f;
  }
  b->earlier = b->loaded;
  b->loaded = loaded;
}

static int sway(Lab* lab, Swayed* w, int law, int pictures) {
  Sway s = {.reach = 1, .law = law};
  lab->tracing = law;
  Before before = {0};
  if (!act_open(&act_sway, lab, &s)) return 0;
  for (int i = 0; i < EVERY * ROWS && lab_upright(lab); ++i) {
    act_step(&act_sway, lab, &s);
    note_jump(lab, w, &before);
    if (pictures && (i == 1000 || i == 2800 || i == 5500)) lab_instant(lab);
    if (i % EVERY != 0) continue;
    for (int k = 0; k < 2; ++k) lab_foot_force(lab, k, &w->force[w->rows][k]);
    w->com[w->rows++] = lab_com(lab).y;
  }
  w->upright = lab_upright(lab);
  return 1;
}

static void draw_up(Lab* lab, const Swayed* w) {
  lab_channels(lab, CHANNELS, names);
  for (int k = LX; k <= ERY; ++k) lab_source(lab, names[k], sources[k], 1, 0);
  lab_panel(lab, "Fig. 9: sideways force of each foot (Y)", "N",
            (const char*[]){names[LY], names[RY], NULL});
  lab_panel(lab, "Fig. 9: forward force of each foot (X)", "N",
            (const char*[]){names[LX], names[RX], NULL});
  lab_panel(lab, "Fig. 9: vertical force of each foot (Z)", "N",
            (const char*[]){names[LZ], names[RZ], NULL});
  lab_panel(lab, "vertical force, exact law", "N", (const char*[]){names[ELZ], names[ERZ], NULL});
  lab_panel(lab, "sideways force, exact law", "N", (const char*[]){names[ELY], names[ERY], NULL});
  lab_panel(lab, "centre of mass, sideways", "m", (const char*[]){"com y", NULL});
  for (int i = 30; i < w[0].rows && i < w[1].rows; ++i) {
    const HeftVec3 *f = w[0].force[i], *e = w[1].force[i];
    const double row[CHANNELS] = {0.001 * EVERY * i,
                                  f[0].x,
                                  f[0].y,
                                  f[0].z,
                                  f[1].x,
                                  f[1].y,
                                  f[1].z,
                                  e[0].z,
                                  e[1].z,
                                  e[0].y,
                                  e[1].y,
                                  w[0].com[i]};
    lab_log(lab, row);
  }
}

static void judge(Lab* lab, const Swayed* w, double weight) {
  const HeftVec3 *before = w[0].force[140], *after = w[0].force[w[0].rows - 1];
  double apart = 0;
  for (int i = 100; i < w[0].rows && i < w[1].rows; ++i)
    apart = fmax(apart, fabs(w[0].force[i][0].z - w[1].force[i][0].z));
  lab->success = w[0].upright && w[1].upright;
  lab_claim(lab, fabs(before[0].z - before[1].z) < 0.02 * weight,
            "at first both legs carry the same, within 2 %", "[Moraud 2008], Fig. 9",
            "%.1f N and %.1f N", before[0].z, before[1].z);
  lab_claim(lab, after[0].z > 0.75 * weight && after[0].z + after[1].z > 0.99 * weight,
            "at the end the left leg carries most of the weight", "[Moraud 2008], Fig. 9",
            "%.0f N of %.0f N, the right leg %.0f N", after[0].z, weight, after[1].z);
  lab_claim(lab, before[0].y < -5 && before[1].y > 5,
            "sideways forces of the ground keep the legs from separating", "[Moraud 2008], Fig. 9",
            "%+.1f N and %+.1f N", before[0].y, before[1].y);
  lab_claim(lab, fmax(w[0].jump, w[1].jump) < 25,
            "no force jumps by 25 N in 1 ms while the vertices stay the same", "own requirement",
            "at most %.1f N, exact law %.1f N", w[0].jump, w[1].jump);
  lab_claim(lab, apart < 0.1 * (after[0].z - before[0].z),
            "foot_exact and the exact law agree within 10 % of the change", "ours",
            "left foot at most %.1f N apart, of a change of %.0f N", apart,
            after[0].z - before[0].z);
  lab_claim_certificate(lab);
}

void experiment_sway(Lab* lab) {
  Swayed* w = calloc(2, sizeof *w);
  int well = w != NULL;
  double weight = 1;
  lab_camera(lab, 0, 8, 3.2, heft_vec3(0, 0, 0.8));
  for (int k = 0; k < 2 && well; ++k) {
    well = sway(lab, &w[k], k, k == 0);
    if (well) weight = lab_weight(lab);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (well) draw_up(lab, w);
  if (well && w[0].rows > 141) judge(lab, w, weight);
  free(w);
}
