// SPDX-License-Identifier: Apache-2.0
// Small files that ask for much. Each is refused by the budget of the load, or takes little: a load
// of files of less than 10 MB uses at most 256 MB. The time is bounded loosely, because the machine
// may be slow; without a budget most of these files take minutes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
// after the above
#include <heft/io.h>
#include <cmocka.h>

static const double most_bytes = 256e6, most_seconds = 20;

// ---- text that grows

typedef struct Text {
  char* text;
  size_t size, room;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  if (t->room - t->size < 1024) {
    t->room = 2 * t->room + 4096;
    t->text = realloc(t->text, t->room);
    assert_non_null(t->text);
  }
  va_list arguments;
  va_start(arguments, format);
  t->size += (size_t)vsnprintf(t->text + t->size, 1024, format, arguments);
  va_end(arguments);
}

static void put_times(Text* t, int count, const char* text) {
  for (int i = 0; i < count; ++i) put(t, "%s", text);
}

// ---- a load with memory that is counted

typedef struct Count {
  double bytes, peak;
} Count;

static void* take(void* user, size_t size, size_t alignment) {
  Count* count = user;
  count->bytes += (double)size;
  if (count->bytes > count->peak) count->peak = count->bytes;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void* user, void* memory, size_t size) {
  Count* count = user;
  if (memory) count->bytes -= (double)size;
  free(memory);
}

// Files that include each other: main includes b 300 times, b includes c 300 times, c is long.
static HeftStatus read_include(void* user, const char* path, size_t limit,
                               const HeftAllocator* allocator, void** bytes, size_t* size,
                               HeftError* error) {
  (void)user, (void)limit, (void)error;
  Text t = {0};
  put(&t, "<mujocoinclude>");
  if (strchr(path, 'b')) {
    put_times(&t, 300, "<include file='c'/>");
  } else {
    put(&t, "<!--");
    put_times(&t, 20000, "xxxxx");
    put(&t, "-->");
  }
  put(&t, "</mujocoinclude>");
  *bytes = allocator->allocate(allocator->user, t.size + 1, 64);
  *size = t.size;
  if (*bytes) memcpy(*bytes, t.text, t.size + 1);
  free(t.text);
  return *bytes ? HEFT_OK : HEFT_ERR_MEMORY;
}

static int warnings;
static void count_warning(void* user, const HeftError* error, int count) {
  (void)user, (void)error, (void)count;
  ++warnings;
}

// Loads and releases; `expected` is a word of the message, or NULL for a model that is good.
static void expect(const char* what, Text* t, const char* expected) {
  const HeftFiles files = {.read = read_include};
  Count count = {0};
  HeftLoadDef def = heft_load_def_default();
  def.allocator = (HeftAllocator){take, give_back, &count};
  def.files = &files;
  def.warning = count_warning;
  HeftModel* model = NULL;
  HeftError error = {0};
  warnings = 0;
  const clock_t start = clock();
  const HeftStatus status = heft_model_load_bytes(&model, t->text, t->size, "x", &def, &error);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  heft_model_destroy(model);
  print_message("%-12s %7zu bytes, %6.1f MB, %5.2f s, %.90s\n", what, t->size, count.peak / 1e6,
                seconds, status == HEFT_OK ? "good" : error.message);
  free(t->text);
  *t = (Text){0};
  assert_true(count.bytes == 0);
  assert_true(count.peak < most_bytes);
  assert_true(seconds < most_seconds);
  assert_int_equal(status, expected ? HEFT_ERR_LIMIT : HEFT_OK);
  if (expected) assert_non_null(strstr(error.message, expected));
}

