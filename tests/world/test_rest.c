// SPDX-License-Identifier: Apache-2.0
// Papers: U3.
// Rest and sleep with the settings that users get: bodies at rest do not move by a single bit, and
// a world that leaves sleeping islands alone has the bits of one that does not. Substeps,
// deadlines, and steps that are repeated by their work.
#include <string.h>

#include "contact_scene.h"
#include "stage.h"

enum { LONG_REST = STAGE_SANITIZED ? 5000 : 600000, RUN = STAGE_SANITIZED ? 200 : 3000 };

static void test_a_box_rests_without_a_bit_of_motion(void** state) {
  (void)state;
  const HeftWorldDef def = heft_world_def_default();
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  const int box = add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.101), material);
  scene_start_with(&s, &def);
  for (int i = 0; i < 1000; ++i) heft_world_step(s.world);
  const uint64_t hash = heft_world_hash(s.world);
  double q[7];
  memcpy(q, q_of(&s), sizeof q);
  const HeftVec3 before = heft_world_contact_wrench(s.world, box, heft_vec3(0, 0, 0)).lin;
  for (int i = 0; i < LONG_REST; ++i) heft_world_step(s.world);
  for (int i = 0; i < 6; ++i) assert_true(v_of(&s)[i] == 0);
  assert_memory_equal(q, q_of(&s), sizeof q);
  assert_int_not_equal(heft_world_hash(s.world), hash);  // time goes on
  const HeftVec3 after = heft_world_contact_wrench(s.world, box, heft_vec3(0, 0, 0)).lin;
  CHECK_AT_MOST(fabs(after.z - before.z), 0);
  CHECK_AT_MOST(fabs(after.z - g), 1e-6 * g);
  scene_close(&s);
}

static void test_a_block_on_a_slope_does_not_creep(void** state) {
  (void)state;
  const HeftWorldDef def = heft_world_def_default();
  const double slope = 0.98 * 0.5, down = g / sqrt(1 + slope * slope);
  Scene s = scene_open(heft_vec3(slope * down, 0, -down), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), material);
  scene_start_with(&s, &def);
  for (int i = 0; i < 1000; ++i) heft_world_step(s.world);
  double q[7];
  memcpy(q, q_of(&s), sizeof q);
  for (int i = 0; i < RUN; ++i) heft_world_step(s.world);
  assert_memory_equal(q, q_of(&s), sizeof q);
  scene_close(&s);
}

// At a loose tolerance the boxes of a pyramid tilt by a hair, and each pair may take turns in which
// face counts as the flat one. The touches keep their impulses all the same.
static void test_a_pyramid_keeps_its_impulses(void** state) {
  (void)state;
  enum { BASE = 8 };
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-4;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int row = 0; row < BASE; ++row) {
    for (int i = 0; i < BASE - row; ++i)
      add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0.21 * i + 0.105 * row, 0, 0.1 + 0.2 * row),
               material);
  }
  scene_start_with(&s, &def);
  int work = 0;
  for (int i = 0; i < 100; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    if (i >= 10) work += report.sweeps + report.newton_steps;
  }
  print_message("%d units of work in 90 steps\n", work);
  assert_true(work < 90 * 20);
  scene_close(&s);
}

// Runs a heap, pushes one body in between. Returns a hash of all states on the way.
static uint64_t run_heap(int sleep, int* slept) {
  HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, 0.002);
  def.sleep = sleep;
  Stage s = stage_open("heap", &def);
  uint64_t hash = 0;
  *slept = 0;
  for (int i = 0; i < RUN; ++i) {
    if (i == RUN / 2)
      heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 0.3), heft_vec3(60, 0, 0),
                              heft_vec3(0, 0, 0));
    const HeftStepReport report = heft_world_step(s.world);
    *slept += report.sleeping;
    const uint64_t now = heft_world_hash(s.world);
    hash = heft_hash(&now, sizeof now, hash);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
  }
  stage_close(&s);
  return hash;
}

