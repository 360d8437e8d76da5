// SPDX-License-Identifier: Apache-2.0
// Papers: R60.
// A penalty model needs tuning: [Chardonnet 2012], sections 1 and 5.2, reports "high numerical
// instabilities caused by the tuning of the spring-dampers parameters" and divergence in most
// cases. Each contact point has a spring of 300 N/m to 3 MN/m and a damper of 10 to 1000 N s/m; one
// run has the exact law. The HOAP-1-like robot is dropped from 5 cm at steps of 1 ms. A setting
// succeeds if the robot is still upright after one second, has not leapt by more than 5 mm after
// its landing, and its soles are less than 5 mm deep. The HRP-2-like robot lifts the bar of lift.c
// at steps of 0.5, 1 and 2 ms. A setting succeeds if the robot stands at the end and its hands
// carry the weight of the bar overhead.
//
// Soft springs sink. Where the step is too long for spring and damper, the soles leap. A point of
// mobility w is stable if h² k w + 2 h c w < 4 (docs/theory/micro-macro.md). The figure shows both
// borders. Beyond them the model leaves steps of its own unsolved.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/lift.h"
#include "experiments/poses.h"

enum {
  STIFFNESSES = 9,
  DAMPINGS = 5,
  STEPS = 3,
  LEAP = 1,
  DEPTH = LEAP + DAMPINGS,
  BAR = DEPTH + DAMPINGS,
  CHANNELS = BAR + STEPS * DAMPINGS
};
static const double dampings[DAMPINGS] = {10, 30, 100, 300, 1000};
static const double steps[STEPS] = {5e-4, 1e-3, 2e-3};  // of the lift [s]
static const char* const names[CHANNELS] = {"log10 of stiffness [N/m]",
                                            "leap c 10",
                                            "leap c 30",
                                            "leap c 100",
                                            "leap c 300",
                                            "leap c 1000",
                                            "deep c 10",
                                            "deep c 30",
                                            "deep c 100",
                                            "deep c 300",
                                            "deep c 1000",
                                            "lift 0.5 c 10",
                                            "lift 0.5 c 30",
                                            "lift 0.5 c 100",
                                            "lift 0.5 c 300",
                                            "lift 0.5 c 1000",
                                            "lift 1 c 10",
                                            "lift 1 c 30",
                                            "lift 1 c 100",
                                            "lift 1 c 300",
                                            "lift 1 c 1000",
                                            "lift 2 c 10",
                                            "lift 2 c 30",
                                            "lift 2 c 100",
                                            "lift 2 c 300",
                                            "lift 2 c 1000"};
static const double limit = 0.005;

typedef struct Landing {
  double leap, depth;  ///< [m]
  int upright;
} Landing;

static void spring(Lab* lab, double stiffness, double damping) {
  HeftContactOptions o = heft_contact_options_default();
  o.stiffness = stiffness;
  o.damping = damping;
  lab_use(lab, HEFT_CONTACT_MODEL_PENALTY, &o);
}

static int land(Lab* lab, Landing* l) {
  if (!lab_open(lab, "hoap_like.xml", pose_small) || !lab_raise(lab, 0.05)) return 0;
  const int z = lab->model->joint_q[0] + 2;
  const double stands = lab->start[z];
  *l = (Landing){0};
  for (int i = 0; i < 1000; ++i) {
    const HeftStepReport r = lab_step_servo(lab, 6, 0.08);
    if (i > 200) l->leap = fmax(l->leap, heft_world_state(lab->world)->q[z] - stands);
    l->depth = r.penetration;
    if (!heft_step_taken(r.status)) l->leap = 1;  // it diverged
  }
  l->upright = lab_upright(lab);
  return 1;
}

static int stays(const Landing* l) { return l->upright && l->leap < limit && l->depth < limit; }

// Settings of springs and dampers that succeed.
typedef struct Band {
  int good;
  double softest, stiffest;  ///< [N/m]; 0: none
} Band;

static void succeeds(Band* band, double stiffness) {
  band->softest = band->good++ ? fmin(band->softest, stiffness) : stiffness;
  band->stiffest = fmax(band->stiffest, stiffness);
}

