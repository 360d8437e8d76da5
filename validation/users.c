// SPDX-License-Identifier: Apache-2.0
// Scenes that users of other engines have reported, each with its exact solution.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

// MuJoCo issue 3328: 45 g between jaws of 12 to 60 N, creeps 50-155 µm/s there.
void case_pinch(Run* run) {
  double worst = 0, sunk = 0;
  for (int force = 12; force <= 60; force += 12) {
    EngineSettings s = engine_settings();
    if (!run_open(run, "pinch.xml", &s)) return;
    run->engine->type->push(run->engine, 1, heft_vec3(force, 0, 0));
    run->engine->type->push(run->engine, 2, heft_vec3(-force, 0, 0));
    run_step(run, 200);
    const EngineBody early = run_body(run, 3);
    run_step(run, 200);
    const EngineBody late = run_body(run, 3);
    run_close(run);
    worst = fmax(worst, fabs(late.pos.z - early.pos.z) / 0.2);
    sunk = fmax(sunk, 0.5 - late.pos.z);
  }
  run_report(run, "creep at 12 to 60 N [m/s]", 0, worst, 1e-12);
  run_report(run, "sunk after 0.4 s [m]", 0, sunk, 1e-6);
}

// Genesis issue 3115: a cube thrown at 6 m/s lifts off by 318 mm there.
void case_throw(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "slide.xml", &s)) return;
  EngineBody cube = run_body(run, 1);
  cube.vel.x = 6;
  run_place(run, 1, cube);
  double lift = 0;
  for (int i = 0; i < 1500; ++i) {
    run_step(run, 1);
    lift = fmax(lift, run_body(run, 1).pos.z - 0.05);
  }
  cube = run_body(run, 1);
  run_close(run);
  run_report(run, "lift [m]", 0, lift, 1e-9);
  run_report_relative(run, "distance to stop, v²/(2µg) [m]", 36 / (2 * 0.5 * g), cube.pos.x, 2e-3);
  run_report(run, "off its course [m]", 0, fabs(cube.pos.y), 1e-9);
}

// Genesis change 2872: held by 20 N with friction 1, creeps 4.5 mm/s there.
void case_wall(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "wall.xml", &s)) return;
  run->engine->type->push(run->engine, 1, heft_vec3(-20, 0, 0));
  run_step(run, 200);
  const EngineBody early = run_body(run, 1);
  run_step(run, 2000);
  const EngineBody late = run_body(run, 1);
  run_close(run);
  run_report(run, "creep [m/s]", 0, (early.pos.z - late.pos.z) / 2, 1e-12);
}

// DART issue 841: the force that moves a cube must not depend on its heading.
static int moves_at(Run* run, double force, int heading) {
  const double angle = heading * HEFT_PI / 180;
  EngineBody cube = run_body(run, 1);
  cube.pos = heft_vec3(0, 0, 0.05);
  cube.quat = heft_quat(1, 0, 0, 0);
  cube.vel = cube.omega = heft_vec3(0, 0, 0);
  run_place(run, 1, cube);
  run->engine->type->push(run->engine, 1, heft_vec3(force * cos(angle), force * sin(angle), 0));
  run_step(run, 100);
  const double early = heft_vec3_norm(run_body(run, 1).vel);
  run_step(run, 200);  // sliding, it gains 9.8e-4 m/s; creeping at a constant speed does not count
  return heft_vec3_norm(run_body(run, 1).vel) - early > 1e-4;
}

void case_headings(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "slide.xml", &s)) return;
  int wrong = 0;
  for (int heading = 0; heading < 360; heading += 5) {
    wrong += moves_at(run, 0.5 * g * (1 - 1e-3), heading) != 0;
    wrong += moves_at(run, 0.5 * g * (1 + 1e-3), heading) != 1;
  }
  run_close(run);
  run_report(run, "wrong answers at µ m g (1 ± 1e-3), 72 headings", 0, wrong, 0);
}

