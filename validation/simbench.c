// SPDX-License-Identifier: Apache-2.0
// SimBenchmark (leggedrobotics, 2018) with its parameters. Errors are mean squares over a run, as
// in the source. The limit is the best published value (RaiSim, Bullet, ODE, MuJoCo, DART on an
// i7-7700HQ), or the rounding error if the published value is smaller.
#include <heft/base.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/random.h"
#include "validation/cases.h"

static const double g = CASE_GRAVITY;

static void against(Run* run, const char* what, double published, double figure, double limit) {
  run_report_error(run, what, published, figure, figure, limit);
}

// ---- rolling

static double squared(HeftVec3 v) { return heft_vec3_dot(v, v); }

static double rolling_error(Run* run, HeftVec3 along, double depth) {
  const double f1 = 0.4 * 35 * g, f2 = (150 - f1) / 10 / (3.5 + 25.0 / 10);
  const double box = (150 - f1 - 25 * f2) / 10, ball = f2;
  EngineSettings s = engine_settings();
  if (!run_open(run, "rolling.xml", &s)) return (double)NAN;
  for (int i = 1; depth > 0 && i <= 26; ++i) {
    EngineBody body = run_body(run, i);
    body.pos.z -= i == 1 ? depth : 2 * depth;
    run_place(run, i, body);
  }
  run->engine->type->push(run->engine, 1, heft_vec3_scale(150, along));
  double sum = 0;
  const int steps = run->full ? 4000 : 1000;
  for (int i = 0; i < steps; ++i) {
    run_step(run, 1);
    const double t = 0.001 * (i + 1);
    sum += squared(heft_vec3_add_scaled(run_body(run, 1).vel, -box * t, along)) +
           squared(heft_vec3_add_scaled(run_body(run, 14).vel, -ball * t, along));
  }
  run_close(run);
  return sum / steps;
}

void case_sb_rolling(Run* run) {
  const double aside = rolling_error(run, heft_vec3(0.5, sqrt(0.75), 0), 0);
  if (run->engine->reason[0]) return;
  against(run, "MSE at 60°, Bullet 3.9e-27, RaiSim 4e-7 [m²/s²]", 3.9e-27, aside, 1e-20);
  against(run, "MSE along y [m²/s²]", 3.9e-27, rolling_error(run, heft_vec3(0, 1, 0), 0), 1e-20);
  against(run, "MSE at 60°, begun 2e-5 m deep as published [m²/s²]", 3.9e-27,
          rolling_error(run, heft_vec3(0.5, sqrt(0.75), 0), 2e-5), 1e-20);
}

// ---- balls

enum { BALLS_MAX = 216, PEER_STRIDE = 10 };  // peers report their bodies every tenth step

typedef struct Balls {
  int count, stride;
  EngineBody body[BALLS_MAX];
} Balls;

static Balls balls_of(const Run* run, int count) {
  return (Balls){.count = count, .stride = run->engine->type == &engine_heft ? 1 : PEER_STRIDE};
}

static void look_at(Run* run, Balls* balls) {
  for (int i = 0; i < balls->count; ++i) balls->body[i] = run_body(run, i + 1);
}

// Energy of balls of 10 kg, radius 0.1 m, inertia 2/5 m R²; from the report of Heft if there is
// one.
static double energy_now(Run* run, const Balls* balls) {
  if (run->engine->type == &engine_heft)
    return run->engine->report.kinetic + run->engine->report.potential;
  double sum = 0;
  for (int i = 0; i < balls->count; ++i) {
    const EngineBody* b = &balls->body[i];
    sum += 5 * squared(b->vel) + 0.02 * squared(b->omega) + 10 * g * b->pos.z;
  }
  return sum;
}

static double bouncing_error(Run* run, double h, double time) {
  EngineSettings s = engine_settings();
  s.restitution = 1;
  s.friction = 0;
  s.step = h;
  if (!run_open(run, "bouncing.xml", &s)) return (double)NAN;
  Balls balls = balls_of(run, 49);
  double sum = 0;
  const int samples = (int)(time / h + 0.5) / balls.stride;
  for (int i = 0; i < samples && !run->engine->reason[0]; ++i) {
    run_step(run, balls.stride);
    if (balls.stride > 1) look_at(run, &balls);
    const double off = energy_now(run, &balls) - 490 * g * 5;
    sum += off * off;
    if (i % 1000 == 0) run_progress(run, (double)i / samples);
  }
  run_close(run);
  return sum / samples;
}

