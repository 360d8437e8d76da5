// SPDX-License-Identifier: Apache-2.0
// Papers: R44.
// The guard: whatever is asked for, what goes out is finite, small, and stops when samples do.
#include <heft/device.h>

#include "support/check.h"

enum { MS = 1000000 };

static HeftGuard plain(void) {
  HeftDeviceInfo info;
  assert_true(heft_emulator_device("touch", &info));
  HeftGuardDef def = heft_guard_def_default();
  def.ramp = 0;
  def.passivity = 0;
  def.slew = 0;
  return heft_guard_make(&def, &info);
}

static HeftDeviceSample sample(uint64_t now, double z, double speed) {
  return (HeftDeviceSample){
      .time_ns = now, .pos = {0, 0, z}, .rot = {1, 0, 0, 0}, .vel = {0, 0, speed}};
}

static HeftDeviceForce ask(HeftGuard* g, uint64_t now, double force) {
  const HeftDeviceForce command = {.force = {0, 0, force}};
  return heft_guard_force(g, now, &command, NULL);
}

static void no_sample_no_force(void** state) {
  (void)state;
  HeftGuard g = plain();
  assert_true(ask(&g, 10 * MS, 1).force.z == 0);
  const HeftDeviceSample s = sample(11 * MS, 0, 0);
  assert_true(heft_guard_sample(&g, 11 * MS, &s));
  assert_true(ask(&g, 12 * MS, 1).force.z == 1);
  assert_true(ask(&g, 60 * MS, 1).force.z == 1);
  assert_true(ask(&g, 62 * MS, 1).force.z == 0);  // 50 ms without a sample
  assert_int_equal(g.report.starved, 2);
}

static void force_is_bounded(void** state) {
  (void)state;
  HeftGuard g = plain();
  const HeftDeviceSample s = sample(MS, 0, 0);
  heft_guard_sample(&g, MS, &s);
  const HeftDeviceForce command = {.force = {30, 0, 40}, .torque = {0, 9, 0}};
  const HeftDeviceForce f = heft_guard_force(&g, 2 * MS, &command, NULL);
  CHECK_AT_MOST(fabs(heft_vec3_norm(f.force) - 3.3), 1e-12);
  CHECK_AT_MOST(fabs(f.force.x / f.force.z - 0.75), 1e-12);
  CHECK_AT_MOST(heft_vec3_norm(f.torque), 0.1 + 1e-12);
  assert_int_equal(g.report.clamped, 1);
}

static void what_is_no_number_is_no_force(void** state) {
  (void)state;
  HeftGuard g = plain();
  HeftDeviceSample s = sample(MS, 0, 0);
  heft_guard_sample(&g, MS, &s);
  assert_true(ask(&g, 2 * MS, (double)NAN).force.z == 0);
  assert_true(ask(&g, 3 * MS, (double)INFINITY).force.z == 0);
  s.pos.x = (double)NAN;
  assert_false(heft_guard_sample(&g, 4 * MS, &s));
  s = sample(MS, 0, 0);
  s.rot.w = 0;
  assert_false(heft_guard_sample(&g, 4 * MS, &s));
  assert_int_equal(g.report.not_finite, 4);
}

static void force_grows_slowly_and_shrinks_at_once(void** state) {
  (void)state;
  HeftGuard g = plain();
  g.def.slew = 100;
  uint64_t now = MS;
  double last = 0;
  for (int i = 0; i < 40; ++i, now += MS) {
    const HeftDeviceSample s = sample(now, 0, 0);
    heft_guard_sample(&g, now, &s);
    const double f = ask(&g, now, 3).force.z;
    CHECK_AT_MOST(f - last, 0.1 + 1e-12);
    last = f;
  }
  CHECK_AT_MOST(fabs(last - 3), 1e-12);
  assert_true(ask(&g, now, 0.5).force.z == 0.5);
  // Nothing is left of the old one.
  CHECK_AT_MOST(fabs(ask(&g, now + MS, -3).force.z + 0.1), 1e-12);
}

static void a_handle_that_flies_is_let_go(void** state) {
  (void)state;
  HeftGuard g = plain();
  HeftDeviceSample s = sample(MS, 0, 1.4);
  heft_guard_sample(&g, MS, &s);
  assert_true(ask(&g, MS, 1).force.z == 1);
  s = sample(2 * MS, 0.0014, 2.25);
  heft_guard_sample(&g, 2 * MS, &s);
  CHECK_AT_MOST(fabs(ask(&g, 2 * MS, 1).force.z - 0.5), 1e-12);
  s = sample(3 * MS, 0.004, 3.1);
  heft_guard_sample(&g, 3 * MS, &s);
  assert_true(ask(&g, 3 * MS, 1).force.z == 0);
  assert_int_equal(g.report.too_fast, 2);
}

// A position that leaps is a device that was moved or lies: forces begin again from zero.
static void a_leap_starts_anew(void** state) {
  (void)state;
  HeftGuard g = plain();
  g.def.ramp = 0.2;
  uint64_t now = MS;
  for (int i = 0; i < 300; ++i, now += MS) {
    const HeftDeviceSample s = sample(now, 0, 0);
    heft_guard_sample(&g, now, &s);
    ask(&g, now, 1);
  }
  assert_true(g.given.force.z == 1);
  const HeftDeviceSample s = sample(now, 0.1, 0);
  heft_guard_sample(&g, now, &s);
  CHECK_AT_MOST(ask(&g, now, 1).force.z, 1e-12);
  assert_int_equal(g.report.jumps, 1);
  CHECK_AT_MOST(fabs(ask(&g, now + 50 * MS, 1).force.z - 0.25), 1e-9);
}