// DART issue 3442: two boxes, the upper one up to 1000 times as heavy.
void case_ratios(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "two_boxes.xml", &s)) return;
  run_step(run, 2000);
  HeftVec3 floor = {0, 0, 0}, between = {0, 0, 0};
  const int known = run->engine->type->force(run->engine, 0, 1, &floor) &&
                    run->engine->type->force(run->engine, 1, 2, &between);
  const EngineBody top = run_body(run, 2);
  run_close(run);
  if (known) run_report_relative(run, "force on the floor [N]", 1001 * g, floor.z, 1e-9);
  if (known) run_report_relative(run, "force between them [N]", 1000 * g, between.z, 1e-9);
  run_report(run, "height of the upper one after 2 s [m]", 0.3, top.pos.z, 1e-6);
}

// Drake issue 18241: a spring of 500 N/m moves the upper of two cubes; the contacts must not add
// energy.
void case_hand(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "cubes.xml", &s)) return;
  double max = 0, scale = 0;
  const int steps = 5000;
  for (int i = 0; i < steps; ++i) {
    const double t = 0.001 * i;
    const EngineBody cube = run_body(run, 2);
    const HeftVec3 hand = heft_vec3(0.03 * sin(3 * t), 0.02 * sin(5 * t), 0.15 - 0.02 * sin(2 * t));
    HeftVec3 pull = heft_vec3_scale(500, heft_vec3_sub(hand, cube.pos));
    pull = heft_vec3_add_scaled(pull, -2, cube.vel);
    run->engine->type->push(run->engine, 2, pull);
    run_step(run, 1);
    max = fmax(max, run->engine->report.impulse_energy);
    scale = fmax(scale, run->engine->report.kinetic);
  }
  run_close(run);
  run_report_error(run, "max work of contacts in a step, of the kinetic energy", 0, max / scale,
                   fmax(0, max / scale), 1e-9);
}

// Drake issue 22213: a cube at rest does not move, and its force is constant.
void case_silence(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "slide.xml", &s)) return;
  double speed = 0, low = 1e300, high = 0;
  int known = 1;
  run_step(run, 100);
  for (int i = 0; i < (run->full ? 600000 : 5000); ++i) {
    HeftVec3 f = {0, 0, 0};
    run_step(run, 1);
    const EngineBody cube = run_body(run, 1);
    speed = fmax(speed, heft_vec3_norm(cube.vel) + 0.05 * heft_vec3_norm(cube.omega));
    known &= run->engine->type->force(run->engine, 0, 1, &f);
    low = fmin(low, f.z);
    high = fmax(high, f.z);
  }
  const EngineBody cube = run_body(run, 1);
  run_close(run);
  run_report(run, "greatest speed [m/s]", 0, speed, 1e-12);
  if (known) run_report(run, "force varies by, relative", 0, (high - low) / g, 1e-9);
  run_report(run, "height at the end [m]", 0.05, cube.pos.z, 1e-9);
}

// PhysX issue 276: normal force m g cos θ, friction m g sin θ.
void case_incline(Run* run) {
  EngineSettings s = engine_settings();
  const double slope = 0.3, c = 1 / sqrt(1 + slope * slope);
  settings_lean(&s, slope);
  if (!run_open(run, "slope.xml", &s)) return;
  run_step(run, 1000);
  HeftVec3 f = {0, 0, 0};
  const int known = run->engine->type->force(run->engine, 0, 1, &f);
  run_close(run);
  if (!known) return;
  run_report_relative(run, "normal force, m g cos θ [N]", g * c, f.z, 1e-10);
  run_report_relative(run, "friction, m g sin θ [N]", g * slope * c, -f.x, 1e-10);
}

