// SPDX-License-Identifier: Apache-2.0
// The robot walks ten steps of 20 cm.
#include <math.h>
#include <stddef.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, COM_X, COM_Y, GOAL_Y, ZMP_Y, COP_Y, LEFT, RIGHT, CHANNELS };
static const char* const names[CHANNELS] = {
    "time",       "com x",     "com y",     "planned com y", "planned pressure y",
    "pressure y", "left foot", "right foot"};

typedef struct Walk {
  double steps, length;  ///< options
  HeftVec3 zmp;          ///< planned
} Walk;

static const HeftOption options[] = {
    ACT_OPTION(Walk, steps, 1, 1000, 100, "", "number of steps"),
    ACT_OPTION(Walk, length, 0.02, 0.3, 0.2, "m", "length of a step")};

static int begin(Lab* lab, void* self) {
  const Walk* w = self;
  HeftWalkDef def = heft_walk_def_default();
  def.steps = (int)w->steps;
  def.length = w->length;
  return lab_plan_walk(lab, &def);
}

static void control(Lab* lab, void* self) {
  heft_walk_goal(lab->walk, lab_time(lab), &lab->goal, &((Walk*)self)->zmp);
  lab_balance(lab);
}

const Act act_walk = {.name = "walk",
                      .text = "the HRP-2-like robot walks",
                      .file = "hrp2_like.xml",
                      .pose = pose_half_sitting,
                      .size = sizeof(Walk),
                      .options = {options, 2},
                      .begin = begin,
                      .control = control};

void experiment_walk(Lab* lab) {
  Walk w = {.steps = lab_brief(lab) ? 4 : 10, .length = heft_walk_def_default().length};
  if (!act_open(&act_walk, lab, &w)) return;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "sideways: mass and pressure", "m",
            (const char*[]){"pressure y", "planned pressure y", "com y", "planned com y", NULL});
  lab_panel(lab, "vertical force of each foot", "N",
            (const char*[]){"left foot", "right foot", NULL});
  lab_panel(lab, "forward: centre of mass", "m", (const char*[]){"com x", NULL});
  double worst = 0, cop = 0;
  const double end = heft_walk_duration(lab->walk);
  for (int i = 0; lab_time(lab) < end && lab_upright(lab); ++i) {
    HeftVec3 center;
    act_step(&act_walk, lab, &w);
    const HeftVec3 com = heft_whole_body_com(heft_biped_whole_body(lab->biped), NULL);
    if (lab_time(lab) > 1)
      worst = fmax(worst, fmax(fabs(com.x - lab->goal.com.x), fabs(com.y - lab->goal.com.y)));
    if (lab_pressure(lab, &center) > 1) cop = center.y;
    const double row[CHANNELS] = {lab_time(lab),
                                  com.x,
                                  com.y,
                                  lab->goal.com.y,
                                  w.zmp.y,
                                  cop,
                                  lab_foot_force(lab, 0, NULL),
                                  lab_foot_force(lab, 1, NULL)};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 1350 || i == 2250 || i == 4950 || i == 7650) lab_instant(lab);
  }
  const double way = heft_world_state(lab->world)->q[0] - lab->start[0];
  const double wanted = w.length * (w.steps - 1);
  lab->success = lab_upright(lab) && fabs(way - wanted) < 0.05;
  lab_claim(lab, lab->success, "it walks the steps, and stands at the end", "own requirement",
            "%.0f steps, %.3f m of %.3f m", w.steps, way, wanted);
  lab_claim(lab, worst < 0.01, "the centre of mass follows the plan", "ours", "worst %.1f mm",
            1000 * worst);
  lab_claim_certificate(lab);
}
