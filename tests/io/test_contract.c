// SPDX-License-Identifier: Apache-2.0
// Every public function of io with NULL, wrong indices and defs that lack functions: each calls the
// assert hook or returns a status with a message, none crashes, in release builds too.
#include <heft/io.h>
#include <string.h>

#include "support/check.h"

static int hook_calls;

static void count_hook(const char* condition, const char* file, int line) {
  (void)condition, (void)file, (void)line;
  ++hook_calls;
}

static int begin(void** state) {
  (void)state;
  hook_calls = 0;
  heft_assert_set_hook(count_hook);
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_assert_set_hook(NULL);
  return 0;
}

// One mistake: `calls` calls of the hook since the last one, and a message that contains `text`.
static void expect(HeftStatus status, const HeftError* error, int calls, const char* text) {
  assert_int_equal(status, HEFT_ERR_ARGUMENT);
  assert_int_equal(error->status, HEFT_ERR_ARGUMENT);
  if (!strstr(error->message, text))
    fail_msg("'%s' was found, expected '%s' in it", error->message, text);
  assert_int_equal(hook_calls, calls);
  hook_calls = 0;
}

static void loading(void** state) {
  (void)state;
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = (HeftModel*)&def;
  HeftError e = {0};
  expect(heft_model_load_file(NULL, "a", &def, &e), &e, 1, "out must not be NULL");
  expect(heft_model_load_file(&model, NULL, &def, &e), &e, 1, "path must not be NULL");
  assert_null(model);
  expect(heft_model_load_bytes(NULL, "a", 1, "a", &def, &e), &e, 1, "out must not be NULL");
  expect(heft_model_load_bytes(&model, NULL, 1, "a", &def, &e), &e, 1, "bytes must not be NULL");
  def.package_count = 1;
  expect(heft_model_load_file(&model, "a", &def, &e), &e, 0, "package_count is 1");
  def = heft_load_def_default();
  def.allocator.release = NULL;
  expect(heft_model_load_file(&model, "a", &def, &e), &e, 0, "allocator has no functions");
  def = heft_load_def_default();
  const HeftFiles none = {NULL, NULL};
  def.files = &none;
  expect(heft_model_load_bytes(&model, "a", 1, "a", &def, &e), &e, 0, "no function read");
  HeftLoadDef zero = {0};
  expect(heft_model_load_file(&model, "a", &zero, &e), &e, 0, "was never initialised");
  // without an error to fill in, and with nothing to read
  def = heft_load_def_default();
  assert_int_equal(heft_model_load_file(NULL, NULL, NULL, NULL), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_model_load_file(&model, "a", &zero, NULL), HEFT_ERR_ARGUMENT);
  assert_int_equal(hook_calls, 1);
  zero.cookie = def.cookie ^ 1;  // another size
  assert_int_equal(heft_model_load_file(&model, "a", &zero, &e), HEFT_ERR_VERSION);
  heft_load_def_init(NULL, def.cookie);
  assert_int_equal(hook_calls, 2);
  hook_calls = 1;
  assert_int_equal(heft_model_load_bytes(&model, NULL, 0, NULL, &def, NULL), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_model_load_bytes(&model, "<mujoco/>", 9, NULL, NULL, &e), HEFT_OK);
  assert_non_null(model);
  heft_model_destroy(model);
  assert_int_equal(heft_model_load_file(&model, "no/such/file", NULL, &e), HEFT_ERR_FILE);
  assert_int_equal(hook_calls, 1);
}

static void reading_a_file(void** state) {
  (void)state;
  HeftAllocator a = heft_allocator_default();
  void* bytes = &a;
  size_t size = 9;
  HeftError e = {0};
  expect(heft_file_read(NULL, &size, "a", 1, &a, &e), &e, 1, "bytes and size");
  expect(heft_file_read(&bytes, NULL, "a", 1, &a, &e), &e, 1, "bytes and size");
  expect(heft_file_read(&bytes, &size, NULL, 1, &a, &e), &e, 1, "path and allocator");
  assert_null(bytes);
  assert_int_equal(size, 0);
  expect(heft_file_read(&bytes, &size, "a", 1, NULL, &e), &e, 1, "path and allocator");
  a.allocate = NULL;
  expect(heft_file_read(&bytes, &size, "a", 1, &a, &e), &e, 1, "path and allocator");
}

static void writing(void** state) {
  (void)state;
  static const char text[] = "<mujoco/>";
  const HeftLoadDef load = heft_load_def_default();
  HeftWriteDef def = heft_write_def_default();
  HeftModel* m = NULL;
  HeftError e = {0};
  assert_int_equal(heft_model_load_bytes(&m, text, strlen(text), "a", &load, NULL), HEFT_OK);
  expect(heft_model_write_mjcf(NULL, &def, &e), &e, 1, "model must not be NULL");
  expect(heft_model_write_mjcf(m, NULL, &e), &e, 1, "def must not be NULL");
  expect(heft_model_write_mjcf(m, &def, &e), &e, 0, "HeftWriteDef.put is not set");
  expect(heft_model_write_urdf(NULL, &def, &e), &e, 1, "model must not be NULL");
  expect(heft_model_write_urdf(m, NULL, &e), &e, 1, "def must not be NULL");
  expect(heft_model_write_urdf(m, &def, &e), &e, 0, "HeftWriteDef.put is not set");
  const HeftWriteDef zero = {0};
  expect(heft_model_write_mjcf(m, &zero, &e), &e, 0, "was never initialised");
  expect(heft_model_write_urdf(m, &zero, &e), &e, 0, "was never initialised");
  def.allocator.allocate = NULL;
  expect(heft_model_write_mjcf(m, &def, &e), &e, 0, "allocator has no functions");
  expect(heft_model_write_file(NULL, "a.xml", NULL, NULL, &e), &e, 1, "model must not be NULL");
  expect(heft_model_write_file(m, NULL, NULL, NULL, &e), &e, 1, "path must not be NULL");
  assert_int_equal(heft_model_write_file(m, "no/such/folder/a.xml", NULL, NULL, &e), HEFT_ERR_FILE);
  assert_non_null(strstr(e.message, "'no/such/folder/a.xml'"));
  heft_model_destroy(m);
}

static void tables(void** state) {
  (void)state;
  HeftMjcfAttribute a = {0};
  HeftMjcfCustom c = {0};
  const int attributes = heft_mjcf_attribute_count(), customs = heft_mjcf_custom_count();
  assert_true(attributes > 100 && customs > 5);
  for (int i = 0; i < attributes; ++i) {
    assert_int_equal(heft_mjcf_attribute(i, &a), HEFT_OK);
    assert_true(a.element[0] && a.place[0] && a.name[0] && a.meaning[0] && a.min <= a.max);
  }
  for (int i = 0; i < customs; ++i) assert_int_equal(heft_mjcf_custom(i, &c), HEFT_OK);
  assert_int_equal(hook_calls, 0);
  assert_int_equal(heft_mjcf_attribute(-1, &a), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_mjcf_attribute(attributes, &a), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_mjcf_attribute(0, NULL), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_mjcf_custom(-1, &c), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_mjcf_custom(customs, &c), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_mjcf_custom(0, NULL), HEFT_ERR_ARGUMENT);
  assert_int_equal(hook_calls, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(loading, begin, end),
      cmocka_unit_test_setup_teardown(reading_a_file, begin, end),
      cmocka_unit_test_setup_teardown(writing, begin, end),
      cmocka_unit_test_setup_teardown(tables, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
