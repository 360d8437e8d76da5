// SPDX-License-Identifier: Apache-2.0
// Cases with answers in closed form.
//
// A scheme with steps of h has exact solutions of its own: under a constant acceleration a, from
// rest, velocities are a h n and positions a h² (n² + 1) / 2, because the first step moves by its
// last velocity and the others by the mean. Rows that compare with these are marked "of the
// scheme".
#include <math.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

// ---- 1: a block on a slope

static EngineBody block_after(Run* run, double slope, double mu, int steps) {
  EngineSettings s = engine_settings();
  settings_lean(&s, slope);
  s.friction = mu;
  EngineBody nothing = {0};
  if (!run_open(run, "slope.xml", &s)) return nothing;
  run_step(run, steps);
  const EngineBody block = run_body(run, 1);
  run_close(run);
  return block;
}

void case_slope(Run* run) {
  const double mu = 0.5, above = mu * (1 + 1e-9), slope = 1.2 * mu, h = 0.001;
  const int n = 1000;
  EngineBody block = block_after(run, mu * (1 - 1e-9), mu, n);
  if (run->engine->reason[0]) return;
  run_report(run, "speed after 1 s, tan α = µ (1 - 1e-9) [m/s]", 0, block.vel.x, 1e-12);
  block = block_after(run, above, mu, n);
  run_report(run, "speed after 1 s, tan α = µ (1 + 1e-9) [m/s]",
             g * (above - mu) / sqrt(1 + above * above), block.vel.x, 4e-10);
  block = block_after(run, slope, mu, n);
  const double a = g * (slope - mu) / sqrt(1 + slope * slope);
  run_report_relative(run, "speed after 1 s, tan α = 1.2 µ [m/s]", a, block.vel.x, 1e-10);
  run_report_relative(run, "distance after 1 s, of the scheme [m]", a * h * h * (n * n + 1) / 2,
                      block.pos.x, 1e-10);
}

// ---- no creep

void case_creep(Run* run) {
  EngineSettings s = engine_settings();
  settings_lean(&s, 0.98 * 0.5);
  s.friction = 0.5;
  if (!run_open(run, "slope.xml", &s)) return;
  run_step(run, 1000);
  const EngineBody early = run_body(run, 1);
  run_step(run, 9000);
  const EngineBody late = run_body(run, 1);
  run_close(run);
  run_report(run, "creep over 9 s, tan α = 0.98 µ [m/s]", 0,
             heft_vec3_norm(heft_vec3_sub(late.pos, early.pos)) / 9, 1e-14);
  run_report(run, "speed after 10 s [m/s]", 0, heft_vec3_norm(late.vel), 1e-14);
}

// ---- 2: a sliding block

void case_slide(Run* run) {
  const double mu = 0.5, v0 = 1, h = 0.001;
  EngineSettings s = engine_settings();
  s.friction = mu;
  if (!run_open(run, "slope.xml", &s)) return;
  EngineBody block = run_body(run, 1);
  block.vel.x = v0;
  run_place(run, 1, block);
  double x = 0, v = v0, stopped = -1;
  for (int i = 0; i < 1000; ++i) {
    run_step(run, 1);
    const double before = v;
    v = fmax(0, v - mu * g * h);
    x += 0.5 * h * (before + v);
    if (stopped < 0 && fabs(run_body(run, 1).vel.x) < 1e-6) stopped = h * (i + 1);
  }
  block = run_body(run, 1);
  run_close(run);
  run_report(run, "time to stop, v0/(µg) [s]", v0 / (mu * g), stopped, h);
  run_report_relative(run, "distance to stop, of the scheme [m]", x, block.pos.x, 1e-10);
  run_report_relative(run, "distance to stop, v0²/(2µg) [m]", v0 * v0 / (2 * mu * g), block.pos.x,
                      1e-2);
  run_report(run, "speed at the end [m/s]", 0, heft_vec3_norm(block.vel), 1e-14);
}

// ---- 3: a ball that slides, then rolls