static void lift_with(Lab* lab, double stiffness, Band lifts[STEPS], double* row) {
  for (int s = 0; s < STEPS; ++s)
    for (int j = 0; j < DAMPINGS; ++j) {
      spring(lab, stiffness, dampings[j]);
      lab->def.time_step = steps[s];
      row[BAR + s * DAMPINGS + j] = fmax(0, lift_height(lab));
      if (row[BAR + s * DAMPINGS + j] > 0) succeeds(&lifts[s], stiffness);
    }
  lab->def.time_step = 0;
}

static void judge_lifts(Lab* lab, const Band lifts[STEPS]) {
  int exact = 0, fewer = 1, some = 0;
  char what[LAB_TEXT] = "";
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  for (int s = 0; s < STEPS; ++s) {
    lab->def.time_step = steps[s];
    exact += lift_height(lab) > 0;
    some += lifts[s].good > 0 && lifts[s].good < STIFFNESSES * DAMPINGS;
    fewer &= s == 0 || lifts[s].good <= lifts[s - 1].good;
    const size_t used = strlen(what);
    snprintf(what + used, sizeof what - used, "%s%g ms: %d, %.0e to %.0e N/m", s ? "; " : "",
             1000 * steps[s], lifts[s].good, lifts[s].softest, lifts[s].stiffest);
  }
  lab->def.time_step = 0;
  lab_claim(lab, exact == STEPS, "the exact law lifts the bar at each step length",
            "[Chardonnet 2012], 5.2", "%d of %d", exact, STEPS);
  lab_claim(lab, some == STEPS && fewer,
            "springs and dampers lift it within a border that longer steps narrow",
            "[Chardonnet 2012], 5.2", "of %d settings %s", STIFFNESSES * DAMPINGS, what);
}

void experiment_penalty(Lab* lab) {
  Landing l = {0}, exact = {0};
  Band drops = {0}, lifts[STEPS] = {{0}};
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "leap after the landing, by damping [N s/m]", "mm, at most 50",
            (const char*[]){names[1], names[2], names[3], names[4], names[5], NULL});
  lab_panel(lab, "depth of the soles at the end, by damping", "mm, at most 50",
            (const char*[]){names[6], names[7], names[8], names[9], names[10], NULL});
  const int lifts_too = !lab_brief(lab);
  for (int s = 0; lifts_too && s < STEPS; ++s) {
    char title[64];
    snprintf(title, sizeof title, "bar after the lift at %g ms, by damping", 1000 * steps[s]);
    const char* const* name = names + BAR + s * DAMPINGS;
    lab_panel(lab, title, "m, 0: lost",
              (const char*[]){name[0], name[1], name[2], name[3], name[4], NULL});
  }
  for (int i = 0; i < STIFFNESSES; ++i) {
    const double power = 2.5 + 0.5 * i, k = pow(10, power);
    double row[CHANNELS] = {power};
    for (int j = 0; j < DAMPINGS; ++j) {
      spring(lab, k, dampings[j]);
      if (!land(lab, &l)) return;
      row[LEAP + j] = fmin(50, 1000 * l.leap);
      row[DEPTH + j] = fmin(50, 1000 * l.depth);
      if (stays(&l)) succeeds(&drops, k);
    }
    if (lifts_too) lift_with(lab, k, lifts, row);
    if (lab->error[0]) return;
    lab_log(lab, row);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (!land(lab, &exact)) return;
  const int all = STIFFNESSES * DAMPINGS;
  lab->success = stays(&exact);
  lab_claim(lab, stays(&exact), "the exact law needs no setting: the robot stays",
            "[Chardonnet 2012], 1", "leap %.1f mm, %.4f mm deep", 1000 * exact.leap,
            1000 * exact.depth);
  lab_claim(lab, drops.good > 0 && drops.softest > 1000 && drops.stiffest < 2e6,
            "springs and dampers stay in a band and fail on both sides of it",
            "[Chardonnet 2012], 5.2",
            "%d of %d settings stay, with springs of %.0e to %.0e N/m; certificates up to %.0e",
            drops.good, all, drops.softest, drops.stiffest, lab->other_relative);
  if (lifts_too) judge_lifts(lab, lifts);
  lab_claim_certificate(lab);
}
