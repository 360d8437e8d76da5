// SPDX-License-Identifier: Apache-2.0
// Scenes from files have the bits of golden_scenes.txt: with gcc and clang, with and without
// optimisation (each build runs this test), with 1, 2 and 8 threads, and when a run is saved in its
// middle and goes on in another world.
//
//   test_world_golden --write        writes golden_scenes.txt, after a change that is meant
#include <heft/io.h>
#include <stdio.h>

#include "stage.h"

enum { STEPS = STAGE_SANITIZED ? 40 : 200, HALF = STEPS / 2, SCENES = 20 };

static const char* const scenes[SCENES] = {
    "slope",     "slide",     "roll",  "bounce", "cradle",     "rocking", "table",
    "cards",     "disk",      "stack", "chain",  "humanoid_8", "pinch",   "cubes",
    "quadruped", "balls_666", "cup",   "hook",   "ring_chain", "sole"};

static const char golden[] = "tests/world/golden_scenes.txt";

static HeftModel* load(const char* scene) {
  char path[64];
  HeftError error = {0};
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "scenes/%s.xml", scene);
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  return model;
}

static uint64_t run_steps(HeftWorld* world, int count, uint64_t hash) {
  for (int i = 0; i < count; ++i) {
    const HeftStepReport report = heft_world_step(world);
    const uint64_t now = heft_world_hash(world);
    hash = heft_hash(&now, sizeof now, hash);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
  }
  return hash;
}

// Half of a run, saved, and gone on with in another world.
static uint64_t run_scene(const HeftModel* model, int threads) {
  HeftWorldDef def = heft_world_def_default();
  def.threads = threads;
  HeftWorld *first = NULL, *second = NULL;
  assert_int_equal(heft_world_create(&first, model, &def, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&second, model, &def, NULL), HEFT_OK);
  uint64_t hash = run_steps(first, HALF, 0);
  const size_t size = heft_world_snapshot_size(first);
  void* bytes = malloc(size);
  heft_world_snapshot(first, bytes);
  assert_int_equal(heft_world_restore(second, bytes, size), HEFT_OK);
  free(bytes);
  hash = run_steps(second, STEPS - HALF, hash);
  heft_world_destroy(first);
  heft_world_destroy(second);
  return hash;
}

static uint64_t run_straight(const HeftModel* model) {
  HeftWorld* world = NULL;
  assert_int_equal(heft_world_create(&world, model, NULL, NULL), HEFT_OK);
  const uint64_t hash = run_steps(world, STEPS, 0);
  heft_world_destroy(world);
  return hash;
}

static uint64_t wanted(const char* scene) {
  FILE* file = fopen(golden, "r");
  char name[64];
  unsigned long long hash = 0;
  if (!file) fail_msg("%s is not there", golden);
  while (fscanf(file, "%63s %llx", name, &hash) == 2) {
    if (strcmp(name, scene) == 0) break;
    hash = 0;
  }
  fclose(file);
  return hash;
}

static void test_bits_of_scenes(void** state) {
  (void)state;
  for (int i = 0; i < SCENES; ++i) {
    HeftModel* model = load(scenes[i]);
    const uint64_t straight = run_straight(model);
    for (int threads = 1; threads <= 8; threads *= threads == 1 ? 2 : 4) {
      if (run_scene(model, threads) != straight)
        fail_msg("%s has other bits with %d threads, saved in its middle", scenes[i], threads);
    }
    if (!STAGE_SANITIZED && straight != wanted(scenes[i]))
      fail_msg("%s has the hash %016llx, golden_scenes.txt another", scenes[i],
               (unsigned long long)straight);
    heft_model_destroy(model);
  }
}

static int write_golden(void) {
  FILE* file = fopen(golden, "w");
  if (!file) return 1;
  for (int i = 0; i < SCENES; ++i) {
    HeftModel* model = load(scenes[i]);
    fprintf(file, "%-12s %016llx\n", scenes[i], (unsigned long long)run_straight(model));
    heft_model_destroy(model);
  }
  return fclose(file) != 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "--write") == 0) return write_golden();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits_of_scenes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
