// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R24, U10.
// Soft contact points (softness.c) against theory: the sink of a load, friction, rebound, energy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "world/described.h"
#include "world/stage.h"

static const double g = 9.81;

// A body with this geom on a soft floor, under a gravity that leans by this slope along a direction
// of the floor.
static Stage on_soft_floor(const char* body, const char* soft, double slope, double angle,
                           double h) {
  char text[1500];
  const double down = g / sqrt(1 + slope * slope);
  snprintf(text, sizeof text,
           "<mujoco><option timestep='%g' gravity='%.17g %.17g %.17g'/><custom>"
           "<numeric name='heft_material_rubber' data='0.5 0.5 0 0 0'/>"
           "<numeric name='heft_soft_rubber' data='%s'/>"
           "<tuple name='heft_material_rubber'><element objtype='geom' objname='floor'/></tuple>"
           "</custom><worldbody><geom name='floor' type='plane' size='5 5 1'/>%s</worldbody>"
           "</mujoco>",
           h, slope * down * cos(angle), slope * down * sin(angle), -down, soft, body);
  HeftModel* model = described(text);
  HeftWorldDef def = heft_world_def_default();
  def.time_step = h;
  def.tolerance = 1e-11;  // the law of softness is to be seen, not the tolerance of the solver
  return stage_on(model, &def);
}

static const char ball[] =
    "<body pos='0 0 .1'><freejoint/><geom type='sphere' size='.1' mass='2' friction='.5 0 0'/>"
    "</body>";
static const char box[] =
    "<body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .2 .05' mass='3' "
    "friction='.5 0 0'/></body>";

static void the_load_sinks_by_its_weight_over_the_stiffness(void** state) {
  (void)state;
  const double steps[] = {0.0005, 0.002, 0.01}, stiff[] = {500, 2e4, 1e7};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      char soft[60];
      snprintf(soft, sizeof soft, "%g %g", stiff[k], 2 * sqrt(stiff[k]));
      Stage s = on_soft_floor(ball, soft, 0, 0, steps[i]);
      HeftStepReport r = {0};
      for (int n = 0; n < (int)(4 / steps[i]) + 200; ++n) r = stage_step(&s);
      const double sink = 0.1 - heft_world_state(s.world)->q[2];
      assert_int_equal(r.status, HEFT_STEP_SOLVED);
      CHECK_AT_MOST(fabs(sink / (2 * g / stiff[k]) - 1), 1e-9);
      CHECK_AT_MOST(fabs(r.soft_energy / (0.5 * 2 * g * 2 * g / stiff[k]) - 1), 1e-8);
      stage_close(&s);
    }
  }
}

// Two materials act in series, and four points of a box share its weight.
static void springs_act_in_series(void** state) {
  (void)state;
  Stage s = stage_on(
      described("<mujoco><option timestep='0.002'/><custom>"
                "<numeric name='heft_material_a' data='0.5 0.5 0 0 0'/>"
                "<numeric name='heft_soft_a' data='3000 20'/>"
                "<numeric name='heft_material_b' data='0.5 0.5 0 0 0'/>"
                "<numeric name='heft_soft_b' data='1000 20'/>"
                "<tuple name='heft_material_a'><element objtype='geom' objname='floor'/></tuple>"
                "<tuple name='heft_material_b'><element objtype='geom' objname='box'/></tuple>"
                "</custom><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
                "<body pos='0 0 .05'><freejoint/><geom name='box' type='box' size='.1 .2 .05' "
                "mass='3'/></body></worldbody></mujoco>"),
      NULL);
  for (int n = 0; n < 4000; ++n) stage_step(&s);
  const double sink = 0.05 - heft_world_state(s.world)->q[2];
  CHECK_AT_MOST(fabs(sink / (3 * g / (4 * 750)) - 1), 1e-9);
  stage_close(&s);
}

// Friction holds below the cone in every direction, without creep.
static void soft_points_do_not_creep(void** state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    Stage s = on_soft_floor(box, "5000 50", 0.49, 0.4 * i, 0.002);
    for (int n = 0; n < 2000; ++n) stage_step(&s);
    const double x = heft_world_state(s.world)->q[0], y = heft_world_state(s.world)->q[1];
    for (int n = 0; n < 2000; ++n) stage_step(&s);
    const double* q = heft_world_state(s.world)->q;
    CHECK_AT_MOST(fabs(q[0] - x) + fabs(q[1] - y), 1e-12);
    stage_close(&s);
  }
}

