// SPDX-License-Identifier: Apache-2.0
// Standing with the micro/macro model (paper C, section IV-C, Fig. 7-8): rigid soles under a
// membrane of 0.5 mm (k = 5512 N/m, c = 158 N s/m), static friction 1, kinetic 0.4, steps of 1 ms;
// the weight λ of the impulses goes from 0.01 to 7. Small weights give jerky forces that differ
// from point to point, large ones smooth forces, and near 7 the robot is said to sink. Here the
// small robot is set down from 5 mm, its joints held by servos, and watched for a second. Forces
// get smoother with the weight, as the paper says; the soles sink in proportion to it, some
// centimetres at 7; the points of a sole do not share the force more evenly.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { LAMBDAS = 5, CHANNELS = 1 + LAMBDAS };
static const double lambdas[LAMBDAS] = {0.01, 0.1, 1, 4, 7};
static const char* const names[CHANNELS] = {"time",       "lambda 0.01", "lambda 0.1",
                                            "lambda 1.0", "lambda 4.0",  "lambda 7.0"};
enum { ROWS = 500 };

typedef struct Standing {
  double force[ROWS];  ///< of the left foot, every 2 ms
  double rough;        ///< mean change of the force from step to step [N]
  double uneven;       ///< mean spread of the forces over the points of a sole, over their mean
  double sunk;         ///< how deep the soles are at the end [m]
} Standing;

static double unevenness(const Lab* lab, int foot) {
  double sum = 0, squares = 0;
  int n = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world); ++i) {
    const HeftWorldContact c = heft_world_contact(lab->world, i);
    if (c.body_a != foot && c.body_b != foot) continue;
    sum += fabs(c.force.z);
    squares += c.force.z * c.force.z;
    ++n;
  }
  if (n < 2 || sum <= 0) return 0;
  const double mean = sum / n;
  return sqrt(fmax(0, squares / n - mean * mean)) / mean;
}

// Set down from 5 mm above the ground.
static int raise(Lab* lab) {
  HeftState* state = NULL;
  if (heft_state_create(&state, lab->model, NULL, NULL) != HEFT_OK) return 0;
  heft_state_copy(state, heft_world_state(lab->world));
  state->q[lab->model->joint_q[0] + 2] += 0.005;
  const int taken = heft_world_set_state(lab->world, state) == HEFT_OK;
  heft_state_destroy(state);
  return taken;
}

static int stand(Lab* lab, Standing* s, double lambda) {
  HeftContactOptions o = heft_contact_options_default();
  o.lambda = lambda;
  o.unit_free = 0;
  o.membrane = 0.0005;
  o.stiffness = 5512;
  o.damping = 158;
  o.static_friction = 1;
  lab_use(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o);
  if (!lab_open(lab, "hoap_like.xml", pose_small)) return 0;
  if (!raise(lab)) return 0;
  const int foot = lab_body(lab, "left_foot");
  double was = 0;
  for (int i = 0; i < 2 * ROWS; ++i) {
    const HeftStepReport r = lab_step_servo(lab, 6, 0.08);
    const double force = lab_foot_force(lab, 0, NULL);
    s->rough += fabs(force - was) / (2 * ROWS);
    s->uneven += unevenness(lab, foot) / (2 * ROWS);
    s->sunk = r.penetration;
    if (i % 2 == 0) s->force[i / 2] = force;
    was = force;
  }
  return 1;
}

void experiment_lambda(Lab* lab) {
  static Standing s[LAMBDAS];
  memset(s, 0, sizeof s);
  for (int k = 0; k < LAMBDAS; ++k)
    if (!stand(lab, &s[k], lambdas[k])) return;
  lab_use(lab, HEFT_CONTACT_MODEL_EXACT, NULL);
  lab_channels(lab, CHANNELS, names);
  lab_panel(lab, "force of the left foot", "N",
            (const char*[]){names[1], names[2], names[3], names[4], names[5], NULL});
  for (int i = 0; i < ROWS; ++i) {
    double row[CHANNELS] = {0.002 * i};
    for (int k = 0; k < LAMBDAS; ++k) row[1 + k] = s[k].force[i];
    lab_log(lab, row);
  }
  int smoother = 1;
  for (int k = 1; k < 4; ++k) smoother &= s[k].rough <= 1.05 * s[k - 1].rough + 1e-6;
  lab->success = s[0].sunk < 0.001;
  lab_claim(lab, smoother ? LAB_HOLDS : LAB_DIFFERS, "forces get smoother from 0.01 to 4",
            "paper C, Fig. 7", "change per step %.2g, %.2g, %.2g, %.2g N", s[0].rough, s[1].rough,
            s[2].rough, s[3].rough);
  lab_claim(lab, s[3].uneven < s[0].uneven ? LAB_HOLDS : LAB_DIFFERS,
            "the sole's points share the force more evenly", "paper C, Fig. 8",
            "spread %.2g at 0.01, %.2g at 4", s[0].uneven, s[3].uneven);
  lab_claim(lab, s[4].sunk > 2 * s[2].sunk, "the robot sinks near 7", "paper C, IV-C",
            "soles %.2g, %.2g, %.2g, %.2g, %.2g mm deep", 1000 * s[0].sunk, 1000 * s[1].sunk,
            1000 * s[2].sunk, 1000 * s[3].sunk, 1000 * s[4].sunk);
  lab_claim(lab, lab->other_relative > 1e-6, "the certificate says how far this is from Coulomb",
            "ours", "worst %.1e, relative", lab->other_relative);
}
