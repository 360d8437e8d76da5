// SPDX-License-Identifier: Apache-2.0
// Static friction above kinetic friction: blocks on slopes that rest, creep or slide at the start,
// and a block on a platform that accelerates. A block that creeps is not held by static friction
// (src/world/static_friction.c), so that its speed follows from kinetic friction alone.
#include <heft/access.h>
#include <math.h>

#include "validation/cases.h"

enum { BLOCK = 1, CARRIED = 2, STEPS = 1000 };
static const double static_mu = 1, kinetic_mu = 0.5, h = 0.001;

// A block on a slope with this speed at the start, for one second.
static void slide(Run* run, double slope, double speed) {
  EngineSettings s = engine_settings();
  s.step = h;
  s.friction = static_mu;
  s.kinetic = kinetic_mu;
  settings_lean(&s, slope);
  if (!run_open(run, "slope.xml", &s)) return;
  EngineBody block = run_body(run, BLOCK);
  block.vel.x = speed;
  run_place(run, BLOCK, block);
  run_step(run, STEPS);
  const double along = (slope - kinetic_mu) * CASE_GRAVITY / sqrt(1 + slope * slope);
  const int holds = speed == 0 && slope < static_mu;
  const double exact = holds ? 0 : fmax(0, speed + along * h * STEPS);
  const double figure = run_body(run, BLOCK).vel.x;
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "slope %.2f, %g m/s at the start: speed after 1 s [m/s]", slope,
           speed);
  run_report(run, what, exact, figure, 1e-9);
}

// The platform carries the block up to the static coefficient. Beyond it, the block slips from the
// first step on.
static void carry(Run* run, double share) {
  EngineSettings s = engine_settings();
  s.step = h;
  s.friction = static_mu;
  s.kinetic = kinetic_mu;
  s.tolerance = 1e-9;
  if (!run_open(run, "platform.xml", &s)) return;
  const double a = share * static_mu * CASE_GRAVITY;
  const double exact = share < 1 ? a : kinetic_mu * CASE_GRAVITY;
  double worst = 0;
  for (int i = 1; i <= STEPS; ++i) {
    const HeftVec3 velocity = heft_vec3(a * h * i, 0, 0);
    heft_world_set_body_velocity(run->engine->world, "platform",
                                 heft_spatial(heft_vec3(0, 0, 0), velocity), NULL);
    run_step(run, 1);
    worst = fmax(worst, fabs(run_body(run, CARRIED).vel.x - exact * h * i));
  }
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "platform at %.2f µg: error of the velocity in 1 s [m/s]", share);
  run_report(run, what, 0, worst, 1e-8);
}

void case_static(Run* run) {
  static const double slopes[] = {0.3, 0.75, 0.95, 1.05}, speeds[] = {0, 1e-6, 1e-3, 0.5};
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) slide(run, slopes[i], speeds[k]);
  }
  carry(run, 0.4);
  carry(run, 0.95);
  carry(run, 1.05);
}