void case_sb_bouncing(Run* run) {
  const double time = run->full ? 20 : 5;
  const double fine = bouncing_error(run, 0.001, time);
  if (run->engine->reason[0]) return;
  against(run, "MSE of energy at 1 ms, RaiSim 0.0186 [J²]", 0.0186, fine, 0.0186);
  against(run, "MSE of energy at 10 ms, RaiSim 186 [J²]", 186, bouncing_error(run, 0.01, time),
          186);
}

// ---- 666

static void scatter(Run* run, const Balls* balls, double height) {
  Random r = {42};
  for (int i = 0; i < balls->count; ++i) {
    EngineBody b = run_body(run, i + 1);
    b.pos.x += 1e-3 * random_unit(&r);
    b.pos.y += 1e-3 * random_unit(&r);
    b.pos.z += 1e-3 * random_unit(&r) + height - 0.101;
    run_place(run, i + 1, b);
  }
}

static double depth_squared(const Balls* balls) {
  double sum = 0;
  for (int i = 0; i < balls->count; ++i) {
    const double z = fmin(0, balls->body[i].pos.z - 0.1);
    sum += z * z;
    for (int j = i + 1; j < balls->count; ++j) {
      const HeftVec3 d = heft_vec3_sub(balls->body[i].pos, balls->body[j].pos);
      const double square = heft_vec3_dot(d, d);
      if (square < 0.04) sum += (0.2 - sqrt(square)) * (0.2 - sqrt(square));
    }
  }
  return sum;
}

// Mean squared depth, or mean squared change of energy; time of a step [µs].
static double falling_error(Run* run, double h, double e, double height, double time, double* us) {
  EngineSettings s = engine_settings();
  s.restitution = e;
  s.friction = 0;
  s.step = h;
  s.tolerance = 1e-8;
  if (!run_open(run, "balls_666.xml", &s)) return (double)NAN;
  Balls balls = balls_of(run, BALLS_MAX);
  scatter(run, &balls, height);
  double sum = 0, first = (double)NAN;
  uint64_t spent = 0;
  const int samples = (int)(time / h + 0.5) / balls.stride;
  for (int i = 0; i < samples && !run->engine->reason[0]; ++i) {
    const uint64_t start = heft_clock_ns();
    run_step(run, balls.stride);
    spent += heft_clock_ns() - start;
    look_at(run, &balls);
    const double energy = energy_now(run, &balls);
    if (i == 0) first = energy;
    sum += e > 0 ? (energy - first) * (energy - first) : depth_squared(&balls);
    if (i % 100 == 0) run_progress(run, (double)i / samples);
  }
  run_close(run);
  *us = 1e-3 * (double)spent / (samples * balls.stride);
  return sum / samples;
}

void case_sb_666(Run* run) {
  double us = 0;
  const double time = run->full ? 10 : 2;
  const double fine = falling_error(run, 0.001, 0, 0.101, time, &us);
  if (run->engine->reason[0]) return;
  against(run, "mean Σ depth² at 1 ms, RaiSim 1.35e-4 [m²]", 1.35e-4, fine, 1.35e-4);
  against(run, "step at 1 ms, RaiSim 151 [µs]", 151, us, 151);
  const double coarse = falling_error(run, 0.01, 0, 0.101, time, &us);
  against(run, "mean Σ depth² at 10 ms, RaiSim 1.53e-2 [m²]", 1.53e-2, coarse, 1.53e-2);
}

void case_sb_elastic(Run* run) {
  double us = 0;
  const double mse = falling_error(run, 0.001, 1, 1.101, run->full ? 10 : 2, &us);
  if (run->engine->reason[0]) return;
  against(run, "MSE of energy at 1 ms, RaiSim 8.4 [J²]", 8.4, mse, 8.4);
  against(run, "step at 1 ms, RaiSim 66 [µs]", 66, us, 66);
}

// ---- the quadruped

void case_sb_pd(Run* run) {
  EngineSettings s = engine_settings();
  s.step = 0.005;
  s.tolerance = 1e-6;
  if (!run_open(run, "quadruped.xml", &s)) return;
  uint64_t min = UINT64_MAX;
  const int parts = run->full ? 50 : 4;
  for (int part = 0; part < parts; ++part) {
    const uint64_t start = heft_clock_ns();
    run_step(run, 1000);
    const uint64_t spent = heft_clock_ns() - start;
    if (spent < min) min = spent;
    run_progress(run, (double)part / parts);
  }
  const double speed = heft_vec3_norm(run_body(run, 1).vel), worst = run->engine->worst_relative;
  run_close(run);
  against(run, "step, RaiSim 8.2 [µs]", 8.2, 1e-6 * (double)min, 8.2);
  run_report(run, "speed of the body at the end [m/s]", 0, speed, 1e-9);
  run_report(run, "worst certificate, relative", 0, worst, 1e-6);
}

