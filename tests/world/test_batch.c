// SPDX-License-Identifier: Apache-2.0
// Papers: R69.
// A batch moves as single worlds do, bit for bit, with any number of threads; worlds differ by
// their setup; they end and are reset one by one; a rollout is the same as its steps.
#include <heft/batch.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/failing_allocator.h"

enum { WORLDS = 9, STEPS = 60 };

static const char scene[] =
    "<mujoco><option timestep='0.002'/>"
    "<worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='cart' pos='0 0 0.11'><freejoint/>"
    "<geom type='box' size='0.2 0.1 0.1' mass='3'/>"
    "<body pos='0 0 0.15'><joint name='arm' axis='0 1 0' damping='0.1'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0.1' size='0.03' mass='1'/></body></body>"
    "<body name='ball' pos='0.5 0 0.3'><freejoint/>"
    "<geom type='sphere' size='0.08' mass='0.5'/></body></worldbody>"
    "<actuator><motor name='turn' joint='arm' gear='2'/></actuator>"
    "<sensor><jointpos joint='arm' noise='0.01'/></sensor>"
    "<keyframe><key name='bent' qpos='0 0 0.2 1 0 0 0 0.5 0.5 0 0.4 1 0 0 0' "
    "ctrl='0.3'/></keyframe>"
    "</mujoco>";