static void throw_ball(Run* run, double angle) {
  EngineBody ball = run_body(run, 1);
  ball.pos = heft_vec3(0, 0, 0.125);
  ball.quat = heft_quat(1, 0, 0, 0);
  ball.vel = heft_vec3(cos(angle), sin(angle), 0);
  ball.omega = heft_vec3(0, 0, 0);
  run_place(run, 1, ball);
}

void case_roll(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "roll.xml", &s)) return;
  throw_ball(run, 0);
  double rolls = -1;
  for (int i = 0; i < 500; ++i) {
    run_step(run, 1);
    const EngineBody ball = run_body(run, 1);
    if (rolls < 0 && fabs(ball.vel.x - 0.125 * ball.omega.y) < 1e-6) rolls = 0.001 * (i + 1);
  }
  const EngineBody ball = run_body(run, 1);
  run_close(run);
  run_report(run, "time until it rolls, 2v0/(7µg) [s]", 2 / (7 * 0.3 * g), rolls, 0.001);
  run_report_relative(run, "speed then, 5v0/7 [m/s]", 5.0 / 7, ball.vel.x, 1e-10);
  run_report(run, "slip of the rolling ball [m/s]", 0, ball.vel.x - 0.125 * ball.omega.y, 1e-12);
}

void case_round(Run* run) {
  EngineSettings s = engine_settings();
  s.friction = 0.5;
  if (!run_open(run, "roll.xml", &s)) return;
  const int steps = 50;
  const double exact = 1 - 0.5 * g * 0.001 * steps;
  double worst = 0, aside = 0;
  for (int heading = 0; heading < 360; ++heading) {
    const double angle = heading * HEFT_PI / 180, c = cos(angle), d = sin(angle);
    throw_ball(run, angle);
    run_step(run, steps);
    const HeftVec3 v = run_body(run, 1).vel;
    worst = fmax(worst, fabs((1 - v.x * c - v.y * d) / (1 - exact) - 1));
    aside = fmax(aside, fabs(atan2(v.y * c - v.x * d, v.x * c + v.y * d)));
  }
  run_close(run);
  run_report(run, "worst error of the deceleration, relative", 0, worst, 1e-12);
  run_report(run, "worst turn aside [degrees]", 0, aside * 180 / HEFT_PI, 1e-12);
}

// ---- 4: a bouncing ball

void case_bounce(Run* run) {
  const double e = 0.5;
  for (int fine = 0; fine < 2; ++fine) {
    EngineSettings s = engine_settings();
    s.restitution = e;
    s.friction = 0;
    s.step = fine ? 1e-4 : 1e-3;
    if (!run_open(run, "bounce.xml", &s)) return;
    double rest = 0;
    for (int i = 0; i * s.step < 2; ++i) {
      run_step(run, 1);
      if (run_body(run, 1).pos.z > 0.125 + 1e-6) rest = s.step * (i + 1);
    }
    const EngineBody ball = run_body(run, 1);
    run_close(run);
    run_report(
        run, fine ? "time to rest at 0.1 ms [s]" : "time to rest, √(2h/g)(1+e)/(1-e), at 1 ms [s]",
        sqrt(2 / g) * (1 + e) / (1 - e), rest, 0.01);
    if (!fine) run_report(run, "speed after 2 s [m/s]", 0, heft_vec3_norm(ball.vel), 1e-12);
  }
}

// ---- 5: three balls

static void strike(Run* run, double e, double gap, const char* what, const double exact[3],
                   double limit) {
  EngineSettings s = engine_settings();
  s.restitution = e;
  s.friction = 0;
  if (!run_open(run, "cradle.xml", &s)) return;
  double worst = 0, v[3] = {0};
  for (int i = 0; i < 3; ++i) {
    EngineBody ball = run_body(run, i + 1);
    ball.pos.x += gap * i;
    ball.vel.x = i == 0;
    run_place(run, i + 1, ball);
  }
  run_step(run, 10);
  for (int i = 0; i < 3; ++i) {
    v[i] = run_body(run, i + 1).vel.x;
    worst = fmax(worst, fabs(v[i] - exact[i]));
  }
  run_close(run);
  run_report_error(run, what, exact[2], v[2], worst, limit);
}

