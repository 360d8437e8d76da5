// SPDX-License-Identifier: Apache-2.0
// Several bodies whose contacts act on each other, with answers in closed form: a silo, a rack of
// billiard balls, a row of dominoes.
//
// Silo. A smooth ball k of a zigzag column in a narrow channel carries W_(k-1) from above and W_k
// below, each at an angle θ to the vertical. A wall that moves upward presses it by N = (W_(k-1) +
// W_k) tan θ and carries µ N, so that W_k (1 + µ tan θ) = W_(k-1) (1 - µ tan θ) + m g: the weight
// below tends to m g / (2 µ tan θ) however high the column is, as H. A. Janssen, Versuche über
// Getreidedruck in Silozellen, Z. VDI 39, 1895, found for corn.
//
// Rack. Elastic smooth balls keep energy and momentum, and mirror images stay mirror images.
//
// Dominoes. Length, mass and gravity leave one speed, so that a row of all lengths times four falls
// twice as fast whatever friction does (B. G. McLachlan et al., Falling dominoes, SIAM Review 25,
// 1983).
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

typedef struct Text {
  char bytes[6000];
  size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, arguments);
  va_end(arguments);
  t->used = fmin((double)t->used + count, sizeof t->bytes - 1);
}

static int open_scene(Run* run, Text* t, const EngineSettings* s) {
  put(t, "</worldbody></mujoco>");
  return run_open_text(run, t->bytes, t->used, s);
}

// ---- Janssen's silo

void case_silo(Run* run) {
  enum { BALLS = 8 };
  const double mu = 0.5, r = 0.05, tilt = HEFT_PI / 6, t = tan(tilt), up = 0.01;
  const double side = r * sin(tilt), wall = side + r + 0.01;
  EngineSettings s = engine_settings();
  Text x = {.used = 0};
  put(&x,
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><default><geom friction=\"0\"/>"
      "</default><worldbody><geom type=\"box\" size=\"1 1 .1\" pos=\"0 0 -.1\"/>"
      "<body><joint type=\"slide\" axis=\"0 0 1\"/><inertial pos=\"0 0 0\" mass=\"1e9\" "
      "diaginertia=\"1 1 1\"/>");
  for (int k = -1; k <= 1; k += 2)
    put(&x,
        "<geom type=\"box\" size=\".01 1 2\" pos=\"%.17g 0 2.01\" friction=\"%g\" contype=\"2\" "
        "conaffinity=\"2\"/>",
        k * wall, mu);
  put(&x, "</body>");
  for (int k = 0; k < BALLS; ++k)
    put(&x,
        "<body pos=\"%.17g 0 %.17g\"><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" "
        "axis=\"0 0 1\"/><geom type=\"sphere\" size=\"%g\" mass=\"1\" contype=\"3\" "
        "conaffinity=\"3\"/></body>",
        k % 2 ? side : -side, r + 2 * r * cos(tilt) * k, r);
  if (!open_scene(run, &x, &s)) return;
  run_spin(run, &up, 1);
  for (int k = 0; k < BALLS; ++k) run->engine->type->push(run->engine, 2 + k, heft_vec3(0, 0, -g));
  run_step(run, 50);
  HeftVec3 force = {0, 0, 0};
  const int known = run->engine->type->force(run->engine, 2, 0, &force);
  run_close(run);
  double below = 0;
  for (int k = 1; k < BALLS; ++k) below = (below * (1 - mu * t) + g) / (1 + mu * t);
  run_report_relative(run, "eight balls of 1 kg: force on the floor, near m g / (2 µ tan θ) [N]",
                      g + below * (1 - mu * t), known ? -force.z : (double)NAN, 1e-8);
}

// ---- the break

