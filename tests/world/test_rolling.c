// SPDX-License-Identifier: Apache-2.0
// Contact that lasts has order 2: bodies that slide, roll and rock, against closed forms, and the
// energy of a disk that rolls on its rim.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "world/described.h"
#include "world/stage.h"

static const double gravity = 9.81;

static Stage start(const char* text, double h, const double* v) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = h;
  Stage s = stage_on(described(text), &def);
  stage_set(&s, heft_world_state(s.world)->q, v);
  return s;
}

// Steps until the time t; every step is solved.
static HeftStepReport run(Stage* s, double t) {
  HeftStepReport r = {.time = 0};
  const int steps = (int)(t / s->world->input.def->time_step + 0.5);
  for (int i = 0; i < steps; ++i) {
    r = stage_step(s);
    if (r.status != HEFT_STEP_SOLVED) fail_msg("%s", heft_step_status_text(r.status));
  }
  return r;
}

static void compare(const char* name, const double* h, const double* error, int count,
                    double order) {
  for (int i = 0; i < count; ++i)
    printf("%s: h %g ms, error %.3e%s", name, 1e3 * h[i], error[i], i + 1 < count ? "; " : "\n");
  for (int i = 0; i + 1 < count; ++i)
    assert_true(fabs(error[i + 1]) < 1e-9 ||
                fabs(error[i] / error[i + 1]) > pow(h[i] / h[i + 1], order));
}

// ---- sliding

static const char box_text[] =
    "<mujoco><option gravity='0 0 -9.81'/><worldbody><geom type='plane' size='0 0 1' "
    "friction='.5'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1' "
    "friction='.5'/></body>"
    "</worldbody></mujoco>";

static double box_error(double h, double t) {
  static const double v[6] = {2, 0, 0, 0, 0, 0};
  Stage s = start(box_text, h, v);
  run(&s, t);
  const double a = 0.5 * gravity, stop = 2 / a;
  const double x = t < stop ? 2 * t - 0.5 * a * t * t : 2 / a;
  const double error = heft_world_state(s.world)->q[0] - x;
  stage_close(&s);
  return error;
}

static void a_box_slides(void** state) {
  (void)state;
  static const double h[3] = {0.004, 0.002, 0.001};
  double sliding[3], stopped[3];
  for (int i = 0; i < 3; ++i) sliding[i] = box_error(h[i], 0.2), stopped[i] = box_error(h[i], 0.6);
  compare("box that slides, 0.2 s", h, sliding, 3, 1.8);
  compare("box that has stopped", h, stopped, 3, 0);
  CHECK_AT_MOST(fabs(sliding[2]), 2e-5);
  CHECK_AT_MOST(fabs(stopped[2]), 2e-5);
}

// ---- rolling

static const char sphere_text[] =
    "<mujoco><option gravity='2.8990536 0 -9.3718513'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='1'/><body pos='0 0 .1'><freejoint/>"
    "<geom type='%s' mass='1' friction='1'/></body></worldbody></mujoco>";

// Along a slope, from rest: x = ½ a t² / (1 + k), k = I / m r².
static double slope_error(const char* shape, double k, double h) {
  char text[600];
  static const double v[6] = {0};
  snprintf(text, sizeof text, sphere_text, shape);
  Stage s = start(text, h, v);
  run(&s, 1);
  const double error = heft_world_state(s.world)->q[0] - 0.5 * 2.8990536 / (1 + k);
  stage_close(&s);
  return error;
}

static void a_sphere_rolls(void** state) {
  (void)state;
  static const double h[3] = {0.004, 0.002, 0.001};
  double error[3];
  for (int i = 0; i < 3; ++i) error[i] = slope_error("sphere' size='.1", 0.4, h[i]);
  compare("sphere on a slope", h, error, 3, 1.8);
  CHECK_AT_MOST(fabs(error[2]), 2e-5);
  for (int i = 0; i < 3; ++i)
    error[i] = slope_error("cylinder' euler='90 0 0' size='.1 .1", 0.5, h[i]);
  compare("cylinder on a slope", h, error, 3, 1.8);
  CHECK_AT_MOST(fabs(error[2]), 2e-5);
}

// ---- Euler's disk

static const char disk_text[] =
    "<mujoco><option gravity='0 0 -9.81'/><worldbody><geom type='plane' size='0 0 1' friction='1'/>"
    "<body pos='0 0 0.0164998835954' euler='20 0 0'><freejoint/>"
    "<geom type='cylinder' size='.04 .003' mass='.4' friction='1'/></body></worldbody></mujoco>";

// The share of the energy that is left after a second. The contact point runs round the rim.
static double disk_energy(double h) {
  double sine, cosine;
  heft_sincos(20 * HEFT_PI / 180, &sine, &cosine);
  const double precession = sqrt(4 * gravity / (0.04 * sine));
  const double v[6] = {0, 0, 0, 0, precession * sine, 0};
  Stage s = start(disk_text, h, v);
  const HeftStepReport first = run(&s, h), last = run(&s, 1);
  stage_close(&s);
  return (last.kinetic + last.potential) / (first.kinetic + first.potential);
}

static void a_disk_keeps_its_energy(void** state) {
  (void)state;
  static const double h[3] = {0.002, 0.001, 0.0005};
  for (int i = 0; i < 3; ++i) {
    const double left = disk_energy(h[i]);
    printf("disk: h %g ms, %.4f of the energy after 1 s\n", 1e3 * h[i], left);
    if (h[i] <= 0.001) assert_true(left > 0.97 && left < 1.01);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_slides),
                                     cmocka_unit_test(a_sphere_rolls),
                                     cmocka_unit_test(a_disk_keeps_its_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
