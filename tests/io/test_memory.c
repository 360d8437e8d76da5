// SPDX-License-Identifier: Apache-2.0
// Memory that runs out: every allocation of a load fails once, in the allocator of the def and in
// the C library's heap that expat and qhull use. The load must say so, give everything back, and
// not crash.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/io.h>
#include <cmocka.h>

#include "io/context.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

typedef struct Counter {
  long count, fail_at, live;
} Counter;

// The C library's heap, for what the libraries below take. glibc lets a program put its own
// functions in front.
#if !defined(SANITIZED) && defined(__GLIBC__)
#define HEAP_CAN_FAIL 1
void* __libc_malloc(size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_calloc(size_t count, size_t size);
void __libc_free(void* memory);
static long heap_count, heap_fail_at = -1, heap_live;
static int heap_armed;

static int heap_fails(void) { return heap_armed && heap_count++ == heap_fail_at; }

#define IN_FRONT __attribute__((visibility("default")))

IN_FRONT void* malloc(size_t size) {
  if (heap_fails()) return NULL;
  heap_live += heap_armed;
  return __libc_malloc(size);
}
IN_FRONT void* calloc(size_t count, size_t size) {
  if (heap_fails()) return NULL;
  heap_live += heap_armed;
  return __libc_calloc(count, size);
}
IN_FRONT void* realloc(void* memory, size_t size) {
  if (heap_fails()) return NULL;
  heap_live += heap_armed && !memory;
  return __libc_realloc(memory, size);
}
IN_FRONT void free(void* memory) {
  heap_live -= heap_armed && memory;
  __libc_free(memory);
}
#endif

static void* take(void* user, size_t size, size_t alignment) {
  Counter* c = user;
  if (c->count++ == c->fail_at) return NULL;
  ++c->live;
#ifdef HEAP_CAN_FAIL
  heap_live += heap_armed;  // aligned_alloc is not counted, free is
#endif
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void* user, void* memory, size_t size) {
  (void)size;
  --((Counter*)user)->live;
  free(memory);
}

static char* read_text(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  char* text = malloc(1 << 16);
  *size = fread(text, 1, (1 << 16) - 1, file);
  text[*size] = '\0';
  fclose(file);
  return text;
}

static HeftStatus small_file(void* user, const char* path, size_t limit,
                             const HeftAllocator* allocator, void** out, size_t* size,
                             HeftError* error) {
  (void)user, (void)limit;
  static const char obj[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  static const char more[] =
      "<mujoco><worldbody><body name='b'><joint/><geom size='1'/></body></worldbody></mujoco>";
  static const char nothing[] = "<mujocoinclude/>";
  const char* text = strstr(path, ".obj") ? obj : strstr(path, ".m") ? more : nothing;
  if (strstr(path, "more.xml")) text = nothing;
  *size = strlen(text);
  char* bytes = allocator->allocate(allocator->user, *size + 1, 64);
  if (bytes) {
    memcpy(bytes, text, *size + 1);
  } else {
    error->status = HEFT_ERR_MEMORY;
    snprintf(error->message, sizeof error->message, "no memory");
  }
  *out = bytes;
  return bytes ? HEFT_OK : HEFT_ERR_MEMORY;
}

static HeftLoadDef make_def(Counter* counter) {
  static const HeftFiles files = {small_file, NULL};
  static const HeftPackage packages[] = {{"", "p"}};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  def.packages = packages;
  def.package_count = 1;
  def.allocator = (HeftAllocator){take, give_back, counter};
  return def;
}

static const char* const inputs[] = {HEFT_SOURCE_DIR "/tests/fuzz/corpus/mjcf/everything.xml",
                                     HEFT_SOURCE_DIR "/tests/fuzz/corpus/urdf/everything.urdf"};

static void test_allocator_fails_at_every_k(void** state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    size_t size;
    char* text = read_text(inputs[i], &size);
    long k = 0;
    for (;; ++k) {
      Counter counter = {.fail_at = k};
      const HeftLoadDef def = make_def(&counter);
      HeftModel* model = NULL;
      HeftError error = {0};
      const HeftStatus status = heft_model_load_bytes(&model, text, size, "x", &def, &error);
      if (status == HEFT_OK) {
        heft_model_destroy(model);
        assert_int_equal(counter.live, 0);
        break;
      }
      if (status != HEFT_ERR_MEMORY) fail_msg("allocation %ld: %s", k, error.message);
      assert_null(model);
      assert_int_equal(counter.live, 0);
    }
    print_message("%ld allocations failed one by one\n", k);
    assert_true(k > 5);
    free(text);
  }
}

// A list that cannot grow: there is no memory, or the limit of the load is reached.
static void test_list_tells_why_it_cannot_grow(void** state) {
  (void)state;
  for (int limited = 0; limited < 2; ++limited) {
    Counter counter = {.fail_at = limited ? -1 : 0};
    HeftLoadDef def = make_def(&counter);
    if (limited) def.limits.total_bytes = 100;
    HeftError error = {0};
    Load load;
    load_open(&load, &def, &error);
    Grow list = {0};
    assert_null(load_grow(&load, &list, 64));
    assert_int_equal(load.status, limited ? HEFT_ERR_LIMIT : HEFT_ERR_MEMORY);
    region_release(&load.region);
  }
}

static void test_heap_fails_at_every_k(void** state) {
  (void)state;
#ifdef HEAP_CAN_FAIL
  for (int i = 0; i < 2; ++i) {
    size_t size;
    char* text = read_text(inputs[i], &size);
    long k = 0;
    int forgotten = 0;
    for (;; ++k) {
      static Counter counter;
      counter = (Counter){.fail_at = -1};
      const HeftLoadDef def = make_def(&counter);
      HeftModel* model = NULL;
      HeftError error = {0};
      heap_count = heap_live = 0;
      heap_fail_at = k;
      heap_armed = 1;
      const HeftStatus status = heft_model_load_bytes(&model, text, size, "x", &def, &error);
      const long failed = heap_count > k;
      heft_model_destroy(model);
      heap_armed = 0;
      if (counter.live != 0) fail_msg("heap allocation %ld: %ld blocks are left", k, counter.live);
      // qhull 2020.2 forgets one small table of its own when memory runs out while it is setting
      // itself up
      forgotten += heap_live == 1;
      if (heap_live < 0 || heap_live > 1)
        fail_msg("heap allocation %ld: %ld blocks of the heap are left", k, heap_live);
      if (!failed) break;
      if (status != HEFT_OK && status != HEFT_ERR_MEMORY)
        fail_msg("heap allocation %ld: %s", k, error.message);
    }
    print_message("%ld allocations of the heap failed one by one; qhull forgot a block %d times\n",
                  k, forgotten);
    assert_true(forgotten <= 8);
    free(text);
  }
#else
  print_message("a sanitizer owns the heap here\n");
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_allocator_fails_at_every_k),
      cmocka_unit_test(test_list_tells_why_it_cannot_grow),
      cmocka_unit_test(test_heap_fails_at_every_k),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
