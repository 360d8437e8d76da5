// SPDX-License-Identifier: Apache-2.0
// The small robot stands with the micro/macro model ([Sugihara 2006], section IV-C, Fig. 7-8):
// rigid soles under a membrane of 0.5 mm (k = 5512 N/m, c = 158 N s/m), static friction 1, kinetic
// friction 0.4, steps of 1 ms. The weight λ of the impulses varies from 0.01 to 7. Small weights
// give impulsive forces that differ from point to point, large weights give smooth forces, and
// according to the source the robot sinks near 7. Here the small robot is released 5 mm above the
// ground, with servos at its joints, and observed for one second.
//
// The chattering that λ smooths comes from friction. A point may stick below a speed ε, which is "a
// tiny value" in the source and 10 µm/s here. Points above ε receive the full kinetic friction and
// jump back and forth. With Heft's default ε, the velocity that gravity adds in a step, points
// stick, the forces do not chatter, and the forces of a sole are as even at 0.01 as at 4. The
// unevenness of a sole is the part of its forces that neither their sum nor their centre
// determines: the difference between the points of the two diagonals.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/poses.h"

enum { LAMBDAS = 5, CHANNELS = 1 + 2 * LAMBDAS };
static const double lambdas[LAMBDAS] = {0.01, 0.1, 1, 4, 7};
static const char* const names[CHANNELS] = {"time",           "lambda 0.01",   "lambda 0.1",
                                            "lambda 1.0",     "lambda 4.0",    "lambda 7.0",
                                            "uneven at 0.01", "uneven at 0.1", "uneven at 1.0",
                                            "uneven at 4.0",  "uneven at 7.0"};
enum { ROWS = 500 };

typedef struct Standing {
  double force[ROWS];  ///< of the left foot, every 2 ms
  double apart[ROWS];  ///< difference of its diagonals, as a fraction of the force
  double rough;        ///< mean change of the force from step to step [N]
  double uneven;       ///< mean difference of the diagonals, as a fraction of the force
  double sunk;         ///< penetration of the soles at the end [m]
} Standing;

// The points of a sole, its diagonals weighted by +1 and -1; 0 unless all four are loaded.
static double unevenness(const Lab* lab, int foot) {
  const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(lab->world), foot);
  HeftVec3 place[4], middle = heft_vec3(0, 0, 0);
  double force[4], sum = 0, apart = 0;
  int n = 0;
  for (int i = 0; i < heft_world_contact_count(lab->world) && n < 4; ++i) {
    const HeftContact c = heft_world_contact(lab->world, i);
    if (c.body_a != foot && c.body_b != foot) continue;
    place[n] = heft_pose_apply_inverse(pose, c.pos);
    middle = heft_vec3_add_scaled(middle, 0.25, place[n]);
    sum += force[n++] = c.force.z;
  }
  if (n < 4 || !(sum > 0)) return 0;
  for (int i = 0; i < 4; ++i)
    apart += (place[i].x > middle.x) == (place[i].y > middle.y) ? force[i] : -force[i];
  return fabs(apart) / sum;
}

static HeftContactOptions with_lambda(double lambda) {
  HeftContactOptions o = heft_contact_options_default();
  o.lambda = lambda;
  o.unit_free = 0;
  o.membrane = 0.0005;
  o.stiffness = 5512;
  o.damping = 158;
  o.static_friction = 1;
  o.slip_speed = 1e-5;
  return o;
}

// ---- the act

typedef struct Weighed {
  double lambda;         ///< option
  double force, uneven;  ///< values: of the left foot [N], share that statics leaves open
} Weighed;

static const HeftOption options[] = {
    ACT_OPTION(Weighed, lambda, 0.01, 10, 1, "", "weight of the impulses")};
static const HeftOption values[] = {
    ACT_VALUE(Weighed, force, "N", "force of the left foot"),
    ACT_VALUE(Weighed, uneven, "", "share of it that statics leaves open")};