static void test_copies(void** state) {
  (void)state;
  Text t = {0};
  put(&t, "<mujoco>");
  put_times(&t, 300, "<include file='b'/>");
  put(&t, "</mujoco>");
  expect("includes", &t, "work");
  put(&t, "<mujoco><worldbody>");
  put_times(&t, 2, "<replicate count='2000'>");
  put(&t, "<geom size='1'/></replicate></replicate></worldbody></mujoco>");
  expect("replicates", &t, "limit");
  put(&t, "<mujoco><default>");
  for (int i = 0; i < 500; ++i) put(&t, "<default class='c%d'><geom size='1'/>", i);
  put_times(&t, 501, "</default>");
  put(&t, "<worldbody>");
  put_times(&t, 30000, "<geom class='c499'/>");
  put(&t, "</worldbody></mujoco>");
  expect("classes", &t, "work");
  put(&t, "<mujoco><worldbody>");
  put_times(&t, 1000, "<body><freejoint/><geom size='1'/></body>");
  put(&t, "</worldbody><keyframe>");
  put_times(&t, 30000, "<key/>");
  put(&t, "</keyframe></mujoco>");
  expect("keyframes", &t, "limit");
  put(&t, "<mujoco><asset>");
  for (int i = 0; i < 9; ++i)
    put(&t, "<hfield name='h%d' nrow='4096' ncol='4096' size='1 1 1 1'/>", i);
  put(&t, "</asset></mujoco>");
  expect("heights", &t, "total_bytes");
}

static void put_circle(Text* t, int corners) {
  put(t, "<mujoco><asset><mesh name='m' vertex='");
  for (int i = 0; i < corners; ++i)
    put(t, "%.9g %.9g 0 ", cos(6.283185307179586 * i / corners),
        sin(6.283185307179586 * i / corners));
  put(t, "0 0 0.1'/></asset><worldbody>");
}

static void test_meshes(void** state) {
  (void)state;
  Text t = {0};
  put_circle(&t, 20000);
  put(&t, "<body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  expect("circle", &t, "hull");
  put(&t, "<mujoco><asset>");
  for (int i = 0; i < 60000; ++i) put(&t, "<mesh name='m%d' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>", i);
  put(&t, "</asset><worldbody>");
  for (int i = 0; i < 60000; ++i) put(&t, "<geom type='mesh' mesh='m%d'/>", i);
  put(&t, "</worldbody></mujoco>");
  expect("hulls", &t, "limit");
  put_circle(&t, 1000);
  put_times(&t, 3000, "<body><freejoint/><geom type='mesh' mesh='m'/></body>");
  put(&t, "</worldbody></mujoco>");
  expect("one mesh", &t, NULL);
}

static void test_names(void** state) {
  (void)state;
  Text t = {0};
  put(&t, "<robot name='r'>");
  for (int i = 0; i < 20000; ++i) put(&t, "<link name='l%d'/>", i);
  for (int i = 19999; i > 0; --i)
    put(&t, "<joint name='j%d' type='fixed'><parent link='l%d'/><child link='l%d'/></joint>", i,
        i / 2, i);
  put(&t, "</robot>");
  expect("links", &t, NULL);
  put(&t, "<mujoco><default>");
  for (int i = 0; i < 20000; ++i) put(&t, "<default class='c%d'/>", i);
  put(&t, "</default><worldbody>");
  for (int i = 0; i < 20000; ++i) put(&t, "<geom class='c%d' size='1'/>", 19999 - i);
  put(&t, "</worldbody></mujoco>");
  expect("class names", &t, NULL);
  put(&t, "<mujoco><worldbody>");
  for (int i = 0; i < 20000; ++i) put(&t, "<geom size='1' a%d='1'/>", i);
  put(&t, "</worldbody></mujoco>");
  expect("warnings", &t, NULL);
  assert_int_equal(warnings, 1000);
}

// The same files are good if the user lifts the limits.
static void test_unlimited(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><replicate count='300'><replicate count='400'><geom size='1'/>"
      "</replicate></replicate></worldbody></mujoco>";
  HeftModel* model = NULL;
  HeftError error = {0};
  HeftLoadDef def = heft_load_def_default();
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x", &def, &error),
                   HEFT_ERR_LIMIT);
  assert_null(model);
  def.limits.work = (double)INFINITY;
  def.limits.total_bytes = SIZE_MAX;
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x", &def, &error), HEFT_OK);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_meshes),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_unlimited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
