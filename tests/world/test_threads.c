// SPDX-License-Identifier: Apache-2.0
// Threads: the same bits for any number of them.
#include "stage.h"

enum { STEPS = STAGE_SANITIZED ? 60 : 400 };

// A hash of everything that a run of a scene leaves behind, forces included.
static uint64_t run_scene(const char* scene, int threads) {
  HeftWorldDef def = stage_def(HEFT_INTEGRATOR_MOREAU, 0.002);
  def.threads = threads;
  Stage s = stage_open(scene, &def);
  uint64_t hash = 0;
  for (int k = 0; k < STEPS; ++k) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_int_equal(report.status, HEFT_STEP_SOLVED);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
    hash = heft_hash(&report.contact_work, sizeof report.contact_work, hash);
  }
  hash ^= heft_world_hash(s.world);
  stage_close(&s);
  return hash;
}

static void test_same_bits(void** state) {
  (void)state;
  static const char* const scenes[] = {"heap", "humanoid"};
  for (int i = 0; i < 2; ++i) {
    const uint64_t alone = run_scene(scenes[i], 1);
    for (int threads = 2; threads <= 8; threads += threads < 4 ? 1 : 4)
      assert_int_equal(run_scene(scenes[i], threads), alone);
  }
}

static void test_wrong_numbers_are_refused(void** state) {
  (void)state;
  HeftModel* model = scene_create("pendulum", NULL);
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  HeftError error = {0};
  def.threads = 0;
  assert_int_equal(heft_world_create(&world, model, &def, &error), HEFT_ERR_ARGUMENT);
  def.threads = 65;
  assert_int_equal(heft_world_create(&world, model, &def, &error), HEFT_ERR_ARGUMENT);
  assert_null(world);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
