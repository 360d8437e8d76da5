// SPDX-License-Identifier: Apache-2.0
// Papers: R43.
// Forces that statics leaves open: a foot on twelve points under a load that sways. The motion is
// none; the forces follow the load without jumps, with the settings that users get.
#include <heft/io.h>
#include <stdio.h>

#include "stage.h"

enum { POINTS = 12, TEXT = 8000, STEPS = STAGE_SANITIZED ? 600 : 6000 };

// 50 kg on an elliptic sole, their centre 0.8 m above it.
static HeftModel* load_foot(void) {
  char text[TEXT];
  int n = snprintf(text, sizeof text,
                   "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><worldbody>"
                   "<geom type=\"plane\" size=\"5 5 1\" friction=\"0.7\"/><body><freejoint/>"
                   "<inertial pos=\"0 0 0.8\" mass=\"50\" diaginertia=\"5 5 1\"/>");
  for (int k = 0; k < POINTS; ++k) {
    double c, s;
    heft_sincos(2 * HEFT_PI * k / POINTS, &s, &c);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<geom type=\"sphere\" size=\"0.005\" pos=\"%.17g %.17g 0.005\"/>", 0.12 * c,
                  0.08 * s);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "</body></worldbody></mujoco>");
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftLoadDef def = heft_load_def_default();
  if (heft_model_load_bytes(&model, text, (size_t)n, "foot.xml", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return model;
}

static void sway(Stage* s, int step) {
  const double t = 0.001 * step, grown = t < 1 ? t : 1;
  double x, y, z, turn, c;
  heft_sincos(6.28 * t, &x, &c);
  heft_sincos(9.1 * t, &y, &c);
  heft_sincos(4 * t, &z, &c);
  heft_sincos(5 * t, &turn, &c);
  heft_world_apply_wrench(s->world, 1, heft_vec3(0, 0, 0.8),
                          heft_vec3(grown * 40 * x, grown * 25 * y, grown * 30 * z),
                          heft_vec3(0, 0, grown * 5 * turn));
}

typedef struct Smoothness {
  double jump;   // largest change of a point's force in a step [N]
  double speed;  // greatest speed [m/s, rad/s]
} Smoothness;

static Smoothness stand(double tolerance) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = tolerance;
  Stage s = stage_on(load_foot(), &def);
  HeftVec3 last[POINTS] = {{0}};
  Smoothness out = {0};
  for (int i = 0; i < STEPS; ++i) {
    sway(&s, i);
    const HeftStepReport report = stage_step(&s);
    assert_int_equal(heft_world_contact_count(s.world), POINTS);
    CHECK_AT_MOST(report.relative, 1.001 * tolerance);
    CHECK_AT_MOST(report.impulse_energy, 1e-15);
    for (int k = 0; k < POINTS; ++k) {
      const HeftVec3 force = heft_world_contact(s.world, k).force;
      if (i > 0) out.jump = fmax(out.jump, distance(force, last[k]));
      last[k] = force;
    }
    for (int k = 0; k < 6; ++k) out.speed = fmax(out.speed, fabs(heft_world_state(s.world)->v[k]));
  }
  print_message("tolerance %.0e: a force changes by at most %.3g N in a step, speed %.1e\n",
                tolerance, out.jump, out.speed);
  stage_close(&s);
  return out;
}

// The load changes by at most 0.5 N in a step, and its moment by 0.3 N m.
static void test_forces_follow_the_load(void** state) {
  (void)state;
  const Smoothness usual = stand(1e-6), exact = stand(1e-9);
  CHECK_AT_MOST(usual.jump, 1);
  CHECK_AT_MOST(exact.jump, 1);
  CHECK_AT_MOST(usual.speed, 1e-6);
  CHECK_AT_MOST(exact.speed, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces_follow_the_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