static HeftModel* model_of_scene(void) {
  HeftError error = {0};
  HeftModel* model = NULL;
  if (heft_model_load_bytes(&model, scene, strlen(scene), "scene", NULL, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  return model;
}

static double control_of(int index, int step) { return 3 * ((index * 7 + step * 3) % 11 - 5) / 5.; }

static HeftStatus vary(void* user, int index, HeftWorld* world, HeftError* error) {
  (void)user;
  HeftMaterial m = heft_world_material(world, 0);
  m.friction = m.kinetic = 0.1 + 0.1 * index;
  HeftStatus status = heft_world_set_material(world, 0, &m, error);
  if (status == HEFT_OK)
    status = heft_world_set_gravity(world, heft_vec3(0, 0, -9 - 0.2 * index), error);
  if (status == HEFT_OK)
    status = heft_world_set_mass_factors(world, 1, 1 + 0.1 * index, 1 + 0.1 * index, error);
  heft_world_set_seed(world, 100 + (uint64_t)index);
  return status;
}

static HeftBatch* batch_of(const HeftModel* model, int threads, HeftBatchSetup* setup) {
  HeftError error = {0};
  HeftBatch* batch = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = WORLDS;
  def.threads = threads;
  def.setup = setup;
  if (heft_batch_create(&batch, model, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  return batch;
}

// Hash and sensor of single worlds under the same controls.
static void single(const HeftModel* model, int index, int varied, uint64_t* hash, double* sensor) {
  HeftWorld* world = NULL;
  assert_int_equal(heft_world_create(&world, model, NULL, NULL), HEFT_OK);
  if (varied) {
    assert_int_equal(vary(NULL, index, world, NULL), HEFT_OK);
    heft_world_reset(world);
  }
  for (int k = 0; k < STEPS; ++k) {
    heft_world_controls(world)[0] = control_of(index, k);
    heft_world_step(world);
  }
  *hash = heft_world_hash(world);
  *sensor = heft_world_sensors(world)[0];
  heft_world_destroy(world);
}

static void moves_as_single_worlds(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  for (int varied = 0; varied < 2; ++varied) {
    for (int threads = 1; threads <= 3; ++threads) {
      HeftBatch* batch = batch_of(model, threads, varied ? vary : NULL);
      for (int k = 0; k < STEPS; ++k) {
        for (int i = 0; i < WORLDS; ++i) heft_batch_controls(batch)[i] = control_of(i, k);
        assert_int_equal(heft_batch_step(batch, 1, NULL), HEFT_OK);
      }
      for (int i = 0; i < WORLDS; ++i) {
        uint64_t hash = 0;
        double sensor = 0;
        single(model, i, varied, &hash, &sensor);
        assert_true(heft_batch_hash(batch, i) == hash);
        assert_true(heft_batch_sensors(batch)[i] == sensor);
        assert_int_equal(heft_batch_steps(batch)[i], STEPS);
        assert_int_equal(heft_batch_reports(batch)[i].status, HEFT_STEP_SOLVED);
      }
      assert_true(heft_batch_hash(batch, 0) != heft_batch_hash(batch, 1));
      heft_batch_destroy(batch);
    }
  }
  heft_model_destroy(model);
}

static void rollout_is_its_steps(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, rows = (size_t)WORLDS * STEPS;
  double* controls = calloc(rows, sizeof *controls);
  double* q = calloc(rows * nq, sizeof *q);
  double* v = calloc(rows * nv, sizeof *v);
  double* sensors = calloc(rows, sizeof *sensors);
  for (int i = 0; i < WORLDS; ++i) {
    for (int k = 0; k < STEPS; ++k) controls[i * STEPS + k] = control_of(i, k);
  }
  HeftBatch* batch = batch_of(model, 2, NULL);
  const HeftRollout rollout = {STEPS, controls, q, v, sensors};
  assert_int_equal(heft_batch_rollout(batch, &rollout, NULL), HEFT_OK);
  for (int i = 0; i < WORLDS; ++i) {
    uint64_t hash = 0;
    double sensor = 0;
    single(model, i, 0, &hash, &sensor);
    const size_t last = (size_t)i * STEPS + STEPS - 1;
    assert_true(heft_batch_hash(batch, i) == hash);
    assert_true(sensors[last] == sensor);
    assert_memory_equal(q + last * nq, heft_batch_q(batch) + (size_t)i * nq, nq * sizeof *q);
    assert_memory_equal(v + last * nv, heft_batch_v(batch) + (size_t)i * nv, nv * sizeof *v);
  }
  heft_batch_destroy(batch);
  heft_model_destroy(model);
  free(controls);
  free(q);
  free(v);
  free(sensors);
}

typedef struct Counts {
  int before[WORLDS], after[WORLDS];
} Counts;

static void push(void* user, int index, HeftWorld* world) {
  ++((Counts*)user)->before[index];
  heft_world_controls(world)[0] = 0.1 * index;
}

static bool ends_later(void* user, int index, HeftWorld* world, const HeftStepReport* report) {
  Counts* c = user;
  assert_true(report->contact_count >= 0 && heft_world_state(world)->time[0] > 0);
  return ++c->after[index] == 10 + index;
}

static void worlds_end_and_are_reset(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  Counts counts = {0};
  HeftBatch* batch = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = WORLDS;
  def.threads = 2;
  def.user = &counts;
  def.before = push;
  def.after = ends_later;
  assert_int_equal(heft_batch_create(&batch, model, &def, NULL), HEFT_OK);
  assert_int_equal(heft_batch_step(batch, 12, NULL), HEFT_OK);
  for (int i = 0; i < WORLDS; ++i) {
    const int steps = i < 2 ? 10 + i : 12;
    assert_int_equal(heft_batch_ended(batch)[i], i <= 2);
    assert_int_equal(heft_batch_steps(batch)[i], steps);
    assert_int_equal(counts.before[i], steps);
  }
  // the rows of a world that ended repeat its state
  double q[WORLDS][3][15];
  assert_int_equal(model->nq, 15);
  const HeftRollout rollout = {.steps = 3, .q = &q[0][0][0]};
  assert_int_equal(heft_batch_rollout(batch, &rollout, NULL), HEFT_OK);
  assert_memory_equal(q[0][0], q[0][2], sizeof q[0][0]);
  assert_memory_equal(q[0][0], heft_batch_q(batch), sizeof q[0][0]);
  assert_memory_not_equal(q[8][0], q[8][2], sizeof q[8][0]);

  const bool which[WORLDS] = {true};
  const int key = heft_model_find(model, HEFT_NAMED_KEY, "bent");
  assert_int_equal(heft_batch_reset(batch, which, key, NULL), HEFT_OK);
  assert_false(heft_batch_ended(batch)[0]);
  assert_true(heft_batch_ended(batch)[1]);
  assert_true(heft_batch_q(batch)[2] == 0.2 && heft_batch_controls(batch)[0] == 0.3);
  HeftError error = {0};
  assert_int_equal(heft_batch_reset(batch, NULL, 7, &error), HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "keyframe 7"));
  heft_batch_destroy(batch);
  heft_model_destroy(model);
}

static void one_world_is_read_and_changed(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  HeftBatch* batch = batch_of(model, 2, NULL);
  assert_int_equal(heft_batch_step(batch, 100, NULL), HEFT_OK);
  HeftWorld* world = heft_batch_world(batch, 3, NULL);
  assert_non_null(world);
  double q[15];
  memcpy(q, heft_world_state(world)->q, sizeof q);
  q[2] += 0.5;
  assert_int_equal(heft_world_set_q(world, 0, q, 15, NULL), HEFT_OK);
  assert_true(heft_batch_q(batch)[3 * 15 + 2] != q[2]);
  heft_batch_store(batch);
  assert_true(heft_batch_q(batch)[3 * 15 + 2] == q[2]);
  q[2] = 2;
  assert_int_equal(heft_batch_set_state(batch, 5, q, NULL, NULL), HEFT_OK);
  assert_true(heft_batch_q(batch)[5 * 15 + 2] == 2);
  q[2] = NAN;
  HeftError error = {0};
  assert_int_equal(heft_batch_set_state(batch, 5, q, NULL, &error), HEFT_ERR_VALUE);
  assert_true(heft_batch_q(batch)[5 * 15 + 2] == 2);
  heft_batch_destroy(batch);
  heft_model_destroy(model);
}

static bool stop_after_five(void* user, int index, HeftWorld* world, const HeftStepReport* report) {
  (void)world;
  (void)report;
  HeftBatch* batch = *(HeftBatch**)user;
  if (index == 0 && heft_batch_steps(batch)[0] == 5) heft_batch_stop(batch);
  return false;
}

static void a_long_rollout_can_be_stopped(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  HeftBatch* batch = NULL;
  HeftError error = {0};
  HeftBatchDef def = heft_batch_def_default();
  def.count = 2;
  def.user = &batch;
  def.after = stop_after_five;
  assert_int_equal(heft_batch_create(&batch, model, &def, NULL), HEFT_OK);
  assert_int_equal(heft_batch_step(batch, 1000000000, &error), HEFT_ERR_STOPPED);
  assert_int_equal(heft_batch_steps(batch)[0], 5);
  assert_int_equal(heft_batch_step(batch, 3, NULL), HEFT_OK);
  heft_batch_destroy(batch);
  heft_model_destroy(model);
}

static HeftStatus fails_for_some(void* user, int index, HeftWorld* world, HeftError* error) {
  const int* from = user;
  if (index < *from) return HEFT_OK;
  return heft_world_set_gravity(world, heft_vec3(0, 0, (double)NAN), error);
}

static void a_setup_that_fails_is_told(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  HeftBatch* batch = NULL;
  HeftError error = {0};
  int from = 100;
  HeftBatchDef def = heft_batch_def_default();
  def.count = WORLDS;
  def.threads = 3;
  def.user = &from;
  def.setup = fails_for_some;
  assert_int_equal(heft_batch_create(&batch, model, &def, &error), HEFT_OK);
  from = 4;
  assert_int_equal(heft_batch_step(batch, 2, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "gravity"));
  assert_int_equal(heft_batch_steps(batch)[3], 2);
  assert_int_equal(heft_batch_steps(batch)[4], 0);
  heft_batch_destroy(batch);
  from = 2;
  assert_int_equal(heft_batch_create(&batch, model, &def, &error), HEFT_ERR_VALUE);
  assert_null(batch);
  def.count = 0;
  assert_int_equal(heft_batch_create(&batch, model, &def, &error), HEFT_ERR_ARGUMENT);
  heft_model_destroy(model);
}

static HeftStatus start_higher(void* user, int index, HeftWorld* world, HeftError* error) {
  const double height = 1 + index;
  (void)user;
  if (index == 7)  // nothing is there
    return heft_world_set_q(world, 2, &(double){NAN}, 1, error);
  return heft_world_set_q(world, 2, &height, 1, error);
}

static void each_world_starts_where_it_is_told(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  HeftBatch* batch = NULL;
  HeftError error = {0};
  HeftBatchDef def = heft_batch_def_default();
  def.count = 7;
  def.threads = 2;
  def.start = start_higher;
  assert_int_equal(heft_batch_create(&batch, model, &def, &error), HEFT_OK);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 7; ++i) assert_true(heft_batch_q(batch)[i * model->nq + 2] == 1 + i);
    assert_int_equal(heft_batch_step(batch, 5, &error), HEFT_OK);
    for (int i = 0; i < 7; ++i) assert_true(heft_batch_q(batch)[i * model->nq + 2] < 1 + i);
    assert_int_equal(heft_batch_reset(batch, NULL, 0, &error), HEFT_OK);
  }
  heft_batch_destroy(batch);
  def.count = 8;
  assert_int_equal(heft_batch_create(&batch, model, &def, &error), HEFT_ERR_VALUE);
  heft_model_destroy(model);
}

static void memory_is_small_and_its_lack_is_told(void** state) {
  (void)state;
  HeftModel* model = model_of_scene();
  HeftBatch* batch = NULL;
  HeftBatchDef def = heft_batch_def_default();
  def.count = 1000;
  assert_int_equal(heft_batch_create(&batch, model, &def, NULL), HEFT_OK);
  assert_true(heft_batch_memory(batch) / 1000 < 30000);
  heft_batch_destroy(batch);
  for (int fails = 1; fails < 40; ++fails) {
    FailingAllocator failing = {.fail_at = fails};
    def = heft_batch_def_default();
    def.world.allocator = failing_allocator(&failing);
    def.count = 3;
    def.threads = 2;
    const HeftStatus status = heft_batch_create(&batch, model, &def, NULL);
    assert_true(status == HEFT_OK || status == HEFT_ERR_MEMORY);
    heft_batch_destroy(batch);
    assert_int_equal(failing.alive, 0);
    assert_int_equal(failing.mistakes, 0);
  }
  heft_model_destroy(model);
}

// ---- rays

enum { RAYS = 6 };

static HeftRays downward(const double (*from)[3], const double (*direction)[3]) {
  return (HeftRays){.frame = HEFT_NAMED_BODY,
                    .filter = heft_query_filter_all(),
                    .max_distance = HUGE_VAL,
                    .count = RAYS,
                    .from = from[0],
                    .direction = direction[0]};
}

static void rays_of_all_worlds(void** state) {
  (void)state;
  static const double down[RAYS][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, 1},
                                       {0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
  static const double from[RAYS][3] = {{0, 0, 2}, {0.5, 0, 2}, {3, 0, 2},
                                       {3, 0, 2}, {3, 3, 1},   {0.1, 0.05, 1}};
  double distance[2][WORLDS][RAYS], normal[WORLDS][RAYS][3];
  int shape[2][WORLDS][RAYS];
  const HeftRays rays = downward(from, down);
  HeftModel* model = model_of_scene();
  for (int t = 0; t < 2; ++t) {
    HeftBatch* batch = batch_of(model, 1 + 2 * t, vary);
    assert_int_equal(heft_batch_step(batch, STEPS, NULL), HEFT_OK);
    const uint64_t before = heft_batch_hash(batch, 3);
    assert_int_equal(
        heft_batch_rays(batch, &rays, distance[t][0], shape[t][0], t ? NULL : normal[0][0], NULL),
        HEFT_OK);
    assert_true(heft_batch_hash(batch, 3) == before);
    heft_batch_destroy(batch);
  }
  assert_memory_equal(distance[0], distance[1], sizeof distance[0]);
  assert_memory_equal(shape[0], shape[1], sizeof shape[0]);
  for (int i = 0; i < WORLDS; ++i) {
    assert_true(shape[0][i][2] == -1 && isinf(distance[0][i][2]));
    assert_true(distance[0][i][3] == 2 && distance[0][i][4] == 1 && normal[i][3][2] == 1);
    assert_true(shape[0][i][0] > 0 && distance[0][i][0] < 1.9);
  }
  heft_model_destroy(model);
}

static void wrong_rays_are_refused(void** state) {
  (void)state;
  static const double way[RAYS][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1},
                                      {0, 0, 1}, {0, 0, 1}, {0, 0, 2}};
  static const double from[RAYS][3] = {{0}};
  double distance[WORLDS * RAYS];
  HeftError error = {0};
  HeftModel* model = model_of_scene();
  HeftBatch* batch = batch_of(model, 2, NULL);
  HeftRays rays = downward(from, way);
  assert_int_equal(heft_batch_rays(batch, &rays, distance, NULL, NULL, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "ray 5"));
  rays.count = 5;
  assert_int_equal(heft_batch_rays(batch, &rays, distance, NULL, NULL, &error), HEFT_OK);
  rays.frame = HEFT_NAMED_CAMERA;
  assert_int_equal(heft_batch_rays(batch, &rays, distance, NULL, NULL, &error), HEFT_ERR_VALUE);
  rays.frame = HEFT_NAMED_JOINT;
  assert_int_equal(heft_batch_rays(batch, &rays, distance, NULL, NULL, &error), HEFT_ERR_VALUE);
  rays = downward(from, way);
  rays.max_distance = 0;
  assert_int_equal(heft_batch_rays(batch, &rays, distance, NULL, NULL, &error), HEFT_ERR_VALUE);
  heft_batch_destroy(batch);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_as_single_worlds),
      cmocka_unit_test(rollout_is_its_steps),
      cmocka_unit_test(worlds_end_and_are_reset),
      cmocka_unit_test(one_world_is_read_and_changed),
      cmocka_unit_test(a_long_rollout_can_be_stopped),
      cmocka_unit_test(a_setup_that_fails_is_told),
      cmocka_unit_test(each_world_starts_where_it_is_told),
      cmocka_unit_test(memory_is_small_and_its_lack_is_told),
      cmocka_unit_test(rays_of_all_worlds),
      cmocka_unit_test(wrong_rays_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