static void test_sleep_changes_no_bit(void** state) {
  (void)state;
  int slept = 0, never = 0;
  assert_int_equal(run_heap(1, &slept), run_heap(0, &never));
  assert_int_equal(never, 0);
  print_message("heap: %d islands slept in %d steps\n", slept, RUN);
}

static void test_substeps_are_steps(void** state) {
  (void)state;
  HeftWorldDef whole = stage_def(HEFT_INTEGRATOR_MOREAU, 0.004), part = whole;
  whole.substeps = 4;
  part.time_step = 0.001;
  Stage a = stage_open("heap", &whole), b = stage_open("heap", &part);
  for (int i = 0; i < RUN / 10; ++i) {
    const HeftStepReport report = heft_world_step(a.world);
    double work = 0, worst = 0;
    for (int n = 0; n < 4; ++n) {
      const HeftStepReport piece = heft_world_step(b.world);
      work += piece.contact_work;
      worst = fmax(worst, piece.relative);
    }
    assert_int_equal(heft_world_hash(a.world), heft_world_hash(b.world));
    assert_true(report.relative == worst);
    CHECK_AT_MOST(fabs(report.contact_work - work), 1e-12 * (1 + fabs(work)));
  }
  stage_close(&a);
  stage_close(&b);
}

// A world in a hurry, and one that repeats what it did.
static void test_work_repeats_a_deadline(void** state) {
  (void)state;
  HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, 0.002);
  def.tolerance = 1e-10;
  Stage hurried = stage_open("heap", &def), repeated = stage_open("heap", &def);
  enum { HURRIED = RUN / 4 + 150 };  // the heap has landed
  int work[1024], cut = 0;
  for (int i = 0; i < HURRIED; ++i) {
    const HeftStepReport report =
        heft_world_step_until(hurried.world, heft_clock_ns() + (i % 7 == 0 ? 1 : 30000));
    const int count = heft_world_effort(hurried.world, work, 1024);
    assert_true(count <= 1024);
    const HeftStepReport again = heft_world_step_replay(repeated.world, work, count);
    assert_int_equal(heft_world_hash(hurried.world), heft_world_hash(repeated.world));
    assert_true(report.relative == again.relative);
    cut += report.relative > def.tolerance;
  }
  print_message("heap: %d of %d steps were cut by the clock, all repeated bit for bit\n", cut,
                HURRIED);
  assert_true(cut > 0);
  stage_close(&hurried);
  stage_close(&repeated);
}

// Deadlines that are over before a step begins: it is late and says by how much, but its impulses
// are looked for all the same, so that nothing sinks into anything.
static void test_late_steps_do_some_work(void** state) {
  (void)state;
  const HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, 0.002);
  Stage s = stage_open("heap", &def);
  assert_true(heft_world_min_step_ns(s.world) == 0);
  double deepest = 0;
  for (int i = 0; i < RUN / 2; ++i) {
    const uint64_t start = heft_clock_ns();
    const HeftStepReport report = heft_world_step_until(s.world, 1);
    const uint64_t took = heft_clock_ns() - start, min = heft_world_min_step_ns(s.world);
    assert_true(min > 0 && min <= took);
    deepest = fmax(deepest, report.penetration);
  }
  print_message("heap: deepest penetration %.2e m\n", deepest);
  CHECK_AT_MOST(deepest, 0.02);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_box_rests_without_a_bit_of_motion),
      cmocka_unit_test(test_a_block_on_a_slope_does_not_creep),
      cmocka_unit_test(test_a_pyramid_keeps_its_impulses),
      cmocka_unit_test(test_sleep_changes_no_bit),
      cmocka_unit_test(test_substeps_are_steps),
      cmocka_unit_test(test_work_repeats_a_deadline),
      cmocka_unit_test(test_late_steps_do_some_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