void case_cradle(Run* run) {
  const double together[3] = {-1.0 / 3, 2.0 / 3, 2.0 / 3}, dull[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3},
               apart[3] = {0, 0, 1};
  strike(run, 1, 0, "third ball, e = 1, touching (Moreau) [m/s]", together, 1e-10);
  if (run->engine->reason[0]) return;
  strike(run, 0, 0, "third ball, e = 0, touching [m/s]", dull, 1e-10);
  strike(run, 1, 1e-6, "third ball, e = 1, gaps of 1e-6 m [m/s]", apart, 1e-10);
}

// ---- 6: a rocking block

// Time in which the block falls from the tilt θ0 onto its base: ∫ dφ / ω(φ) with ω² = 2p² (cos φ0 -
// cos φ), φ the angle between the vertical and the line from edge to centre, φ = φ0 + s².
static double falling_time(double alpha, double tilt, double p) {
  const int n = 4000;
  const double start = alpha - tilt, width = sqrt(tilt);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double s = width * (i + 0.5) / n, phi = start + s * s;
    sum += 2 * s / (p * sqrt(2 * (cos(start) - cos(phi)))) * width / n;
  }
  return sum;
}

void case_rocking(Run* run) {
  const double half = 0.1, height = 1, alpha = atan2(half, height), tilt = 0.5 * alpha;
  const double p = sqrt(3 * g / (4 * sqrt(half * half + height * height)));
  EngineSettings s = engine_settings();
  if (!run_open(run, "rocking.xml", &s)) return;
  const double c = cos(tilt), d = sin(tilt), h = run->engine->step;
  EngineBody block = run_body(run, 1);
  block.pos = heft_vec3(half - half * c + height * d, 0, half * d + height * c);
  block.quat = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), tilt);
  run_place(run, 1, block);
  double before = 0, after = 0, time = 0;
  for (int i = 0; i < 20000 && after == 0; ++i) {
    run_step(run, 1);
    block = run_body(run, 1);
    const double omega = fabs(block.omega.y);
    if (omega < before && 2 * block.quat.y < 0.1 * tilt) {
      time = h * i;
      run_step(run, 4);  // the impact may take two steps; then gravity slows the block
      after = fabs(run_body(run, 1).omega.y) + 4.5 * h * p * p * sin(alpha);
      break;
    }
    before = omega;
  }
  run_close(run);
  run_report_relative(run, "time until it strikes [s]", falling_time(alpha, tilt, p), time, 2e-3);
  run_report(run, "ω after / before, 1 - (3/2) sin²α", 1 - 1.5 * sin(alpha) * sin(alpha),
             after / before, 1e-3);
}

// ---- 7: Painlevé's rod

static double energy_of(Run* run, int body, HeftVec3 com, double mass, HeftVec3 moments) {
  const EngineBody b = run_body(run, body);
  const HeftVec3 arm = heft_quat_rotate(b.quat, com);
  const HeftVec3 v = heft_vec3_add(b.vel, heft_vec3_cross(b.omega, arm));
  const HeftVec3 w = heft_quat_rotate(heft_quat_conjugate(b.quat), b.omega);
  return 0.5 * mass * heft_vec3_dot(v, v) + mass * g * (b.pos.z + arm.z) +
         0.5 * (moments.x * w.x * w.x + moments.y * w.y * w.y + moments.z * w.z * w.z);
}

void case_painleve(Run* run) {
  EngineSettings s = engine_settings();
  const HeftVec3 com = {0.4472135954999579, 0, 0.8934271909999159},
                 moments = {1 / 3., 1 / 3., 1 / 3.};
  if (!run_open(run, "painleve.xml", &s)) return;
  EngineBody rod = run_body(run, 1);
  rod.vel = heft_vec3(-1, 0, 0);
  run_place(run, 1, rod);
  const double before = energy_of(run, 1, com, 1, moments);
  run_step(run, 1);
  rod = run_body(run, 1);
  const HeftVec3 tip = heft_vec3_add(rod.vel, heft_vec3_cross(rod.omega, heft_vec3(0, 0, -0.001)));
  const double gained = energy_of(run, 1, com, 1, moments) - before;
  run_close(run);
  run_report(run, "speed of the tip after one step [m/s]", 0, heft_vec3_norm(tip), 1e-9);
  run_report_error(run, "energy gained in it, not above 0 [J]", 0, gained, fmax(0, gained), 1e-12);
}