static int begin(Lab* lab, void* self) {
  const HeftContactOptions o = with_lambda(((const Weighed*)self)->lambda);
  return lab_use_now(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o) && lab_raise(lab, 0.005);
}

static void control(Lab* lab, void* self) {
  (void)self;
  lab_servo(lab, 6, 0.08);
}

static void observe(Lab* lab, void* self, const HeftStepReport* report) {
  Weighed* w = self;
  (void)report;
  w->force = lab_foot_force(lab, 0, NULL);
  w->uneven = unevenness(lab, lab_body(lab, "left_foot"));
}

const Act act_lambda = {.name = "lambda",
                        .text = "the small robot stands on a membrane, forces weighed by lambda",
                        .file = "hoap_like.xml",
                        .pose = pose_small,
                        .size = sizeof(Weighed),
                        .options = {options, 1},
                        .values = {values, 2},
                        .begin = begin,
                        .control = control,
                        .observe = observe};

static int stand(Lab* lab, Standing* s, double lambda) {
  const HeftContactOptions o = with_lambda(lambda);
  lab_use(lab, HEFT_CONTACT_MODEL_MICRO_MACRO, &o);
  if (!lab_open(lab, "hoap_like.xml", pose_small)) return 0;
  if (!lab_raise(lab, 0.005)) return 0;
  const int foot = lab_body(lab, "left_foot");
  double was = 0;
  for (int i = 0; i < 2 * ROWS; ++i) {
    const HeftStepReport r = lab_step_servo(lab, 6, 0.08);
    const double force = lab_foot_force(lab, 0, NULL);
    s->rough += fabs(force - was) / (2 * ROWS);
    const double apart = unevenness(lab, foot);
    s->uneven += apart / (2 * ROWS);
    s->sunk = r.penetration;
    if (i % 2 == 0) s->force[i / 2] = force;
    if (i % 2 == 0) s->apart[i / 2] = apart;
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
  lab_panel(lab, "force of the left foot, after it has landed", "N",
            (const char*[]){names[1], names[2], names[3], names[4], NULL});
  lab_panel(lab, "share of it that statics leaves open", "",
            (const char*[]){names[6], names[7], names[8], names[9], NULL});
  for (int i = 50; i < ROWS; ++i) {
    double row[CHANNELS] = {0.002 * i};
    for (int k = 0; k < LAMBDAS; ++k) {
      row[1 + k] = s[k].force[i];
      row[1 + LAMBDAS + k] = s[k].apart[i];
    }
    lab_log(lab, row);
  }
  int smoother = 1;
  for (int k = 1; k < 4; ++k) smoother &= s[k].rough < s[k - 1].rough;
  lab->success = s[0].sunk < 0.001;
  lab_claim(lab, smoother && s[3].rough < 0.25 * s[0].rough,
            "forces are impulsive at 0.01 and get smoother up to 4", "[Sugihara 2006], Fig. 7",
            "change per step %.2g, %.2g, %.2g, %.2g N", s[0].rough, s[1].rough, s[2].rough,
            s[3].rough);
  lab_claim(lab, s[3].uneven < 0.25 * s[0].uneven,
            "a sole's forces are uneven at 0.01 and smooth at 4", "[Sugihara 2006], Fig. 8",
            "%.2g %% of the force at 0.01, %.2g %% at 4", 100 * s[0].uneven, 100 * s[3].uneven);
  lab_claim(lab, s[4].sunk > 2 * s[2].sunk, "the robot sinks near 7", "[Sugihara 2006], IV-C",
            "soles %.2g, %.2g, %.2g, %.2g, %.2g mm deep", 1000 * s[0].sunk, 1000 * s[1].sunk,
            1000 * s[2].sunk, 1000 * s[3].sunk, 1000 * s[4].sunk);
  lab_claim(lab, lab->other_relative > 1e-6,
            "the certificate states the distance from Coulomb's law", "ours",
            "worst %.1e, relative", lab->other_relative);
}
