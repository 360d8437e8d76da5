// SPDX-License-Identifier: Apache-2.0
// Papers: R60.
// A penalty model needs tuning: [Chardonnet 2012], sections 1 and 5.2, reports "high numerical
// instabilities caused by the tuning of the spring-dampers parameters" and divergence in most
// cases. The HOAP-1-like robot is dropped from 5 cm at steps of 1 ms. Each contact point has a
// spring of 300 N/m to 3 MN/m and a damper of 10 to 1000 N s/m; one run has the exact law. A
// setting succeeds if the robot is still upright after one second, has not leapt by more than 5 mm
// after its landing, and its soles are less than 5 mm deep.
//
// Soft springs sink. Where the step is too long for spring and damper, the soles leap. A point of
// mobility w is stable if h² k w + 2 h c w < 4 (docs/theory/micro-macro.md). The figure shows both
// borders.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum {
  STIFFNESSES = 9,
  DAMPINGS = 5,
  LEAP = 1,
  DEPTH = LEAP + DAMPINGS,
  CHANNELS = DEPTH + DAMPINGS
};
static const double dampings[DAMPINGS] = {10, 30, 100, 300, 1000};
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
                                            "deep c 1000"};
static const double limit = 0.005;

typedef struct Landing {
  double leap, depth;  ///< [m]
  int upright;
} Landing;

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

void experiment_penalty(Lab* lab) {
  Landing l = {0}, exact = {0};
  int good = 0;
  double softest = 1e30, stiffest = 0;
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "leap after the landing, by damping [N s/m]", "mm, at most 50",
            (const char*[]){names[1], names[2], names[3], names[4], names[5], NULL});
  lab_panel(lab, "depth of the soles at the end, by damping", "mm, at most 50",
            (const char*[]){names[6], names[7], names[8], names[9], names[10], NULL});
  for (int i = 0; i < STIFFNESSES; ++i) {
    const double power = 2.5 + 0.5 * i, k = pow(10, power);
    double row[CHANNELS] = {power};
    for (int j = 0; j < DAMPINGS; ++j) {
      HeftContactOptions o = heft_contact_options_default();
      o.stiffness = k;
      o.damping = dampings[j];
      lab_use(lab, HEFT_CONTACT_MODEL_PENALTY, &o);
      if (!land(lab, &l)) return;
      row[LEAP + j] = fmin(50, 1000 * l.leap);
      row[DEPTH + j] = fmin(50, 1000 * l.depth);
      if (!stays(&l)) continue;
      ++good;
      softest = fmin(softest, k);
      stiffest = fmax(stiffest, k);
    }
    lab_log(lab, row);
  }
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  if (!land(lab, &exact)) return;
  const int all = STIFFNESSES * DAMPINGS;
  lab->success = stays(&exact);
  lab_claim(lab, stays(&exact), "the exact law needs no setting: the robot stays",
            "[Chardonnet 2012], 1", "leap %.1f mm, %.4f mm deep", 1000 * exact.leap,
            1000 * exact.depth);
  lab_claim(lab, good > 0 && softest > 1000 && stiffest < 2e6,
            "springs and dampers stay in a band and fail on both sides of it",
            "[Chardonnet 2012], 5.2",
            "%d of %d settings stay, with springs of %.0e to %.0e N/m; certificates up to %.0e",
            good, all, softest, stiffest, lab->other_relative);
  lab_claim_certificate(lab);
}
