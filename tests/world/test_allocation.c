// SPDX-License-Identifier: Apache-2.0
// Stepping takes no memory: shown twice. The def's allocator is counted, and malloc and its family
// are replaced for the whole program, so that no call can hide, ours or the C library's.
#include "world/stage.h"

// ---- the def's allocator

typedef struct Meter {
  long allocations, releases, bytes;
  long fail_at;  ///< this allocation gives NULL; 0: none
} Meter;

static void* meter_allocate(void* user, size_t size, size_t alignment) {
  Meter* m = user;
  if (++m->allocations == m->fail_at) return NULL;
  m->bytes += (long)size;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void meter_release(void* user, void* memory, size_t size) {
  Meter* m = user;
  ++m->releases;
  m->bytes -= (long)size;
  free(memory);
}

static HeftWorldDef metered_def(Meter* meter, int integrator) {
  HeftWorldDef def = heft_world_def_default();
  def.integrator = (HeftIntegrator)integrator;
  def.allocator = (HeftAllocator){meter_allocate, meter_release, meter};
  return def;
}

static void counted_allocator_rests_while_stepping(void** state) {
  (void)state;
  for (int k = 0; k < scene_count(); ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      Meter meter = {0};
      const HeftWorldDef def = metered_def(&meter, integrator);
      Stage s = stage_open(scene_name(k), &def);
      stage_shake(&s, 41, 0.5);
      const Meter before = meter;
      assert_true(before.allocations > 0);
      assert_int_equal(before.bytes, (long)heft_world_memory(s.world));
      void* bytes = malloc(heft_world_snapshot_size_max(s.world));
      size_t size = 0;
      for (int i = 0; i < 1000; ++i) {
        heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 1), heft_vec3(1e-3, 0, 0),
                                heft_vec3(0, 0, 0));
        stage_step(&s);
        if (i != 500) continue;
        size = heft_world_snapshot_size(s.world);
        assert_true(size <= heft_world_snapshot_size_max(s.world));
        heft_world_snapshot(s.world, bytes);
      }
      assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
      heft_world_reset(s.world);
      assert_memory_equal(&before, &meter, sizeof meter);
      free(bytes);
      stage_close(&s);
      assert_int_equal(meter.bytes, 0);
      assert_int_equal(meter.allocations, meter.releases);
    }
  }
}

// heft_world_memory() is the sum over all parts, with threads and with another contact model too.
static void memory_is_the_sum_of_all_parts(void** state) {
  (void)state;
  HeftModel* model = scene_create("chain", NULL);
  Meter meter = {0};
  HeftWorldDef def = metered_def(&meter, HEFT_INTEGRATOR_MOREAU);
  def.threads = 2;
  HeftWorld* world = NULL;
  assert_int_equal(heft_world_create(&world, model, &def, NULL), HEFT_OK);
  const long exact = meter.bytes;
  assert_int_equal(exact, (long)heft_world_memory(world));
  assert_int_equal(heft_world_set_contact_model(world, HEFT_CONTACT_MODEL_LCP, NULL, NULL),
                   HEFT_OK);
  assert_true(meter.bytes > exact);
  assert_int_equal(meter.bytes, (long)heft_world_memory(world));
  assert_int_equal(heft_world_set_contact_model(world, HEFT_CONTACT_MODEL_EXACT, NULL, NULL),
                   HEFT_OK);
  assert_int_equal(exact, (long)heft_world_memory(world));
  heft_world_destroy(world);
  assert_int_equal(meter.bytes, 0);
  heft_model_destroy(model);
}

// Every allocation of a world may fail: it says so, and gives back what it had.
static void out_of_memory_leaves_nothing_behind(void** state) {
  (void)state;
  HeftModel* model = scene_create("chain", NULL);
  for (long fail_at = 1; fail_at < 100; ++fail_at) {
    Meter meter = {.fail_at = fail_at};
    const HeftWorldDef def = metered_def(&meter, HEFT_INTEGRATOR_MOREAU);
    HeftWorld* world = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_world_create(&world, model, &def, &error);
    if (status == HEFT_OK) {
      assert_true(fail_at > 1);
      heft_world_destroy(world);
      assert_int_equal(meter.bytes, 0);
      heft_model_destroy(model);
      return;
    }
    assert_int_equal(status, HEFT_ERR_MEMORY);
    assert_int_equal(error.status, HEFT_ERR_MEMORY);
    assert_null(world);
    assert_int_equal(meter.bytes, 0);
  }
  fail_msg("a world takes more than 100 pieces of memory");
}

// ---- malloc itself

#if defined(__GLIBC__) && !STAGE_SANITIZED
// The names under which glibc's own functions can still be reached.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

static volatile long heap_calls;

void* malloc(size_t size) {
  ++heap_calls;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++heap_calls;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++heap_calls;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++heap_calls;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  ++heap_calls;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}
void free(void* memory) {
  ++heap_calls;
  __libc_free(memory);
}

static void heap_rests_while_stepping(void** state) {
  (void)state;
  for (int k = 0; k < scene_count(); ++k) {
    for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
      const long at_start = heap_calls;
      HeftWorldDef def = stage_def((HeftIntegrator)integrator, 0);
      Stage s = stage_open(scene_name(k), &def);
      stage_shake(&s, 42, 0.5);
      assert_true(heap_calls > at_start + 5);  // the counter counts
      const long before = heap_calls;
      int taken = 0;
      for (int i = 0; i < 1000; ++i) {
        heft_world_apply_wrench(s.world, 1, heft_vec3(0, 0, 1), heft_vec3(1e-3, 0, 0),
                                heft_vec3(0, 0, 0));
        taken += heft_step_taken(heft_world_step(s.world).status);
      }
      heft_world_joint_forces(s.world)[0] = NAN;
      const HeftStepStatus rolled = heft_world_step(s.world).status;
      const long calls = heap_calls - before;
      assert_int_equal(calls, 0);
      assert_int_equal(taken, 1000);
      assert_true(!heft_step_taken(rolled));
      stage_close(&s);
    }
  }
  printf(
      "malloc, calloc, realloc, aligned_alloc, posix_memalign, free: 0 calls in 1000 steps of each "
      "of %d scenes, by both integrators\n",
      scene_count());
}
#else
static void heap_rests_while_stepping(void** state) {
  (void)state;
  skip();  // the heap belongs to the sanitizer, or cannot be reached by other names
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counted_allocator_rests_while_stepping),
                                     cmocka_unit_test(memory_is_the_sum_of_all_parts),
                                     cmocka_unit_test(out_of_memory_leaves_nothing_behind),
                                     cmocka_unit_test(heap_rests_while_stepping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
