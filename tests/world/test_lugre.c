// SPDX-License-Identifier: Apache-2.0
// Papers: R22, U2.
// The contact model lugre: bristles give before they slip, the force at which slip begins, the
// Stribeck curve at constant speed, stick and slip on a spring, and the state of the bristles in
// snapshots.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

static const double mu_s = 0.6, mu_k = 0.4, stribeck = 0.01, viscous = 0.05;
static const double sigma0 = 1e4;  // of each of four points [N/m]

// A cube of 1 kg on a floor; its materials have the bristles.
static Scene cube(double stiffness, double h, double static_mu, double stribeck_speed,
                  double drag) {
  Scene s = scene_open(heft_vec3(0, 0, -g), h);
  HeftMaterialDef def = heft_material_def_default();
  HeftWorldDef world = heft_world_def_default();
  def.friction = static_mu;
  def.kinetic = mu_k;
  def.slip[0] = stribeck_speed;
  def.slip[1] = drag;
  def.layer[0] = stiffness;
  def.layer[1] = 0.7 * sqrt(stiffness);  // a damping ratio of 0.7 on four points
  const int bristles = heft_builder_add_material(s.builder, &def);
  def.layer[0] = def.layer[1] = 0;
  add_floor(&s, heft_builder_add_material(s.builder, &def));
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), bristles);
  world.contact_model = HEFT_CONTACT_MODEL_LUGRE;
  world.rest = 0;
  scene_start_with(&s, &world);
  return s;
}

static void pull(Scene* s, double force) {
  const double* q = heft_world_state(s->world)->q;
  heft_world_apply_wrench(s->world, 1, heft_vec3(q[0], q[1], 0), heft_vec3(force, 0, 0),
                          heft_vec3(0, 0, 0));
  assert_int_equal(heft_world_step(s->world).status, HEFT_STEP_SOLVED);
}

// Loaded slowly, a bristle bends by dz = dx (1 - σ0 z / g), so that x = -(g / σ0) ln(1 - f / g);
// the weight is on four points, of stiffness 4 σ0 together.
static void test_presliding(void** state) {
  (void)state;
  Scene s = cube(sigma0, 0.001, mu_k, 0, 0);
  const double limit = mu_k * g, reach = limit / (4 * sigma0);
  for (int i = 1; i <= 6000; ++i) {
    pull(&s, 0.6 * limit * i / 6000);
    if (i == 600)  // in the beginning a spring
      assert_true(fabs(heft_world_state(s.world)->q[0] / (0.06 * reach) - 1) < 0.05);
  }
  const double x = heft_world_state(s.world)->q[0];
  assert_true(fabs(x / (-reach * log(1 - 0.6)) - 1) < 0.02);
  // without the force it returns by the elastic part
  for (int i = 1; i <= 6000; ++i) pull(&s, 0.6 * limit * (6000 - i) / 6000);
  const double left = heft_world_state(s.world)->q[0];
  assert_true(left > 0.02 * x && left < 0.5 * x);
  scene_close(&s);
}

// Slip begins at static friction.
static void test_break_away(void** state) {
  (void)state;
  Scene s = cube(sigma0, 0.001, mu_s, stribeck, 0);
  double force = 0, before = 0;
  for (int i = 0; i < 20000 && heft_world_state(s.world)->v[0] < stribeck; ++i) {
    before = force;
    force = 2 * mu_s * g * i / 20000;
    pull(&s, force);
  }
  assert_true(before < force);
  assert_true(fabs(force / (mu_s * g) - 1) < 0.02);
  scene_close(&s);
}

// At constant speed: µ_k + (µ_s - µ_k) exp(-(v / v_s)²) + c v. The cube is pulled by as much as
// friction held it in the last step, which keeps its speed.
static void test_stribeck_curve(void** state) {
  (void)state;
  static const double speeds[] = {0.02, 0.05, 0.1, 0.5, 2};
  for (int i = 0; i < 5; ++i) {
    Scene s = cube(sigma0, 1e-4, mu_s, 0.1, viscous);
    double friction = 0;
    set_velocity(&s, 0, speeds[i]);
    for (int k = 0; k < 1000; ++k) {
      pull(&s, friction);
      friction = -heft_world_contact_wrench(s.world, 1, heft_vec3(0, 0, 0)).lin.x;
    }
    const double v = heft_world_state(s.world)->v[0], x = v / 0.1;
    const double law = mu_k + (mu_s - mu_k) * exp(-x * x) + viscous * v;
    assert_true(fabs(v / speeds[i] - 1) < 0.05);
    assert_true(fabs(friction / (law * g) - 1) < 1e-3);
    scene_close(&s);
  }
}