// ---- 8: a table

void case_table(Run* run) {
  static const double foot[4][2] = {{0.5, 0.3}, {-0.5, 0.3}, {-0.5, -0.3}, {0.5, -0.3}};
  const double weight = 20 * g, x = 0.1, y = -0.05;
  EngineSettings s = engine_settings();
  if (!run_open(run, "table.xml", &s)) return;
  run_step(run, 500);
  double worst = 0, min = 0, sum = 0;
  for (int i = 0; i < heft_world_contact_count(run->engine->world); ++i) {
    const HeftContact c = heft_world_contact(run->engine->world, i);
    sum += c.force.z;
    for (int k = 0; k < 4; ++k) {
      if (fabs(c.pos.x - foot[k][0]) > 0.1 || fabs(c.pos.y - foot[k][1]) > 0.1) continue;
      const double exact = weight * (0.25 + x * foot[k][0] / 1 + y * foot[k][1] / 0.36);
      worst = fmax(worst, fabs(c.force.z / exact - 1));
      if (k == 0) min = c.force.z;
    }
  }
  run_close(run);
  run_report_relative(run, "sum of the forces [N]", weight, sum, 1e-10);
  run_report_error(run, "force at the first foot, of least norm [N]",
                   weight * (0.25 + 0.05 - 0.0416666666666666667), min, worst, 1e-6);
}

// ---- 9: two cards

static double cards_after(Run* run, double mu) {
  EngineSettings s = engine_settings();
  s.friction = mu;
  if (!run_open(run, "cards.xml", &s)) return (double)NAN;
  run_step(run, 1000);
  const double speed = heft_vec3_norm(run_body(run, 1).vel);
  run_close(run);
  return speed;
}

void case_cards(Run* run) {
  const double above = cards_after(run, 0.25 * (1 + 1e-6));
  if (run->engine->reason[0]) return;
  const double below = cards_after(run, 0.25 * (1 - 1e-6));
  run_report(run, "speed after 1 s, µ = (tan φ / 2)(1 + 1e-6) [m/s]", 0, above, 1e-10);
  run_report_error(run, "the same with (1 - 1e-6): slides, above 1e-7 [m/s]", 1e-7, below,
                   below > 1e-7 ? 0 : 1e-7 - below, 0);
}

// ---- 11: Euler's disk

void case_disk(Run* run) {
  const double alpha = 0.3, radius = 0.1, mass = 0.4, half = 1e-5;
  const double turning = sqrt(4 * g / (radius * sin(alpha))), time = 0.5;
  EngineSettings s = engine_settings();
  if (!run_open(run, "disk.xml", &s)) return;
  EngineBody disk = run_body(run, 1);
  disk.pos = heft_vec3(0, 0, radius * sin(alpha) + half * cos(alpha));
  disk.quat = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), alpha);
  disk.omega = heft_vec3_scale(turning * sin(alpha), heft_vec3(cos(alpha), 0, -sin(alpha)));
  run_place(run, 1, disk);
  const HeftVec3 moments = {0.001, 0.001, 0.002};
  const double h = run->engine->step;
  const int steps = (int)(time / h + 0.5);
  double turned = 0, last = 0;
  for (int i = 0; i < steps; ++i) {
    run_step(run, 1);
    const HeftVec3 axis = heft_quat_rotate(run_body(run, 1).quat, heft_vec3(0, 0, 1));
    const double now = atan2(-axis.y, axis.x);
    turned += remainder(now - last, 2 * HEFT_PI);
    last = now;
  }
  const double after = energy_of(run, 1, heft_vec3(0, 0, 0), mass, moments);
  run_close(run);
  run_report_relative(run, "turns in 0.5 s, Ω² sin α = 4g/R", turning * time / (2 * HEFT_PI),
                      turned / (2 * HEFT_PI), 1e-2);
  run_report_relative(run, "energy after 0.5 s, (3/2) m g R sin α [J]",
                      1.5 * mass * g * radius * sin(alpha), after, 2e-2);
}

