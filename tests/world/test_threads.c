// SPDX-License-Identifier: Apache-2.0
// Papers: R18, S2.
// Threads: the same bits for any number of them.
#include "contact_scene.h"
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

// A wall two rows high is one island, so large that all threads work on its colours.
static uint64_t run_wall(int threads) {
  enum { BASE = 150, ROWS = 2, STEPS_OF_WALL = 3 };
  HeftWorldDef def = heft_world_def_default();
  def.threads = threads;
  def.effort_max = 60;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int row = 0; row < ROWS; ++row) {
    for (int i = 0; i < BASE - row; ++i)
      add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0.21 * i + 0.105 * row, 0, 0.1 + 0.2 * row),
               material);
  }
  scene_start_with(&s, &def);
  uint64_t hash = 0;
  for (int i = 0; i < STEPS_OF_WALL; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_true(report.contact_count >= 1024 && report.islands == 1);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
  }
  hash ^= heft_world_hash(s.world);
  scene_close(&s);
  return hash;
}

static void test_same_bits_in_one_large_island(void** state) {
  (void)state;
  const uint64_t alone = run_wall(1);
  assert_int_equal(run_wall(2), alone);
  assert_int_equal(run_wall(3), alone);
}

// Balls that lie in the hollows between balls: one island of free bodies, whose sweeps and position
// correction threads share by domains. Speeds of several margins per step are swept.
static uint64_t run_balls(int side, int threads) {
  enum { STEPS_OF_BALLS = STAGE_SANITIZED ? 2 : 4, SIDE_MAX = 32 };
  HeftWorldDef def = heft_world_def_default();
  def.threads = threads;
  def.tolerance = 1e-3;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  int count = 0;
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i < (side - layer) * (side - layer); ++i, ++count)
      add_free(
          &s, HEFT_SHAPE_SPHERE, 0.1, 1,
          heft_vec3(0.205 * (i % (side - layer)) + 0.1025 * layer,
                    0.205 * (double)(i / (side - layer)) + 0.1025 * layer, 0.1 + 0.137 * layer),
          material);
  }
  scene_start_with(&s, &def);
  static double v[12 * SIDE_MAX * SIDE_MAX];
  for (int i = 0; i < count; ++i) v[6 * i + i % 3] = 0.2 * (i % 7 - 3);
  assert_int_equal(heft_world_set_v(s.world, 0, v, 6 * count, NULL), HEFT_OK);
  uint64_t hash = 0;
  for (int i = 0; i < STEPS_OF_BALLS; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    assert_true(report.contact_count >= 4 * (side - 2) * (side - 2));
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
    hash = heft_hash(&report.energy_change, sizeof report.energy_change, hash);
  }
  hash ^= heft_world_hash(s.world);
  scene_close(&s);
  return hash;
}

static void test_same_bits_of_a_heap(void** state) {
  (void)state;
  static const int sides[] = {17, 31};  // two domains, and four
  for (int i = 0; i < 2; ++i) {
    const uint64_t alone = run_balls(sides[i], 1);
    assert_int_equal(run_balls(sides[i], 2), alone);
    assert_int_equal(run_balls(sides[i], 4), alone);
  }
}

// Boxes that slide apart and tumble: many islands and trees, so that all stages of a step are
// shared: kinematics, collision, rows, dynamics, islands.
static uint64_t run_many(HeftShapeType type, int threads, int* dropped) {
  enum { SIDE = 16, STEPS_OF_MANY = STAGE_SANITIZED ? 3 : 6 };
  HeftWorldDef def = heft_world_def_default();
  def.threads = threads;
  def.contact_capacity = dropped ? 500 : 0;
  def.effort_max = 60;
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  const int material = add_material(&s, 0.5, type == HEFT_SHAPE_BOX ? 0.3 : 0);
  add_floor(&s, material);
  for (int i = 0; i < 2 * SIDE * SIDE; ++i)
    add_free(&s, type, 0.1, 1,
             heft_vec3(0.205 * (i % SIDE) + 0.02 * (double)(i / (SIDE * SIDE)),
                       0.205 * (double)(i / SIDE % SIDE), 0.1 + 0.2 * (double)(i / (SIDE * SIDE))),
             material);
  scene_start_with(&s, &def);
  double v[12 * SIDE * SIDE] = {0};
  for (int i = 0; i < 2 * SIDE * SIDE; ++i) v[6 * i + i % 3] = 0.1 * (i % 7 - 3);
  assert_int_equal(heft_world_set_v(s.world, 0, v, 12 * SIDE * SIDE, NULL), HEFT_OK);
  uint64_t hash = 0;
  int most = 0;
  for (int i = 0; i < STEPS_OF_MANY; ++i) {
    const HeftStepReport report = heft_world_step(s.world);
    hash = heft_hash(&report.relative, sizeof report.relative, hash);
    hash = heft_hash(&report.energy_change, sizeof report.energy_change, hash);
    most = report.contact_count > most ? report.contact_count : most;
    if (dropped) *dropped += report.contact_dropped;
  }
  assert_true(most >= (dropped ? 500 : 2 * SIDE * SIDE));
  hash ^= heft_world_hash(s.world);
  scene_close(&s);
  return hash;
}

static void test_same_bits_of_many_bodies(void** state) {
  (void)state;
  static const HeftShapeType types[] = {HEFT_SHAPE_BOX, HEFT_SHAPE_SPHERE};
  for (int i = 0; i < 2; ++i) {
    const uint64_t alone = run_many(types[i], 1, NULL);
    assert_int_equal(run_many(types[i], 2, NULL), alone);
    assert_int_equal(run_many(types[i], 5, NULL), alone);
  }
}

// Contact points beyond the capacity are dropped the same way.
static void test_same_bits_when_contact_points_are_dropped(void** state) {
  (void)state;
  int dropped = 0, again = 0;
  const uint64_t alone = run_many(HEFT_SHAPE_BOX, 1, &dropped);
  assert_true(dropped > 0);
  assert_int_equal(run_many(HEFT_SHAPE_BOX, 3, &again), alone);
  assert_int_equal(again, dropped);
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
      cmocka_unit_test(test_same_bits_in_one_large_island),
      cmocka_unit_test(test_same_bits_of_a_heap),
      cmocka_unit_test(test_same_bits_of_many_bodies),
      cmocka_unit_test(test_same_bits_when_contact_points_are_dropped),
      cmocka_unit_test(test_wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