// A spring k draws the cube at the speed V. It sticks until the force is µ_s m g and slips with µ_k
// m g (the Stribeck speed is low). With ω = √(k / m) and D = (µ_s - µ_k) m g, the period is that of
// Coulomb's friction, 2 D / (k V) + 2 (π - atan(ω D / (k V))) / ω.
static void test_stick_slip(void** state) {
  (void)state;
  const double k = 200, speed = 0.06, h = 2e-4, omega = sqrt(k), drop = (mu_s - mu_k) * g;
  Scene s = cube(1e6, h, mu_s, 1e-3, 0);
  double start[6];
  int slips = 0, moves = 0;
  for (int i = 0; i < 25000 && slips < 6; ++i) {
    const double *q = heft_world_state(s.world)->q, *v = heft_world_state(s.world)->v;
    pull(&s, k * (speed * h * i - q[0]));
    if (!moves && v[0] > 0.05) start[slips++] = h * i;
    moves = moves ? v[0] > 0.005 : v[0] > 0.05;
  }
  assert_int_equal(slips, 6);
  const double period = (start[5] - start[1]) / 4;
  const double exact =
      2 * drop / (k * speed) + 2 * (HEFT_PI - atan(omega * drop / (k * speed))) / omega;
  assert_true(fabs(period / exact - 1) < 0.05);
  for (int i = 2; i < 6; ++i) assert_true(fabs((start[i] - start[i - 1]) / period - 1) < 0.02);
  scene_close(&s);
}

// The deflection is part of a snapshot: the future is the same, bit for bit.
static void test_snapshot(void** state) {
  (void)state;
  Scene s = cube(sigma0, 0.001, mu_s, stribeck, viscous);
  for (int i = 0; i < 100; ++i) pull(&s, 0.5 * mu_s * g);
  const size_t size = heft_world_snapshot_size(s.world);
  void* bytes = malloc(size);
  assert_non_null(bytes);
  heft_world_snapshot(s.world, bytes);
  for (int i = 0; i < 100; ++i) pull(&s, 0.2 * g * (i % 7));
  const uint64_t first = heft_state_hash(heft_world_state(s.world));
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
  for (int i = 0; i < 100; ++i) pull(&s, 0.2 * g * (i % 7));
  assert_true(heft_state_hash(heft_world_state(s.world)) == first);
  free(bytes);
  scene_close(&s);
}

// Options instead of a material, a heavy and a light cube, long steps: stable, and it holds.
static void test_stiff_bristles_are_stable(void** state) {
  (void)state;
  static const double stiffness[] = {1e3, 1e6, 1e9};
  for (int i = 0; i < 3; ++i) {
    Scene s = scene_open(heft_vec3(0.3 * g, 0, -g), 0.005);
    HeftWorldDef world = heft_world_def_default();
    const int material = add_material(&s, 0.5, 0);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 0.05, heft_vec3(0, 0, 0.1), material);
    world.contact_model = HEFT_CONTACT_MODEL_LUGRE;
    world.contact_options.tangent_stiffness = stiffness[i];
    scene_start_with(&s, &world);
    HeftStepReport report = {0};
    for (int k = 0; k < 400; ++k) {
      report = heft_world_step(s.world);
      assert_true(report.status <= HEFT_STEP_INEXACT);  // while it begins to lean
    }
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
    // the cube leans on its bristles by less than their reach
    assert_true(heft_world_state(s.world)->q[0] < 0.05 * g * 0.5 / stiffness[i] + 1e-6);
    assert_true(fabs(heft_world_state(s.world)->v[0]) < 1e-4);
    scene_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_presliding),     cmocka_unit_test(test_break_away),
      cmocka_unit_test(test_stribeck_curve), cmocka_unit_test(test_stick_slip),
      cmocka_unit_test(test_snapshot),       cmocka_unit_test(test_stiff_bristles_are_stable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
