// SPDX-License-Identifier: Apache-2.0
// The robot of `walk` is pushed hard from the side in the middle of a step and falls ([Sugihara
// 2006], Fig. 11). All its parts make contact, and the simulation stays stable.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "examples/controller/rise.h"
#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { TIME, HEIGHT, CONTACTS, DEPTH, CHANNELS };
static const char* const names[CHANNELS] = {"time", "pelvis z", "contacts", "depth"};

enum { PLAN, FEEL_STANDING, FEEL_WALKING, FOREIGN };

typedef struct Stumble {
  double force;  ///< option: of the push [N]
  double feel;   ///< option: who controls
  int chest, fallen;
  RiseState rise;
} Stumble;

static const HeftOption options[] = {
    ACT_OPTION(Stumble, force, 0, 1000, 250, "N", "force of the push from the side after 3.1 s"),
    ACT_OPTION(Stumble, feel, 0, 3, 0, "",
               "0: a plan; 1: stands by its sensors, steps, gets up; 2: walks so; "
               "3: another controller")};

static int begin(Lab* lab, void* self) {
  Stumble* s = self;
  HeftError error = {0};
  s->chest = lab_body(lab, "chest");
  if (!lab_plan_walk(lab, NULL)) return 0;
  lab->balance = calloc(1, sizeof *lab->balance);
  if (lab->balance &&
      balance_open(lab->balance, &s->rise.balance, lab->model, lab->start, &error)) {
    s->rise.balance.stepper.walking = lround(s->feel) == FEEL_WALKING;
    return 1;
  }
  snprintf(lab->error, sizeof lab->error, "%s", error.message);
  return 0;
}

static void follow_plan(Lab* lab, const Stumble* s) {
  heft_walk_goal(lab->walk, lab_time(lab), &lab->goal, NULL);
  lab->goal.posture = lab->start;
  if (s->fallen)
    lab_servo(lab, 2, 0.1);
  else
    lab_balance(lab);
}

static void control(Lab* lab, void* self) {
  Stumble* s = self;
  const double t = lab_time(lab);
  const HeftState* now = heft_world_state(lab->world);
  const long feel = lround(s->feel);
  if (t > 3.1 && t < 3.4) {
    const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(lab->world), s->chest).pos;
    heft_world_apply_wrench(lab->world, s->chest, at, heft_vec3(0, s->force, 0),
                            heft_vec3(0, 0, 0));
  }
  s->fallen |= !lab_upright(lab);
  if (feel == PLAN)
    follow_plan(lab, s);
  else if (feel != FOREIGN)
    rise_or_balance(lab->balance, &s->rise, now->q, now->v, heft_world_sensors(lab->world),
                    lab->model->physics.time_step, heft_world_controls(lab->world), lab->posture);
}

static const ActPart parts[] = {
    ACT_FOUND(Stumble, chest),
    ACT_RANGE(Stumble, rise.balance.stepper.side, 0, 1),
    ACT_RANGE(Stumble, rise.balance.stepper.phase, 0, HEFT_STEP_PHASE_COUNT - 1),
    ACT_RANGE(Stumble, rise.balance.stepper.steps, 0, 1000000000),
    ACT_RANGE(Stumble, rise.front, 0, 1),
    ACT_RANGE(Stumble, rise.key, 0, RISE_UP),
    ACT_RANGE(Stumble, rise.tries, 0, 1000000000)};
const Act act_stumble = {.name = "stumble",
                         .text = "the HRP-2-like robot is pushed while it walks, and falls",
                         .file = "hrp2_like.xml",
                         .pose = pose_half_sitting,
                         .size = sizeof(Stumble),
                         .parts = ACT_PARTS(parts),
                         .options = {options, 2},
                         .may_lie = 1,
                         .begin = begin,
                         .control = control};

void experiment_stumble(Lab* lab) {
  Stumble s = {.force = 250};
  if (!act_open(&act_stumble, lab, &s)) return;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "height of the pelvis", "m", (const char*[]){"pelvis z", NULL});
  lab_panel(lab, "contact points", "", (const char*[]){"contacts", NULL});
  double deepest = 0, energy = 0;
  int max = 0;
  for (int i = 0; lab_time(lab) < 6; ++i) {
    const double t = lab_time(lab);
    const HeftStepReport r = act_step(&act_stumble, lab, &s);
    deepest = fmax(deepest, r.penetration);
    energy = fmax(energy, r.kinetic);
    max = r.contact_count > max ? r.contact_count : max;
    const double row[CHANNELS] = {t, heft_world_state(lab->world)->q[2], r.contact_count,
                                  r.penetration};
    if (i % 5 == 0) lab_log(lab, row);
    if (i == 3000 || i == 3600 || i == 4000 || i == 5900) lab_instant(lab);
  }
  lab->success = s.fallen && lab->troubled == 0;
  lab_claim(lab, s.fallen, "pushed with 250 N it falls", "[Sugihara 2006], Fig. 11",
            "pelvis at %.2f m", heft_world_state(lab->world)->q[2]);
  lab_claim(lab, deepest < 0.002, "nothing sinks into the ground on the way", "ours",
            "at most %.2g mm deep, up to %d points", 1000 * deepest, max);
  lab_claim_certificate(lab);
}
