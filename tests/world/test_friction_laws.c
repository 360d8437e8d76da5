// SPDX-License-Identifier: Apache-2.0
// Papers: R22, U2.
// Friction that depends on the direction, contacts without friction, and static above kinetic
// friction.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"

// A block on a floor with two coefficients, along x and y of the floor, which is turned by yaw.
static Scene block_on_grain(double mu1, double mu2, double yaw, HeftVec3 gravity) {
  Scene s = scene_open(gravity, 0.001);
  const int material = add_material(&s, mu1, 0);
  HeftShapeDef floor = heft_shape_def_default();
  floor.type = HEFT_SHAPE_PLANE;
  floor.quat = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), yaw);
  floor.material = material;
  heft_builder_add_shape(s.builder, &floor);
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), material);
  HeftPairDef pair = heft_pair_def_default();
  pair.shape[1] = 1;
  pair.material = material;
  pair.friction2 = mu2;
  heft_builder_add_pair(s.builder, &pair);
  scene_start_with(&s, NULL);
  return s;
}

// In every direction the block begins to move where the ellipse ends.
static void test_onset_is_elliptic(void** state) {
  (void)state;
  const double mu1 = 0.6, mu2 = 0.2, yaw = 0.4;
  for (int i = 0; i < 24; ++i) {
    const double angle = HEFT_PI * i / 12, along = cos(angle - yaw), across = sin(angle - yaw);
    const double limit = 1 / hypot(along / mu1, across / mu2);
    for (int above = 0; above < 2; ++above) {
      const double slope = limit * (above ? 1.01 : 0.99);
      Scene s = block_on_grain(mu1, mu2, yaw,
                               heft_vec3(g * slope * cos(angle), g * slope * sin(angle), -g));
      for (int k = 0; k < 100; ++k)
        assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
      const double speed = hypot(v_of(&s)[0], v_of(&s)[1]);
      if (above) assert_true(speed > 1e-4);
      if (!above) assert_true(speed < 1e-7);
      assert_int_equal(heft_world_contact(s.world, 0).state,
                       above ? HEFT_CONTACT_SLIPPING : HEFT_CONTACT_STICKING);
      scene_close(&s);
    }
  }
}

// While it slides, the force dissipates most among all in the ellipse: f = -N (mu1² v1, mu2² v2) /
// |(mu1 v1, mu2 v2)|.
static void test_sliding_force(void** state) {
  (void)state;
  const double mu1 = 0.6, mu2 = 0.2;
  for (int i = 0; i < 12; ++i) {
    const double angle = 0.1 + HEFT_PI * i / 6;
    Scene s = block_on_grain(mu1, mu2, 0, heft_vec3(0, 0, -g));
    set_velocity(&s, 0, 2 * cos(angle));
    set_velocity(&s, 1, 2 * sin(angle));
    heft_world_step(s.world);
    const double vx = v_of(&s)[0], vy = v_of(&s)[1];
    const double norm = hypot(mu1 * vx, mu2 * vy);
    const HeftVec3 force = heft_world_contact_wrench(s.world, 1, heft_vec3(0, 0, 0)).lin;
    assert_true(fabs(force.x + g * mu1 * mu1 * vx / norm) < 1e-3);
    assert_true(fabs(force.y + g * mu2 * mu2 * vy / norm) < 1e-3);
    const HeftContact contact = heft_world_contact(s.world, 0);
    assert_true(hypot(contact.slip.x - vx, contact.slip.y - vy) < 0.05);
    scene_close(&s);
  }
}

// A contact without friction that moves slips, and tells how fast.
static void test_frictionless_contact_slips(void** state) {
  (void)state;
  for (int moving = 0; moving < 2; ++moving) {
    Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
    HeftShapeDef floor = heft_shape_def_default();
    floor.type = HEFT_SHAPE_PLANE;
    floor.contact_dim = 1;
    floor.priority = 1;
    heft_builder_add_shape(s.builder, &floor);
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), 0);
    scene_start(&s);
    if (moving) set_velocity(&s, 0, 0.5);
    for (int k = 0; k < 10; ++k) heft_world_step(s.world);
    const HeftContact contact = heft_world_contact(s.world, 0);
    assert_int_equal(contact.state, moving ? HEFT_CONTACT_SLIPPING : HEFT_CONTACT_STICKING);
    assert_true(fabs(contact.slip.x - 0.5 * moving) < 1e-9 && fabs(contact.slip.z) < 1e-9);
    assert_true(fabs(v_of(&s)[0] - 0.5 * moving) < 1e-12);
    scene_close(&s);
  }
}