// Above the cone the box slides with the acceleration of Coulomb's law, the same in all directions.
static void friction_is_isotropic(void** state) {
  (void)state;
  const double h = 0.002, slope = 0.8, down = g / sqrt(1 + slope * slope);
  double first = 0;
  for (int i = 0; i < 8; ++i) {
    const double angle = 0.3 + 0.7 * i;
    Stage s = on_soft_floor(
        "<body pos='0 0 .1'><joint type='slide' axis='1 0 0'/><joint "
        "type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
        "<geom type='sphere' size='.1' mass='2' friction='.5 0 0'/></body>",
        "5000 50", slope, angle, h);
    for (int n = 0; n < 2500; ++n) stage_step(&s);
    const double* v = heft_world_state(s.world)->v;
    const double before = hypot(v[0], v[1]);
    for (int n = 0; n < 500; ++n) stage_step(&s);
    v = heft_world_state(s.world)->v;
    const double gained = hypot(v[0], v[1]) - before;
    if (i == 0) first = gained;
    CHECK_AT_MOST(fabs(v[0] * sin(angle) - v[1] * cos(angle)) / hypot(v[0], v[1]), 1e-12);
    CHECK_AT_MOST(fabs(gained / first - 1), 1e-12);
    CHECK_AT_MOST(fabs(gained / (500 * h * down * (slope - 0.5)) - 1), 1e-9);
    stage_close(&s);
  }
}

// A ball that falls on a spring without a damper: the energy never grows, and with a short step
// most of it returns.
static void energy_never_grows(void** state) {
  (void)state;
  const double steps[] = {0.01, 0.002, 0.0001};
  for (int i = 0; i < 3; ++i) {
    Stage s = on_soft_floor(ball, "20000 0", 0, 0, steps[i]);
    const double height = 0.3;
    heft_world_set_q(s.world, 2, &height, 1, NULL);
    double most = HUGE_VAL, highest = 0;
    for (int n = 0; n < (int)(1.2 / steps[i]); ++n) {
      const HeftStepReport r = stage_step(&s);
      const double energy = r.kinetic + r.potential + r.soft_energy;
      CHECK_AT_MOST(energy - most, 1e-10);
      if (energy < most) most = energy;
      if (n * steps[i] > 0.35) highest = fmax(highest, heft_world_state(s.world)->q[2]);
    }
    if (i == 2) CHECK_AT_MOST(0.27 - highest, 0);
    stage_close(&s);
  }
}

// The frame of a body is 5 cm beside its centre of mass. The body spins above a soft floor that it
// does not reach: its centre of mass goes on as it went. The velocity of the frame is of order
// 1, so the energy oscillates by (ω h)², but it does not grow.
static void a_body_spins_beside_open_soft_points(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option timestep='0.002' gravity='0 0 0'/><custom>"
      "<numeric name='heft_material_pad' data='.5 .5 0 0 0'/>"
      "<numeric name='heft_soft_pad' data='20000 20'/>"
      "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple></custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1' margin='5'/>"
      "<body pos='0 0 2'><freejoint/><geom type='box' pos='.05 0 0' size='.1 .05 .03' mass='1' "
      "margin='5'/></body></worldbody></mujoco>";
  HeftModel* model = described(text);
  HeftWorldDef def = heft_world_def_default();
  Stage s = stage_on(model, &def);
  const double v[6] = {0, 0, 0, 12, 10, 12.4};
  assert_int_equal(heft_world_set_v(s.world, 0, v, 6, NULL), HEFT_OK);
  double first = 0, most = 0;
  for (int n = 0; n < 300; ++n) {
    const HeftStepReport r = stage_step(&s);
    assert_true(r.contact_count > 0);
    if (n == 0) first = r.kinetic;
    most = fmax(most, r.kinetic);
  }
  print_message("kinetic energy %.6f J, at most %.6f J\n", first, most);
  CHECK_AT_MOST(most / first - 1, 0.03);
  stage_close(&s);
}

// Bodies of many soft points slide and turn on each other. The solver left out its Newton steps for
// proximal points where contacts yield: 40 of these steps ended above the tolerance.
static void sliding_areas_are_solved(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option timestep='0.002'/><custom>"
      "<numeric name='heft_material_pad' data='.6 .6 0 0 0'/>"
      "<numeric name='heft_area_pad' data='1e6 0.02 1 1'/>"
      "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple></custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<body pos='0 0 .4'><freejoint/><geom type='box' size='.1 .08 .05' mass='2'/></body>"
      "<body pos='.05 .02 .7'><freejoint/><geom type='sphere' size='.06' mass='1'/></body>"
      "<body pos='-.04 .03 1'><freejoint/><geom type='capsule' size='.04 .08' mass='1'/></body>"
      "</worldbody></mujoco>";
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.002;
  def.tolerance = 1e-8;
  Stage s = stage_on(described(text), &def);
  for (int n = 0; n < 500; ++n) {
    const HeftStepReport r = heft_world_step(s.world);
    if (r.status != HEFT_STEP_SOLVED) fail_msg("step %d: residual of %g", n, r.relative);
  }
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_load_sinks_by_its_weight_over_the_stiffness),
      cmocka_unit_test(springs_act_in_series),
      cmocka_unit_test(soft_points_do_not_creep),
      cmocka_unit_test(friction_is_isotropic),
      cmocka_unit_test(energy_never_grows),
      cmocka_unit_test(sliding_areas_are_solved),
      cmocka_unit_test(a_body_spins_beside_open_soft_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
