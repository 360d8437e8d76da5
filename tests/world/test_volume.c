// SPDX-License-Identifier: Apache-2.0
// Papers: R23.
// The contact model volume: forces are k times the volume of overlap, and act at its centroid.
#include <math.h>

#include "contact_scene.h"

static const double k = 1e7;  // [N/m³]

static Scene one(HeftShapeType type, double size, HeftVec3 pos, HeftQuat quat) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  HeftWorldDef world = heft_world_def_default();
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  add_free(&s, type, size, 1, pos, material);
  world.contact_model = HEFT_CONTACT_MODEL_VOLUME;
  world.contact_options.stiffness = k;
  world.contact_options.damping = 0;
  world.rest = 0;
  scene_start_with(&s, &world);
  const double turn[4] = {quat.w, quat.x, quat.y, quat.z};
  assert_int_equal(heft_world_set_q(s.world, 3, turn, 4, NULL), HEFT_OK);
  return s;
}

static HeftSpatial wrench(Scene* s) {
  assert_int_equal(heft_world_step(s->world).status, HEFT_STEP_SOLVED);
  return heft_world_contact_wrench(s->world, 1, heft_vec3(0, 0, 0));
}

static void test_box_on_plane(void** state) {
  (void)state;
  static const double depth[] = {1e-5, 1e-4, 1e-3};
  for (int i = 0; i < 3; ++i) {
    Scene s = one(HEFT_SHAPE_BOX, 0.1, heft_vec3(0, 0, 0.1 - depth[i]), heft_quat_identity());
    const double force = wrench(&s).lin.z;
    assert_true(fabs(force / (k * 0.04 * depth[i]) - 1) < 1e-9);  // area 0.04 m²
    scene_close(&s);
  }
}

static void test_sphere_on_plane(void** state) {
  (void)state;
  static const double depth[] = {1e-4, 1e-3, 5e-3};
  for (int i = 0; i < 3; ++i) {
    const double d = depth[i];
    Scene s = one(HEFT_SHAPE_SPHERE, 0.1, heft_vec3(0, 0, 0.1 - d), heft_quat_identity());
    const double force = wrench(&s).lin.z;
    assert_true(fabs(force / (k * HEFT_PI * d * d * (0.1 - d / 3)) - 1) < 1e-9);
    scene_close(&s);
  }
}

// Two spheres of radii a and b: their lens, here from its two caps.
static void test_two_spheres(void** state) {
  (void)state;
  const double a = 0.1, b = 0.05, d = 2e-3, apart = a + b - d;
  Scene s = scene_open(heft_vec3(0, 0, 0), 0.001);
  HeftWorldDef world = heft_world_def_default();
  const int material = add_material(&s, 0, 0);
  add_free(&s, HEFT_SHAPE_SPHERE, a, 1, heft_vec3(0, 0, 0), material);
  add_free(&s, HEFT_SHAPE_SPHERE, b, 1, heft_vec3(0, 0, apart), material);
  world.contact_model = HEFT_CONTACT_MODEL_VOLUME;
  world.contact_options.stiffness = k;
  world.contact_options.damping = 0;
  scene_start_with(&s, &world);
  assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
  const double force = heft_world_contact_wrench(s.world, 2, heft_vec3(0, 0, 0)).lin.z;
  const double plane = (apart * apart + a * a - b * b) / (2 * apart);  // of the circle they share
  const double ha = a - plane, hb = b - (apart - plane);
  const double volume = HEFT_PI * ha * ha * (a - ha / 3) + HEFT_PI * hb * hb * (b - hb / 3);
  assert_true(fabs(force / (k * volume) - 1) < 1e-9);
  scene_close(&s);
}

// A box that is tilted about its middle: the half below is a wedge of depth θ x, of volume θ w b² /
// 2, whose centroid is at 2 b / 3.
static void test_tilted_box(void** state) {
  (void)state;
  const double b = 0.1, theta = 0.004;
  const double height = b * cos(theta);
  Scene s = one(HEFT_SHAPE_BOX, b, heft_vec3(0, 0, height),
                heft_quat_from_axis_angle(heft_vec3(0, 1, 0), theta));
  const HeftSpatial w = wrench(&s);
  const double force = k * theta * (2 * b) * b * b / 2;
  assert_true(fabs(w.lin.z / force - 1) < 0.01);
  assert_true(fabs(-w.ang.y / w.lin.z / (2 * b / 3) - 1) < 0.01);
  scene_close(&s);
}

// By default a falling box comes to rest, at the depth at which the volume carries it.
static void test_comes_to_rest(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0.2 * g, 0, -g), 0.001);
  HeftWorldDef world = heft_world_def_default();
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.12), material);
  world.contact_model = HEFT_CONTACT_MODEL_VOLUME;
  world.contact_options.stiffness = 5e5;
  scene_start_with(&s, &world);
  for (int i = 0; i < 3000; ++i)
    assert_int_equal(heft_world_step(s.world).status, HEFT_STEP_SOLVED);
  const double depth = 0.1 - heft_world_state(s.world)->q[2];
  assert_true(fabs(depth / (g / (5e5 * 0.04)) - 1) < 0.01);
  assert_true(fabs(heft_world_state(s.world)->v[0]) < 1e-3);
  scene_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_on_plane),  cmocka_unit_test(test_sphere_on_plane),
      cmocka_unit_test(test_two_spheres),   cmocka_unit_test(test_tilted_box),
      cmocka_unit_test(test_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
