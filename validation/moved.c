// SPDX-License-Identifier: Apache-2.0
// Bodies on surfaces that move by prescription: a platform, a lift, a belt, a turntable. The laws
// of Coulomb and Newton give the answers in closed form.
#include <heft/access.h>
#include <math.h>

#include "validation/cases.h"

enum { PLATFORM = 1, BLOCK = 2 };
static const double mu = 0.4, h = 0.001;

static int open_platform(Run* run) {
  EngineSettings s = engine_settings();
  s.step = h;
  s.tolerance = 1e-9;
  return run_open(run, "platform.xml", &s);
}

// Moves the platform by a velocity for one step. Heft gets the velocity, other engines the pose of
// the end of the step.
static void drive(Run* run, EngineBody* platform, HeftVec3 angular, HeftVec3 linear) {
  platform->pos = heft_vec3_add_scaled(platform->pos, h, linear);
  if (run->engine->type == &engine_heft)
    heft_world_set_body_velocity(run->engine->world, "platform", heft_spatial(angular, linear),
                                 NULL);
  else
    run_place(run, PLATFORM, *platform);
  run_step(run, 1);
}

static EngineBody platform_at_start(void) {
  return (EngineBody){.pos = heft_vec3(0, 0, -0.1), .quat = heft_quat_identity()};
}

static const HeftVec3 none = {0, 0, 0};

// A platform that accelerates below µg carries the block; above, the block follows by µg.
static void carry(Run* run, double share) {
  if (!open_platform(run)) return;
  const double a = share * mu * CASE_GRAVITY;
  EngineBody platform = platform_at_start();
  double worst = 0;
  for (int i = 1; i <= 1000; ++i) {
    drive(run, &platform, none, heft_vec3(a * h * i, 0, 0));
    const double exact = fmin(a, mu * CASE_GRAVITY) * h * i;
    worst = fmax(worst, fabs(run_body(run, BLOCK).vel.x - exact));
  }
  const double gap = run_body(run, BLOCK).pos.x - platform.pos.x - 1;
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "platform at %.3f µg: error of the velocity in 1 s [m/s]", share);
  run_report(run, what, 0, worst, 1e-8);
  if (share < 1) run_report(run, "the same: way of the block on the platform [m]", 0, gap, 1e-8);
}

static void lift(Run* run) {
  if (!open_platform(run)) return;
  EngineBody platform = platform_at_start();
  double worst = 0;
  for (int i = 1; i <= 500; ++i) {
    HeftVec3 force = none;
    drive(run, &platform, none, heft_vec3(0, 0, 2 * h * i));
    run->engine->type->force(run->engine, PLATFORM, BLOCK, &force);
    worst = fmax(worst, fabs(force.z - (CASE_GRAVITY + 2)));
  }
  const double gap = run_body(run, BLOCK).pos.z - platform.pos.z - 0.2;
  run_close(run);
  run_report(run, "lift at 2 m/s²: error of the force m (g + a) [N]", 0, worst, 1e-5);
  run_report(run, "the same: way of the block above the lift [m]", 0, gap, 1e-8);
}

static void belt(Run* run, double speed) {
  if (!open_platform(run)) return;
  heft_world_set_conveyor(run->engine->world, "top", heft_vec3(speed, 0, 0), none, NULL);
  int reached = 0;
  for (int i = 1; i <= 1000; ++i) {
    run_step(run, 1);
    if (!reached && run_body(run, BLOCK).vel.x > speed - 1e-8) reached = i;
  }
  const double end = run_body(run, BLOCK).vel.x, time = speed / (mu * CASE_GRAVITY);
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "belt at %g m/s: time to its speed, v / µg [s]", speed);
  run_report(run, what, time, reached * h, h);
  run_report(run, "the same: speed after 1 s [m/s]", speed, end, 1e-8);
}

// The turntable speeds up slowly until the block slips.
static void turntable(Run* run) {
  if (!open_platform(run)) return;
  const double critical = sqrt(mu * CASE_GRAVITY);  // at a radius of 1 m
  const int ramp = run->full ? 40000 : 8000;
  EngineBody platform = platform_at_start();
  double kept = 0, onset = 0;
  for (int i = 1; i <= 2 * ramp && onset == 0; ++i) {
    const double spin = 1.1 * critical * (i < ramp ? (double)i / ramp : 1);
    drive(run, &platform, heft_vec3(0, 0, spin), none);
    const HeftContact contact = heft_world_contact(run->engine->world, 0);
    const EngineBody block = run_body(run, BLOCK);
    if (contact.state == HEFT_CONTACT_SLIPPING) onset = spin;
    if (onset == 0) kept = fmax(kept, fabs(hypot(block.pos.x, block.pos.y) - 1));
    run_progress(run, (double)i / ramp);
  }
  run_close(run);
  run_report(run, "turntable: change of the radius before the block slips [m]", 0, kept, 1e-8);
  run_report_relative(run, "turntable: spin at which the block slips, sqrt(µg / r) [rad/s]",
                      critical, onset, 2e-3);
}

void case_moved(Run* run) {
  carry(run, 0.95);
  carry(run, 0.999);
  carry(run, 1.001);
  carry(run, 2);
  lift(run);
  if (run->engine->type != &engine_heft) return;  // conveyors, states of contacts
  belt(run, 0.5);
  belt(run, 2);
  turntable(run);
}
