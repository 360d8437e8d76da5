// SPDX-License-Identifier: Apache-2.0
// Every contact model beside the exact one (test_golden.c) has the bits of golden_models.txt: each
// build runs this test, so they are those of all compilers and options.
//
//   test_world_model_golden --write        writes golden_models.txt, after a change that is meant
#include <heft/io.h>
#include <stdio.h>

#include "stage.h"

enum { STEPS = STAGE_SANITIZED ? 20 : 100, SCENES = 4 };

static const char* const scenes[SCENES] = {"slope", "table", "humanoid_8", "cubes"};
static const char golden[] = "tests/world/golden_models.txt";

static uint64_t run_with(const char* scene, HeftContactModel contact, int threads) {
  char path[64];
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  const HeftLoadDef load = heft_load_def_default();
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = contact;
  def.threads = threads;
  snprintf(path, sizeof path, "scenes/%s.xml", scene);
  if (heft_model_load_file(&model, path, &load, &error) != HEFT_OK) fail_msg("%s", error.message);
  if (heft_world_create(&world, model, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  uint64_t hash = 0;
  for (int i = 0; i < STEPS; ++i) {
    const HeftStepReport report = heft_world_step(world);
    const uint64_t now = heft_world_hash(world);
    hash = heft_hash(&now, sizeof now, hash);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
  }
  heft_world_destroy(world);
  heft_model_destroy(model);
  return hash;
}

static uint64_t run_scene(const char* scene, HeftContactModel contact) {
  return run_with(scene, contact, 1);
}

// Islands are shared out to threads under every model, with the same bits.
static void test_bits_with_threads(void** state) {
  (void)state;
  for (int k = HEFT_CONTACT_MODEL_PENALTY; k < HEFT_CONTACT_MODEL_COUNT; ++k)
    assert_true(run_with("cubes", (HeftContactModel)k, 3) ==
                run_scene("cubes", (HeftContactModel)k));
}

static uint64_t wanted(const char* scene, const char* model) {
  FILE* file = fopen(golden, "r");
  char names[2][64];
  unsigned long long hash = 0;
  if (!file) fail_msg("%s is not there", golden);
  while (fscanf(file, "%63s %63s %llx", names[0], names[1], &hash) == 3) {
    if (strcmp(names[0], scene) == 0 && strcmp(names[1], model) == 0) break;
    hash = 0;
  }
  fclose(file);
  return hash;
}

static void test_bits_of_models(void** state) {
  (void)state;
  for (int i = 0; i < SCENES; ++i) {
    for (int k = HEFT_CONTACT_MODEL_PENALTY; k < HEFT_CONTACT_MODEL_COUNT; ++k) {
      const char* name = heft_contact_model_name((HeftContactModel)k);
      const uint64_t hash = run_scene(scenes[i], (HeftContactModel)k);
      if (!STAGE_SANITIZED && hash != wanted(scenes[i], name))
        fail_msg("%s with %s has other bits: %016llx", scenes[i], name, (unsigned long long)hash);
    }
  }
}

// A humanoid on both feet is degenerate through and through: the pivots still end at a solution.
static void test_lcp_needs_no_help(void** state) {
  (void)state;
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  const HeftLoadDef load = heft_load_def_default();
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = HEFT_CONTACT_MODEL_LCP;
  assert_int_equal(heft_model_load_file(&model, "scenes/humanoid.xml", &load, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&world, model, &def, NULL), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    const HeftStepReport report = heft_world_step(world);
    assert_int_equal(report.fallbacks, 0);
    CHECK_AT_MOST(report.relative, 1e-9);
  }
  heft_world_destroy(world);
  heft_model_destroy(model);
}

static int write_golden(void) {
  FILE* file = fopen(golden, "w");
  if (!file) return 1;
  for (int i = 0; i < SCENES; ++i) {
    for (int k = HEFT_CONTACT_MODEL_PENALTY; k < HEFT_CONTACT_MODEL_COUNT; ++k)
      fprintf(file, "%s %s %016llx\n", scenes[i], heft_contact_model_name((HeftContactModel)k),
              (unsigned long long)run_scene(scenes[i], (HeftContactModel)k));
  }
  return fclose(file) != 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--write") == 0) return write_golden();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits_of_models),
                                     cmocka_unit_test(test_bits_with_threads),
                                     cmocka_unit_test(test_lcp_needs_no_help)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