// Without springs and dampers: only bodies and joints.
static void loosen(Run* run) {
  HeftModel* m = run->engine->model;
  for (int i = 0; i < m->nv; ++i) m->dof_stiffness[i] = m->dof_damping[i] = m->dof_friction[i] = 0;
}

static HeftVec3 momentum_now(Run* run) {
  const HeftDynamics* d = heft_world_dynamics(run->engine->world);
  HeftVec3 sum = {0, 0, 0};
  for (int body = 1; body < run->engine->model->nbody; ++body) {
    if (run->engine->model->body_parent[body] == 0)
      sum = heft_vec3_add(sum, heft_dynamics_momentum(d, body, heft_vec3(0, 0, 0)).lin);
  }
  return sum;
}

void case_sb_momentum(Run* run) {
  EngineSettings s = engine_settings();
  for (int i = 0; i < 3; ++i) s.gravity[i] = 0;
  s.step = 0.001;
  s.restitution = 0;
  if (!run_open(run, "quadruped_ball.xml", &s)) return;
  const int ball = run->engine->model->nbody - 1, steps = run->full ? 10000 : 2000;
  EngineBody b = run_body(run, ball);
  b.vel = heft_vec3(0, 5, 0);
  run_place(run, ball, b);
  double sum = 0;
  int touched = 0;
  for (int i = 0; i < steps; ++i) {
    run_step(run, 1);
    touched |= run->engine->report.contact_count > 0;
    sum += squared(heft_vec3_sub(momentum_now(run), heft_vec3(0, 50, 0)));
  }
  run_close(run);
  against(run, "MSE of momentum at 1 ms, ODE 1e-27, RaiSim 4.7e-5 [N²s²]", 1e-27,
          touched ? sum / steps : (double)NAN, 1e-20);
}

static double lifted_error(Run* run, int rk4) {
  EngineSettings s = engine_settings();
  s.step = 0.001;
  s.rk4 = rk4;
  if (!run_open(run, "quadruped_alone.xml", &s)) return (double)NAN;
  loosen(run);
  double mass = 0, sum = 0, first = 0;
  for (int i = 0; i < run->engine->model->nbody; ++i) mass += run->engine->model->body_mass[i];
  run->engine->type->push(run->engine, 1, heft_vec3(0, 0, 2 * mass * g));
  run_step(run, 1000);
  run->engine->type->push(run->engine, 1, heft_vec3(0, 0, 0));
  first = energy_now(run, NULL);
  for (int i = 0; i < 2000; ++i) {
    run_step(run, 1);
    const double off = energy_now(run, NULL) - first;
    sum += off * off;
  }
  run_close(run);
  return sum / 2000;
}

void case_sb_energy(Run* run) {
  against(run, "MSE of energy at 1 ms, RaiSim 0.0118 [J²]", 0.0118, lifted_error(run, 0), 0.0118);
  against(run, "the same with RK4, MuJoCo's 1.6e-17 [J²]", 1.6e-17, lifted_error(run, 1), 1.6e-17);
}

// ---- kapla

static double lowest_drop(const HeftState* s, const double* start) {
  double max = 0;
  for (int i = 0; i < s->nq; i += 7) max = fmax(max, start[i + 2] - s->q[i + 2]);
  return max;
}

void case_sb_kapla(Run* run) {
  EngineSettings s = engine_settings();
  s.tolerance = 1e-6;
  if (!run_open(run, "kapla.xml", &s)) return;
  const int nq = run->engine->model->nq, steps = run->full ? 60000 : 1000;
  double* start = malloc((size_t)nq * sizeof *start);
  if (!start) return;
  memcpy(start, heft_world_state(run->engine->world)->q, (size_t)nq * sizeof *start);
  int stood = 0;
  double worst = 0;
  while (stood < steps && worst < 0.01) {
    run_step(run, 1);
    worst = lowest_drop(heft_world_state(run->engine->world), start);
    ++stood;
    if (stood % 100 == 0) run_progress(run, (double)stood / steps);
  }
  free(start);
  run_close(run);
  run_report(run, run->full ? "steps it stands, RaiSim 60000" : "steps it stands, of 1000", steps,
             stood, 0);
  run_report(run, "deepest sinking [m]", 0, worst, 1e-3);
}