// A block on a slope between kinetic and static friction.
static Scene held_block(double slope) {
  const double down = g / sqrt(1 + slope * slope);
  Scene s = scene_open(heft_vec3(slope * down, 0, -down), 0.001);
  HeftMaterialDef material = heft_material_def_default();
  material.friction = 1;
  material.kinetic = 0.5;
  const int index = heft_builder_add_material(s.builder, &material);
  HeftShapeDef floor = heft_shape_def_default();
  floor.type = HEFT_SHAPE_PLANE;
  floor.material = index;
  heft_builder_add_shape(s.builder, &floor);
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), index);
  scene_start_with(&s, NULL);
  return s;
}

// At rest the block holds by static friction. If it creeps, it goes on, by kinetic friction alone;
// a snapshot holds which points slip.
static void test_static_friction_holds_no_creep(void** state) {
  (void)state;
  const double speeds[] = {0, 1e-6, 1e-3};
  for (int i = 0; i < 3; ++i) {
    Scene s = held_block(0.75);
    set_velocity(&s, 0, speeds[i]);
    for (int k = 0; k < 50; ++k) heft_world_step(s.world);
    const size_t size = heft_world_snapshot_size(s.world);
    unsigned char* bytes = malloc(size);
    heft_world_snapshot(s.world, bytes);
    for (int k = 0; k < 50; ++k) heft_world_step(s.world);
    const double speed = v_of(&s)[0], exact = speeds[i] + 0.1 * 0.25 * g / 1.25;
    assert_true(fabs(speed - (i == 0 ? 0 : exact)) < 1e-9);
    assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
    for (int k = 0; k < 50; ++k) heft_world_step(s.world);
    assert_true(v_of(&s)[0] == speed);
    free(bytes);
    scene_close(&s);
  }
}

// A block that slides comes to rest on a slope that static friction can hold and kinetic friction
// can stop, and then stays.
static void test_sliding_block_stops(void** state) {
  (void)state;
  Scene s = held_block(0.3);
  set_velocity(&s, 0, 0.2);
  for (int k = 0; k < 300; ++k) assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
  const double decelerates = 0.2 * g / sqrt(1.09);
  const double x = heft_world_state(s.world)->q[0];
  assert_true(v_of(&s)[0] == 0 && fabs(x - 0.02 / decelerates) < 2e-4);
  scene_close(&s);
}

// Friction against speed: a block that slides with µ(v) = µ_k + (µ_s - µ_k) exp(-(v/s)²) + c v
// follows v' = -g µ(v), to first order in the step. With a Stribeck speed it slows down less at
// speed than at the end.
static double law_speed(double v, double t) {
  const double h = 1e-5;
  for (double s = 0; s < t && v > 0; s += h)
    v -= h * g * (0.2 + 0.3 * exp(-(v / 0.4) * (v / 0.4)) + 0.1 * v);
  return v > 0 ? v : 0;
}

static void test_friction_follows_speed(void** state) {
  (void)state;
  double off[2];
  for (int i = 0; i < 2; ++i) {
    const double step = i == 0 ? 0.002 : 0.001;
    Scene s = scene_open(heft_vec3(0, 0, -g), step);
    HeftMaterialDef ice = heft_material_def_default();
    ice.friction = 0.5;
    ice.kinetic = 0.2;
    ice.slip[0] = 0.4;
    ice.slip[1] = 0.1;
    add_floor(&s, heft_builder_add_material(s.builder, &ice));
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), add_material(&s, 0.1, 0));
    scene_start(&s);
    set_velocity(&s, 0, 1.5);
    off[i] = 0;
    while (*heft_world_state(s.world)->time < 0.4 - 1e-9) {
      assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
      const double t = *heft_world_state(s.world)->time;
      off[i] = fmax(off[i], fabs(v_of(&s)[0] - law_speed(1.5, t)));
    }
    scene_close(&s);
  }
  assert_true(off[1] < 0.003);
  assert_true(fabs(off[0] / off[1] - 2) < 0.3);
}

// At rest it holds by the static coefficient, and slips beyond it.
static void test_stribeck_holds_at_rest(void** state) {
  (void)state;
  for (int above = 0; above < 2; ++above) {
    Scene s = scene_open(heft_vec3((above ? 0.51 : 0.49) * g, 0, -g), 0.001);
    HeftMaterialDef wet = heft_material_def_default();
    wet.friction = 0.5;
    wet.kinetic = 0.2;
    wet.slip[0] = 0.05;
    const int material = heft_builder_add_material(s.builder, &wet);
    add_floor(&s, material);
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), material);
    scene_start(&s);
    for (int k = 0; k < 500; ++k)
      assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
    assert_true(above ? v_of(&s)[0] > 0.5 : fabs(v_of(&s)[0]) < 1e-9);
    scene_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_onset_is_elliptic),
      cmocka_unit_test(test_sliding_force),
      cmocka_unit_test(test_frictionless_contact_slips),
      cmocka_unit_test(test_static_friction_holds_no_creep),
      cmocka_unit_test(test_sliding_block_stops),
      cmocka_unit_test(test_friction_follows_speed),
      cmocka_unit_test(test_stribeck_holds_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
