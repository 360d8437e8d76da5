// SPDX-License-Identifier: Apache-2.0
// A simulation that shows a world of the caller's: it changes nothing by itself, a pull acts on the
// next step, commands that need a world of its own are refused with a word, a pause is waited for.
#include <heft/view.h>
#include <string.h>

#include "scenes/scenes.h"
#include "support/check.h"

static HeftModel* model;
static HeftWorld* world;
static HeftSimulation* passive;

static int open_all(void** state) {
  (void)state;
  model = scene_create("humanoid", NULL);
  if (heft_world_create(&world, model, NULL, NULL) != HEFT_OK) return 1;
  return heft_simulation_create_passive(&passive, model, NULL, NULL) != HEFT_OK;
}

static int close_all(void** state) {
  (void)state;
  heft_simulation_destroy(passive);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

// The latest frame, after one was due.
static const HeftViewFrame* frame_after(HeftStepReport* report) {
  const uint64_t until = heft_clock_ns() + 20000000u;
  do {
    *report = heft_world_step(world);
    heft_simulation_sync(passive, world, report);
  } while (heft_clock_ns() < until);
  return heft_simulation_frame(passive, NULL);
}

static void watching_changes_no_bit(void** state) {
  (void)state;
  HeftWorld* alone = NULL;
  assert_int_equal(heft_world_create(&alone, model, NULL, NULL), HEFT_OK);
  for (int i = 0; i < 300; ++i) {
    const HeftStepReport report = heft_world_step(world);
    heft_simulation_sync(passive, world, &report);
    heft_world_step(alone);
  }
  assert_true(heft_world_hash(world) == heft_world_hash(alone));
  heft_world_destroy(alone);
}

static void a_frame_shows_the_world(void** state) {
  (void)state;
  HeftStepReport report;
  const HeftViewFrame* f = frame_after(&report);
  assert_true(f->step > 0 && f->time > 0);
  assert_true(f->tally.steps == f->step);
  assert_int_equal(f->running, 1);
}

static void a_pull_acts(void** state) {
  (void)state;
  HeftStepReport report;
  HeftWorld* alone = NULL;
  const HeftGrab grab = {.body = 1, .target = {0, 0, 5}};
  assert_int_equal(heft_world_create(&alone, model, NULL, NULL), HEFT_OK);
  assert_true(heft_simulation_grab(passive, &grab));
  for (int i = 0; i < 100; ++i) {
    report = heft_world_step(world);
    heft_simulation_sync(passive, world, &report);
    heft_world_step(alone);
  }
  assert_true(heft_world_state(world)->q[2] > heft_world_state(alone)->q[2] + 0.01);
  assert_true(heft_vec3_norm(frame_after(&report)->grab_force) > 1);
  const HeftGrab none = {.body = -1};
  assert_true(heft_simulation_grab(passive, &none));
  assert_true(heft_vec3_norm(frame_after(&report)->grab_force) == 0);
  heft_world_destroy(alone);
}

static void what_is_impossible_is_told(void** state) {
  (void)state;
  HeftStepReport report;
  assert_true(heft_simulation_rewind(passive, 0));
  const HeftViewFrame* f = frame_after(&report);
  assert_non_null(strstr(f->trouble, "a program steps this world"));
  assert_true(f->time > 0);
}

static void a_pause_is_waited_for(void** state) {
  (void)state;
  HeftStepReport report;
  frame_after(&report);
  assert_true(heft_simulation_run(passive, 0));
  assert_false(heft_simulation_wait(passive, 0.02));
  assert_true(heft_simulation_step(passive, 1));
  assert_true(heft_simulation_wait(passive, 1));  // the one step
  assert_false(heft_simulation_wait(passive, 0.02));
  assert_true(heft_simulation_run(passive, 1));
  assert_true(heft_simulation_factor(passive, 1000));
  assert_true(heft_simulation_wait(passive, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(watching_changes_no_bit, open_all, close_all),
      cmocka_unit_test_setup_teardown(a_frame_shows_the_world, open_all, close_all),
      cmocka_unit_test_setup_teardown(a_pull_acts, open_all, close_all),
      cmocka_unit_test_setup_teardown(what_is_impossible_is_told, open_all, close_all),
      cmocka_unit_test_setup_teardown(a_pause_is_waited_for, open_all, close_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
