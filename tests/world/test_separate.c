// SPDX-License-Identifier: Apache-2.0
// Many free bodies that begin inside of each other: they come apart without being thrown.
#include <math.h>

#include "contact_scene.h"

enum { SIDE = 5, BALLS = SIDE * SIDE * SIDE, STEPS = 60 };

static const double radius = 0.1, depth = 1e-3;

// A lattice of balls that overlap by `depth`, without weight; the masses differ by up to ten.
static Scene open_lattice(void) {
  const double spacing = 2 * radius - depth;
  HeftWorldDef def = heft_world_def_default();
  Scene s = scene_open(heft_vec3(0, 0, 0), 0.001);
  const int material = add_material(&s, 0.5, 0);
  for (int i = 0; i < BALLS; ++i)
    add_free(
        &s, HEFT_SHAPE_SPHERE, radius, 1 + i % 10,
        heft_vec3(spacing * (i % SIDE), spacing * (i / SIDE % SIDE), spacing * (i / (SIDE * SIDE))),
        material);
  scene_start_with(&s, &def);
  return s;
}

static HeftVec3 centre_of_mass(const Scene* s) {
  HeftVec3 sum = heft_vec3(0, 0, 0);
  for (int i = 0; i < BALLS; ++i) {
    const double* q = heft_world_state(s->world)->q + 7L * i;
    sum = heft_vec3_add(sum, heft_vec3_scale(1 + i % 10, heft_vec3_from(q)));
  }
  return heft_vec3_scale(1.0 / (5.5 * BALLS), sum);
}

static void test_apart_without_speed(void** state) {
  (void)state;
  Scene s = open_lattice();
  const HeftVec3 before = centre_of_mass(&s);
  HeftStepReport report = heft_world_step(s.world);
  assert_true(fabs(report.penetration - depth) < 1e-9);
  assert_true(report.contact_count == 3 * SIDE * SIDE * (SIDE - 1) && report.islands == 1);
  for (int k = 1; k < STEPS; ++k) {
    const double last = report.penetration;
    report = heft_world_step(s.world);
    assert_true(report.penetration <= last);
    assert_true(report.kinetic < 1e-20);
  }
  assert_true(report.penetration < 0.01 * depth);
  const HeftVec3 moved = heft_vec3_sub(centre_of_mass(&s), before);
  assert_true(heft_vec3_norm(moved) < 1e-12);
  scene_close(&s);
}

// What the clock cut is repeated by spending the same work again.
static void test_apart_again(void** state) {
  (void)state;
  Scene a = open_lattice(), b = open_lattice();
  for (int k = 0; k < STEPS / 4; ++k) {
    int work[2 * BALLS];
    heft_world_step_until(a.world, heft_clock_ns() + 1000U * (unsigned)(1 + 40 * k));
    const int count = heft_world_effort(a.world, work, 2 * BALLS);
    assert_true(count <= 2 * BALLS);
    heft_world_step_replay(b.world, work, count);
    assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
  }
  scene_close(&a);
  scene_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_apart_without_speed),
      cmocka_unit_test(test_apart_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