// Clocks that go back or stand still do no harm.
static void time_may_do_what_it_wants(void** state) {
  (void)state;
  HeftGuard g = plain();
  g.def.passivity = 1;
  const uint64_t times[] = {5 * MS, 4 * MS, 4 * MS, 900000ull * MS, 3 * MS, 3 * MS + 1};
  for (int i = 0; i < 6; ++i) {
    const HeftDeviceSample s = sample(times[i], 1e-4 * i, 0.1);
    heft_guard_sample(&g, times[i], &s);
    const double f = ask(&g, times[i], 2).force.z;
    assert_true(f >= 0 && f <= 3.3);
    assert_true(isfinite(g.report.energy));
  }
}

// The ledger counts what a held force does on the way, exactly.
static void the_ledger_counts(void** state) {
  (void)state;
  HeftGuard g = plain();
  g.def.damping = g.def.friction = 0;
  HeftDeviceSample s = sample(MS, 0, 0);
  heft_guard_sample(&g, MS, &s);
  ask(&g, MS, 2);
  s = sample(2 * MS, -0.001, -1);
  heft_guard_sample(&g, 2 * MS, &s);
  CHECK_AT_MOST(fabs(g.report.energy - 0.002), 1e-15);
  ask(&g, 2 * MS, 1);
  s = sample(3 * MS, 0.002, 3);
  heft_guard_sample(&g, 3 * MS, &s);
  CHECK_AT_MOST(fabs(g.report.energy + 0.001), 1e-15);
  ask(&g, 3 * MS, 0);
  CHECK_AT_MOST(fabs(g.report.energy_lowest + 0.001), 1e-15);
}

static void bounds_are_those_of_theory(void** state) {
  (void)state;
  HeftDeviceInfo info = {.damping = 0.5};
  CHECK_AT_MOST(fabs(heft_device_stiffness_bound(&info, 1e-3, 0) - 1000), 1e-9);
  CHECK_AT_MOST(fabs(heft_device_stiffness_bound(&info, 1e-3, 0.1) - 800), 1e-9);
  assert_true(heft_device_stiffness_bound(&info, 1e-3, 1) == 0);
  info.friction = 0.01;
  info.resolution = 1e-4;
  CHECK_AT_MOST(fabs(heft_device_stiffness_bound(&info, 1e-3, 0) - 200), 1e-9);
  CHECK_AT_MOST(fabs(heft_coupling_damping(2, 100) - 20), 1e-12);
}

// Clutch, scale and axes: there and back.
static void mapping_is_undone_by_itself(void** state) {
  (void)state;
  HeftMapping m = heft_mapping_default();
  m.axes = heft_quat_to_mat3(heft_quat_exp(heft_vec3(0.3, -0.7, 1.1)));
  m.scale = 3;
  m.origin = heft_vec3(1, 2, 3);
  m.clutch = 1;
  HeftDeviceSample s = sample(MS, 0.05, 0.2);
  s.rot = heft_quat_exp(heft_vec3(0.1, 0.2, 0.3));
  const HeftProbeInput before = heft_mapping_apply(&m, &s);
  CHECK_AT_MOST(fabs(heft_vec3_norm(before.vel) - 0.6), 1e-12);
  // Work is the same on both sides when forces are scaled like places.
  m.force_scale = 3;
  const HeftDeviceForce f = {.force = {0.5, -1, 2}};
  const HeftDeviceForce felt = heft_mapping_force(&m, &f);
  CHECK_AT_MOST(fabs(heft_vec3_dot(felt.force, s.vel) - heft_vec3_dot(f.force, before.vel)), 1e-12);
  // The hand goes back while the clutch is held; the probe does not.
  s.buttons = 2;
  HeftProbeInput in = heft_mapping_apply(&m, &s);
  assert_false(in.present);
  s.pos = heft_vec3(-0.02, 0.01, 0);
  s.rot = heft_quat_identity();
  in = heft_mapping_apply(&m, &s);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(in.pos, before.pos)), 1e-12);
  s.buttons = 0;
  in = heft_mapping_apply(&m, &s);
  assert_true(in.present);
  CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(in.pos, before.pos)), 1e-12);
  const HeftQuat turn = heft_quat_mul(in.rot, heft_quat_conjugate(before.rot));
  CHECK_AT_MOST(heft_vec3_norm(heft_quat_log(turn)), 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_sample_no_force),
      cmocka_unit_test(force_is_bounded),
      cmocka_unit_test(what_is_no_number_is_no_force),
      cmocka_unit_test(force_grows_slowly_and_shrinks_at_once),
      cmocka_unit_test(a_handle_that_flies_is_let_go),
      cmocka_unit_test(a_leap_starts_anew),
      cmocka_unit_test(time_may_do_what_it_wants),
      cmocka_unit_test(the_ledger_counts),
      cmocka_unit_test(bounds_are_those_of_theory),
      cmocka_unit_test(mapping_is_undone_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
