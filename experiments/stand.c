// SPDX-License-Identifier: Apache-2.0
// The robot comes to rest, is pushed at the chest, and comes to rest again. The forces of the feet
// balance the weight. At rest the centre of pressure lies under the centre of mass.
#include <math.h>
#include <stddef.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, LEFT, RIGHT, COM_X, COM_Y, COP_X, PUSH, CHANNELS };
static const char* const names[CHANNELS] = {"time",  "left foot", "right foot", "com x",
                                            "com y", "cop x",     "push"};

static int is_pushed(double t) { return t >= 1 && t < 1.2; }

typedef struct Stand {
  double force;  ///< option: of the push [N]
  double push;   ///< now [N]
  int chest;
} Stand;

static const HeftOption options[] = {
    ACT_OPTION(Stand, force, 0, 500, 60, "N", "force of the push at the chest after 1 s")};

static int begin(Lab* lab, void* self) {
  Stand* s = self;
  s->chest = lab_body(lab, "chest");
  return s->chest > 0;
}

static void control(Lab* lab, void* self) {
  Stand* s = self;
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), s->chest).pos;
  s->push = is_pushed(lab_time(lab)) ? s->force : 0;
  if (s->push > 0)
    heft_world_apply_wrench(lab->world, s->chest, at, heft_vec3(-s->push, 0, 0),
                            heft_vec3(0, 0, 0));
  lab_balance(lab);
}

static const ActPart parts[] = {ACT_FOUND(Stand, chest)};
const Act act_stand = {.name = "stand",
                       .text = "the HRP-2-like robot stands, and is pushed",
                       .file = "hrp2_like.xml",
                       .pose = pose_half_sitting,
                       .size = sizeof(Stand),
                       .parts = ACT_PARTS(parts),
                       .options = {options, 1},
                       .begin = begin,
                       .control = control};

static void note(Lab* lab, double push) {
  const HeftVec3 com = heft_whole_body_com(heft_biped_whole_body(lab->biped), NULL);
  HeftVec3 center;
  lab_pressure(lab, &center);
  const double row[CHANNELS] = {lab_time(lab),
                                lab_foot_force(lab, 0, NULL),
                                lab_foot_force(lab, 1, NULL),
                                com.x,
                                com.y,
                                center.x,
                                push};
  lab_log(lab, row);
}

void experiment_stand(Lab* lab) {
  Stand s = {.force = 60};
  if (!act_open(&act_stand, lab, &s)) return;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "vertical force of each foot", "N",
            (const char*[]){"left foot", "right foot", NULL});
  lab_panel(lab, "forward: mass and pressure", "m", (const char*[]){"com x", "cop x", NULL});
  const double end = lab_brief(lab) ? 2.5 : 5;
  for (int i = 0; lab_time(lab) < end && lab_upright(lab); ++i) {
    act_step(&act_stand, lab, &s);
    if (i % 5 == 0) note(lab, s.push);
    if (i == 100 || i == 1200 || i == 2400) lab_instant(lab);
  }
  const int last = lab->log.rows - 1;
  const double weight = lab_weight(lab);
  const double force = lab_value(lab, last, LEFT) + lab_value(lab, last, RIGHT);
  const double lead = lab_value(lab, last, COP_X) - lab_value(lab, last, COM_X);
  lab->success = lab_upright(lab) && fabs(force / weight - 1) < 0.01;
  lab_claim(lab, lab->success, "at rest the feet carry the weight, within 1 %", "own requirement",
            "%.2f N of %.2f N: %+.3f %%", force, weight, 100 * (force / weight - 1));
  lab_claim(lab, fabs(lead) < 0.002, "at rest the pressure is under the centre of mass", "statics",
            "%.2f mm apart", 1000 * fabs(lead));
  lab_claim(lab, lab_upright(lab), "a push of 60 N for 0.2 s does not make it fall",
            "[Chardonnet 2012], 4", "pelvis at %.3f m", heft_world_state(lab->world)->q[2]);
  lab_claim_certificate(lab);
}