void case_rack(Run* run) {
  enum { ROWS = 5, BALLS = 16 };
  const double r = 0.0286, apart = 2 * r + 1e-5;
  double rack_y[BALLS] = {0};
  EngineSettings s = engine_settings();
  Text x = {.used = 0};
  s.restitution = 1;
  put(&x,
      "<mujoco><option timestep=\"0.0001\" gravity=\"0 0 0\"/><default><geom friction=\"0\"/>"
      "</default><worldbody>");
  for (int row = -1, k = 0; row < ROWS; ++row)
    for (int i = 0; i <= (row > 0 ? row : 0); ++i, ++k) {
      rack_y[k] = (i - 0.5 * (row > 0 ? row : 0)) * apart;
      put(&x,
          "<body pos=\"%.17g %.17g 0\"><freejoint/><geom type=\"sphere\" size=\"%g\" "
          "mass=\".17\"/></body>",
          row < 0 ? -0.1 : row * apart * sqrt(0.75), rack_y[k], r);
    }
  if (!open_scene(run, &x, &s)) return;
  EngineBody cue = run_body(run, 1);
  cue.vel = heft_vec3(8, 0, 0);
  run_place(run, 1, cue);
  run_step(run, 500);
  double energy = 0, momentum = 0, odd = 0;
  EngineBody ball[BALLS];
  for (int k = 0; k < BALLS; ++k) {
    ball[k] = run_body(run, 1 + k);
    energy += heft_vec3_dot(ball[k].vel, ball[k].vel) / 64;
    momentum += ball[k].vel.x / 8;
  }
  for (int row = 1, first = 2; row < ROWS; first += ++row)
    for (int i = 0; i <= row; ++i)
      odd = fmax(odd, fabs(ball[first + i].vel.y + ball[first + row - i].vel.y));
  run_close(run);
  run_report(run, "cue ball into 15: energy after the break, of that before", 1, energy, 1e-9);
  run_report(run, "the same: momentum, of that before", 1, momentum, 1e-9);
  run_report(run, "the same: mirror images differ by [m/s]", 0, odd, 1e-6);
}

// ---- dominoes

// Time from the fall of the third domino to that of the eighth; lengths times `scale`. NaN: they do
// not fall.
static double wave_time(Run* run, double scale) {
  enum { COUNT = 9, FROM = 3, TO = 8 };
  const double thick = 0.0075 * scale, high = 0.048 * scale, pitch = 0.0175 * scale;
  const double h = 2e-4 * sqrt(scale);
  EngineSettings s = engine_settings();
  Text x = {.used = 0};
  put(&x,
      "<mujoco><option timestep=\"%.17g\" gravity=\"0 0 -9.81\"/><default><geom friction=\".3\"/>"
      "</default><worldbody><geom type=\"plane\" size=\"9 9 1\"/>",
      h);
  for (int k = 0; k < COUNT; ++k)
    put(&x,
        "<body pos=\"%.17g 0 %.17g\">" CASE_PLANAR
        "<geom type=\"box\" size=\"%.17g %.17g %.17g\" mass=\"%.17g\"/></body>",
        k * pitch, high / 2, thick / 2, thick, high / 2, 0.01 * scale * scale * scale);
  if (!open_scene(run, &x, &s)) return (double)NAN;
  // The first turns about its lower front edge.
  const double rate = 4 / sqrt(scale), v[3] = {rate * high / 2, rate * thick / 2, rate};
  run_spin(run, v, 3);
  double fell[COUNT + 1] = {0};
  for (int i = 1; i < 4000 && fell[TO] == 0; ++i) {
    run_step(run, 1);
    for (int k = FROM; k <= TO; k += TO - FROM) {
      const HeftQuat q = run_body(run, k).quat;
      if (fell[k] == 0 && fabs(2 * atan2(q.y, q.w)) > 0.2) fell[k] = i * h;
    }
  }
  run_close(run);
  return fell[TO] > 0 ? fell[TO] - fell[FROM] : (double)NAN;
}

void case_dominoes(Run* run) {
  const double small = wave_time(run, 1), large = wave_time(run, 4);
  run_report(run, "nine dominoes, all lengths times four: the wave takes times", 2, large / small,
             1e-6);
  run_report(run, "the same: speed at a pitch of 17.5 mm (no limit) [m/s]", 0, 5 * 0.0175 / small,
             HUGE_VAL);
}