// ---- 12: a stack

static void stack_at(Run* run, double h, const char* forces, const char* drift) {
  EngineSettings s = engine_settings();
  s.step = h;
  s.tolerance = 1e-9;
  if (!run_open(run, "stack.xml", &s)) return;
  run_step(run, (int)((run->full ? 10 : 2) / h + 0.5));
  double worst = 0, above = 1009, lowest = 0;
  int known = 1;
  for (int level = 0; level < 10; ++level) {
    HeftVec3 f = {0, 0, 0};
    known &= run->engine->type->force(run->engine, level, level + 1, &f);
    worst = fmax(worst, fabs(f.z / (above * g) - 1));
    if (level == 0) lowest = f.z;
    above -= 1;
  }
  const EngineBody top = run_body(run, 10);
  run_close(run);
  if (known) run_report_error(run, forces, 1009 * g, lowest, worst, 1e-6);
  run_report(run, drift, 1.9, top.pos.z, 1e-6);
}

void case_stack(Run* run) {
  stack_at(run, 0.001, "force on the floor, all levels, at 1 ms [N]",
           "height of the top at 1 ms [m]");
  if (run->engine->reason[0]) return;
  stack_at(run, 0.005, "force on the floor, all levels, at 5 ms [N]",
           "height of the top at 5 ms [m]");
}

// ---- 13: a chain

void case_chain(Run* run) {
  EngineSettings s = engine_settings();
  if (!run_open(run, "chain.xml", &s)) return;
  const EngineBody start = run_body(run, 10);
  run_step(run, 1000);
  double worst = 0, upper = 0;
  int known = 1;
  for (int link = 1; link <= 10; ++link) {
    HeftVec3 f = {0, 0, 0};
    known &= run->engine->type->force(run->engine, link - 1, link, &f);
    worst = fmax(worst, fabs(f.z / ((5 + 0.1 * (11 - link)) * g) - 1));
    if (link == 1) upper = f.z;
  }
  const EngineBody end = run_body(run, 10);
  run_close(run);
  if (known)
    run_report_error(run, "force on the hook, all links, (M + Nm) g [N]", 6 * g, upper, worst,
                     1e-6);
  run_report(run, "the weight sinks in 1 s [m]", 0, start.pos.z - end.pos.z, 1e-6);
}

// ---- 14: a tumbling body

void case_tumbler(Run* run) {
  const HeftVec3 moments = {0.01, 0.02, 0.025};
  EngineSettings s = engine_settings();
  if (!run_open(run, "tumbler.xml", &s)) return;
  EngineBody b = run_body(run, 1);
  b.omega = heft_vec3(0.001, 5, 0.001);
  run_place(run, 1, b);
  double energy[2], momentum[2];
  const int parts = run->full ? 1000 : 100;
  for (int end = 0; end < 2; ++end) {
    b = run_body(run, 1);
    const HeftVec3 w = heft_quat_rotate(heft_quat_conjugate(b.quat), b.omega);
    const HeftVec3 l = {moments.x * w.x, moments.y * w.y, moments.z * w.z};
    energy[end] = 0.5 * heft_vec3_dot(w, l);
    momentum[end] = heft_vec3_norm(l);
    for (int i = 0; end == 0 && i < parts; ++i) {
      run_step(run, 1000);
      run_progress(run, (double)i / parts);
    }
  }
  run_close(run);
  run_report_relative(run, run->full ? "energy after 10⁶ steps [J]" : "energy after 10⁵ steps [J]",
                      energy[0], energy[1], 1e-6);
  run_report_relative(run, "angular momentum [N m s]", momentum[0], momentum[1], 1e-10);
}
