// SPDX-License-Identifier: Apache-2.0
// Memory that runs out: whatever creates things is run again and again, with the first request
// refused, then the second, and so on until none is. Each time it must say HEFT_ERR_MEMORY, hand
// out nothing, and give back all it had taken.
#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/sample.h"

static HeftModel* m;
static unsigned char* saved;
static size_t saved_size;

static int make(void** state) {
  (void)state;
  m = sample_create(NULL, NULL);
  if (!m) return -1;
  saved_size = heft_model_save_size(m);
  saved = malloc(saved_size);
  if (!saved) return -1;
  heft_model_save(m, saved);
  return 0;
}

static int destroy(void** state) {
  (void)state;
  free(saved);
  heft_model_destroy(m);
  return 0;
}

// ---- what creates things: each returns a status, and destroys what it got

typedef HeftStatus Attempt(const HeftAllocator* allocator, HeftError* error);

static HeftStatus attempt_builder(const HeftAllocator* allocator, HeftError* error) {
  HeftBuilder* b = (HeftBuilder*)m;  // anything but NULL
  const HeftStatus status = heft_builder_create(&b, allocator, error);
  assert_true((status == HEFT_OK) == (b != NULL));
  heft_builder_destroy(b);
  return status;
}

// All adds and the finish. The add that fails returns -1, and so do all after it.
static HeftStatus attempt_model(const HeftAllocator* allocator, HeftError* error) {
  HeftBuilder* b = NULL;
  HeftModel* model = (HeftModel*)m;
  HeftStatus status = heft_builder_create(&b, allocator, error);
  if (status != HEFT_OK) return status;
  sample_fill(b);
  const HeftStatus so_far = heft_builder_status(b, NULL);
  const HeftBodyDef body = heft_body_def_default();
  if (so_far != HEFT_OK) assert_int_equal(heft_builder_add_body(b, &body), -1);
  status = heft_builder_finish(b, &model, error);
  assert_true((status == HEFT_OK) == (model != NULL));
  if (so_far != HEFT_OK) assert_int_equal(status, so_far);
  heft_builder_destroy(b);
  heft_model_destroy(model);
  return status;
}

static HeftStatus attempt_load(const HeftAllocator* allocator, HeftError* error) {
  HeftModel* model = m;
  const HeftStatus status = heft_model_load(&model, saved, saved_size, allocator, error);
  assert_true((status == HEFT_OK) == (model != NULL));
  heft_model_destroy(model);
  return status;
}

static HeftStatus attempt_state(const HeftAllocator* allocator, HeftError* error) {
  HeftState* s = (HeftState*)m;
  const HeftStatus status = heft_state_create(&s, m, allocator, error);
  assert_true((status == HEFT_OK) == (s != NULL));
  heft_state_destroy(s);
  return status;
}

static HeftStatus attempt_dynamics(const HeftAllocator* allocator, HeftError* error) {
  HeftDynamics* d = (HeftDynamics*)m;
  const HeftStatus status = heft_dynamics_create(&d, m, allocator, error);
  assert_true((status == HEFT_OK) == (d != NULL));
  heft_dynamics_destroy(d);
  return status;
}

static HeftStatus attempt_world(const HeftAllocator* allocator, HeftError* error) {
  HeftWorld* w = (HeftWorld*)m;
  HeftWorldDef def = heft_world_def_default();
  def.allocator = *allocator;
  const HeftStatus status = heft_world_create(&w, m, &def, error);
  assert_true((status == HEFT_OK) == (w != NULL));
  if (w) {  // stepping takes no memory
    const FailingAllocator* counter = allocator->user;
    const long before = counter->requests;
    heft_world_step(w);
    assert_int_equal(counter->requests, before);
  }
  heft_world_destroy(w);
  return status;
}

// ---- the campaign

static void run_out(Attempt* attempt, const char* name, int only_one) {
  long k = 1;
  for (;; ++k) {
    FailingAllocator counter = {.fail_at = k, .only_one = only_one};
    const HeftAllocator allocator = failing_allocator(&counter);
    HeftError error = {0};
    const HeftStatus status = attempt(&allocator, &error);
    assert_int_equal(counter.alive, 0);
    assert_int_equal(counter.bytes, 0);
    assert_int_equal(counter.mistakes, 0);
    if (counter.requests < k) {  // it asked no more often: this was the run that worked
      assert_int_equal(status, HEFT_OK);
      break;
    }
    if (status != HEFT_ERR_MEMORY || error.status != HEFT_ERR_MEMORY || !error.message[0])
      fail_msg("%s, request %ld: %s", name, k, heft_status_name(status));
    FailingAllocator again = {.fail_at = k, .only_one = only_one};
    const HeftAllocator silent = failing_allocator(&again);
    assert_int_equal(attempt(&silent, NULL), HEFT_ERR_MEMORY);
    assert_int_equal(again.alive, 0);
  }
  assert_true(k > 1);
  printf("  %s: %ld requests\n", name, k - 1);
}

static void test_memory_runs_out_for_good(void** state) {
  (void)state;
  run_out(attempt_builder, "builder", 0);
  run_out(attempt_model, "model", 0);
  run_out(attempt_load, "load", 0);
  run_out(attempt_state, "state", 0);
  run_out(attempt_dynamics, "dynamics", 0);
  run_out(attempt_world, "world", 0);
}

static void test_memory_is_refused_once(void** state) {
  (void)state;
  run_out(attempt_builder, "builder", 1);
  run_out(attempt_model, "model", 1);
  run_out(attempt_load, "load", 1);
  run_out(attempt_state, "state", 1);
  run_out(attempt_dynamics, "dynamics", 1);
  run_out(attempt_world, "world", 1);
}

// Memory full of rubbish gives the same model as memory full of zeros.
static void test_fresh_memory_may_hold_anything(void** state) {
  (void)state;
  FailingAllocator counter = {0};
  const HeftAllocator allocator = failing_allocator(&counter);
  HeftModel* dirty = sample_create(&allocator, NULL);
  assert_non_null(dirty);
  assert_true(heft_model_hash(dirty) == heft_model_hash(m));
  HeftWorldDef def = heft_world_def_default();
  def.allocator = allocator;
  HeftWorld *clean_world = NULL, *dirty_world = NULL;
  assert_int_equal(heft_world_create(&clean_world, m, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&dirty_world, dirty, &def, NULL), HEFT_OK);
  for (int i = 0; i < 20; ++i) {
    heft_world_step(clean_world);
    heft_world_step(dirty_world);
    assert_true(heft_world_hash(clean_world) == heft_world_hash(dirty_world));
  }
  heft_world_destroy(clean_world);
  heft_world_destroy(dirty_world);
  heft_model_destroy(dirty);
  assert_int_equal(counter.alive, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_runs_out_for_good),
      cmocka_unit_test(test_memory_is_refused_once),
      cmocka_unit_test(test_fresh_memory_may_hold_anything),
  };
  return cmocka_run_group_tests(tests, make, destroy);
}
