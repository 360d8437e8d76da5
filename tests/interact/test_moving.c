// SPDX-License-Identifier: Apache-2.0
// A robot that falls, with hands in its way: the energy that it gives is its own, and the coupling
// adds none.
#include <stdlib.h>

#include "interact/rig.h"

static char* scene_text(const char* path) {
  char full[600];
  snprintf(full, sizeof full, "%s/%s", HEFT_SOURCE_DIR, path);
  FILE* f = fopen(full, "rb");
  assert_non_null(f);
  char* text = calloc(1, 1 << 18);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 18) - 1, f) > 0);
  fclose(f);
  return text;
}

static double draw(uint64_t* seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return 2 * (double)(*seed >> 11) * 0x1p-53 - 1;
}

typedef struct Fall {
  double lowest, force;
  long damped, touched;
} Fall;

// A hand that goes through three random places below the humanoid, as it comes down.
static Fall fall(const char* scene, const char* device, uint64_t seed) {
  RigDef def = rig_def(scene);
  heft_emulator_device(device, &def.hand.info);
  def.mapping.scale = 3;
  def.mapping.origin = heft_vec3(0, 0, 0.6);
  def.probe.radius = 0.02;
  def.probe.stiffness =
      0.9 * heft_device_stiffness_bound(&def.hand.info, 1e-3, 0) / def.mapping.scale;
  def.device.guard.force_max = def.hand.info.force_max;
  def.device.guard.damping = def.hand.info.damping;
  def.device.guard.friction = def.hand.info.friction;
  Rig r = rig_make(&def);
  for (int i = 0; i < 4; ++i) {
    r.hand->script[i][0] = 0.4 * i;
    for (int k = 1; k < 4; ++k) r.hand->script[i][k] = 0.08 * draw(&seed);
  }
  r.hand->script_count = 4;
  r.hand->pos = heft_vec3_from(&r.hand->script[0][1]);
  Fall f = {0};
  for (int i = 0; i < 1600; ++i) {
    rig_tick(&r);
    f.touched += heft_probe_state(r.probe)->body > 0;
  }
  const HeftGuardReport report = heft_device_report(r.device);
  f.lowest = report.energy_lowest;
  f.force = report.force_peak;
  f.damped = report.interventions;
  rig_end(&r);
  return f;
}

static void a_falling_robot_is_felt_without_a_debt(void** state) {
  (void)state;
  static const char* const devices[] = {"touch", "inverse3", "omega"};
  char* scene = scene_text("scenes/humanoid.xml");
  Fall all = {0};
  for (int i = 0; i < 15; ++i) {
    const Fall f = fall(scene, devices[i % 3], 88172645463325252u + 977u * (uint64_t)i);
    all.lowest = fmin(all.lowest, f.lowest);
    all.force = fmax(all.force, f.force);
    all.damped += f.damped;
    all.touched += f.touched;
  }
  print_message("lowest %.2g J, largest force %.2f N, %ld damped of %ld steps of touch\n",
                all.lowest, all.force, all.damped, all.touched);
  CHECK_AT_MOST(-all.lowest, 1e-6);
  assert_true(all.touched > 2000 && all.force > 3);
  free(scene);
}

// Nothing is hidden by the ledger: a piston that pushes a hand gives it what the ledger says.
static void what_a_piston_gives_is_its_own(void** state) {
  (void)state;
  static const char piston[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody><body>"
      "<joint type='slide' axis='0 0 1'/><geom type='box' size='0.1 0.1 0.1' mass='1000'/></body>"
      "</worldbody></mujoco>";
  RigDef def = rig_def(piston);
  def.hand.start = heft_vec3(0, 0, 0.12);
  def.probe.stiffness = 400;
  def.device.guard.ramp = 0;
  Rig r = rig_make(&def);
  HeftState* s = NULL;
  assert_int_equal(heft_state_create(&s, r.model, NULL, NULL), HEFT_OK);
  heft_state_copy(s, heft_world_state(r.world));
  s->v[0] = 0.2;
  heft_world_set_state(r.world, s);
  heft_state_destroy(s);
  r.hand->intention.z = 0.12;
  rig_run(&r, 0.3);
  const double stretch =
      400 * 0.5 * heft_vec3_dot(r.hand->force.force, r.hand->force.force) / 160000;
  const HeftGuardReport report = heft_device_report(r.device);
  print_message("ledger %.6f J, spring %.6f J, lowest %.2g J\n", report.energy, stretch,
                report.energy_lowest);
  assert_true(report.energy >= stretch);
  CHECK_AT_MOST(report.energy - stretch, 0.1 * stretch + 1e-3);
  CHECK_AT_MOST(-report.energy_lowest, 1e-6);
  rig_end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_falling_robot_is_felt_without_a_debt),
      cmocka_unit_test(what_a_piston_gives_is_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