// Rapier issue 934: a foot with its centre of mass beyond the edge tips over; otherwise it returns.
static double foot_after(Run* run, double share) {
  const double half = 0.1, height = 0.2, tilt = share * atan2(half, height);
  const double c = cos(tilt), d = sin(tilt);
  EngineSettings s = engine_settings();
  if (!run_open(run, "foot.xml", &s)) return (double)NAN;
  EngineBody foot = run_body(run, 1);
  foot.pos = heft_vec3(half - half * c + height * d, 0, half * d + height * c);
  foot.quat = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), tilt);
  run_place(run, 1, foot);
  run_step(run, 4000);
  const double up = heft_quat_rotate(run_body(run, 1).quat, heft_vec3(0, 0, 1)).z;
  run_close(run);
  return acos(fmin(1, fmax(-1, up))) * 180 / HEFT_PI;
}

void case_foot(Run* run) {
  const double over = foot_after(run, 1.001);
  if (run->engine->reason[0]) return;
  run_report(run, "0.1 % beyond the edge: lies at [degrees]", 90, over, 0.01);
  run_report(run, "0.1 % before it: stands at [degrees]", 0, foot_after(run, 0.999), 0.01);
}

// The feet of a robot at rest carry its weight at any time step.
void case_feet(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "quadruped.xml", &s)) return;
  run_step(run, 4000);
  double sum = 0;
  for (int i = 0; i < heft_world_contact_count(run->engine->world); ++i)
    sum += heft_world_contact(run->engine->world, i).force.z;
  run_close(run);
  run_report_relative(run, "sum at steps of 5 ms, 30 kg [N]", 30 * g, sum, 1e-9);
}

// Choreonoid issue 125: the impulse of a falling humanoid is of one order for every friction, and
// repeatable.
static double strongest_impulse(Run* run, double mu, uint64_t* hash) {
  EngineSettings s = engine_settings();
  s.friction = mu;
  s.tolerance = 1e-8;
  if (!run_open(run, "humanoid.xml", &s)) return (double)NAN;
  double max = 0;
  EngineBody pelvis = run_body(run, 1);
  pelvis.vel.x = 0.8;  // initial velocity, from behind
  run_place(run, 1, pelvis);
  for (int i = 0; i < 2000; ++i) {  // it lands on its feet first
    HeftVec3 sum = {0, 0, 0};
    run_step(run, 1);
    for (int k = 0; k < heft_world_contact_count(run->engine->world); ++k) {
      const HeftContact c = heft_world_contact(run->engine->world, k);
      if (c.body_a == 0) sum = heft_vec3_add(sum, c.force);
    }
    if (i > 200) max = fmax(max, heft_vec3_norm(sum) * run->engine->step);
  }
  *hash = heft_world_hash(run->engine->world);
  run_close(run);
  return max;
}

void case_fall(Run* run) {
  static const double frictions[] = {0.1, 0.3, 0.6, 1};
  double low = 1e300, high = 0;
  int repeated = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t first = 0, second = 1;
    const double impulse = strongest_impulse(run, frictions[i], &first);
    if (run->engine->reason[0]) return;
    strongest_impulse(run, frictions[i], &second);
    repeated += first == second;
    low = fmin(low, impulse);
    high = fmax(high, impulse);
  }
  run_report_error(run, "strongest impulse, most / least over 4 frictions", 1, high / low,
                   high / low, 10);
  run_report(run, "runs that repeat to the last bit, of 4", 4, repeated, 0);
}

// MuJoCo issue 3559: the inertia of a URDF with a rotated inertial frame.
void case_inertia(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "turned_inertia.urdf", &s)) return;
  // diag(1, 2, 3) rotated by 0.5 rad about z
  const double c = cos(0.5), d = sin(0.5);
  const double exact[6] = {c * c + 2 * d * d, d * d + 2 * c * c, 3, (1 - 2) * c * d, 0, 0};
  double worst = 0;
  const double* inertia = run->engine->model->body_inertia + 6;
  for (int i = 0; i < 6; ++i) worst = fmax(worst, fabs(inertia[i] - exact[i]));
  run_report_error(run, "inertia xy of the rotated frame [kg m²]", exact[3], inertia[3], worst,
                   1e-12);
  run_close(run);
}
