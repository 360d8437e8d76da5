// SPDX-License-Identifier: Apache-2.0
// Broken files, each with the message that it must get: file, line, column, what was found, what
// was expected. The list is broken/expected.txt: a file, a tab, the beginning of the message.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the above
#include <heft/io.h>
#include <cmocka.h>

static void test_every_broken_file(void** state) {
  (void)state;
  assert_int_equal(chdir(HEFT_SOURCE_DIR "/tests/io/broken"), 0);
  FILE* list = fopen("expected.txt", "r");
  assert_non_null(list);
  char line[1200], text[1200];
  int count = 0, bad = 0;
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = '\0';
    char* expected = strchr(line, '\t');
    assert_non_null(expected);
    *expected++ = '\0';
    HeftLoadDef def = heft_load_def_default();
    HeftModel* model = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_model_load_file(&model, line, &def, &error);
    heft_error_format(&error, text, sizeof text);
    const int good = status != HEFT_OK && !model && strncmp(text, expected, strlen(expected)) == 0;
    if (!good) print_message("%s:\n  found    %s\n  expected %s\n", line, text, expected);
    bad += !good;
    ++count;
    heft_model_destroy(model);
  }
  fclose(list);
  print_message("%d broken files\n", count);
  assert_int_equal(bad, 0);
  assert_true(count >= 60);
}

// Each limit, passed by one.
static void expect_limit(const char* text, HeftLoadDef def, const char* name) {
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftStatus status =
      heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, &error);
  if (status != HEFT_ERR_LIMIT || !strstr(error.message, name))
    fail_msg("%s: status %s, '%s'", name, heft_status_name(status), error.message);
}

static void expect_compiled_limits(const HeftModel* model) {
  const size_t size = heft_model_save_size(model);
  char* bytes = malloc(size);
  heft_model_save(model, bytes);
  HeftLoadDef def = heft_load_def_default();
  HeftModel* again = NULL;
  HeftError error = {0};
  def.limits.mass_entries = 7;
  assert_int_equal(heft_model_load_bytes(&again, bytes, size, "x.heft", &def, &error),
                   HEFT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "mass_entries"));
  def.limits.mass_entries = 8;
  assert_int_equal(heft_model_load_bytes(&again, bytes, size, "x.heft", &def, &error), HEFT_OK);
  heft_model_destroy(again);
  free(bytes);
}

static void test_limits_can_be_set(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 "
      "3'/></asset>"
      "<worldbody><body name='abcd'><body/></body></worldbody></mujoco>";
  const HeftLoadDef standard = heft_load_def_default();
  HeftModel* model = NULL;
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x.xml", &standard, NULL),
                   HEFT_OK);
  heft_model_destroy(model);
  HeftLoadDef def = standard;
  def.limits.file_bytes = strlen(text) - 1;
  expect_limit(text, def, "file_bytes");
  def = standard;
  def.limits.total_bytes = 1000;
  expect_limit(text, def, "total_bytes");
  def = standard;
  def.limits.xml_depth = 3;
  expect_limit(text, def, "xml_depth");
  def = standard;
  def.limits.xml_attributes = 2;
  expect_limit(text, def, "xml_attributes");
  def = standard;
  def.limits.xml_elements = 5;
  expect_limit(text, def, "xml_elements");
  def = standard;
  def.limits.name_bytes = 3;
  expect_limit(text, def, "name_bytes");
  def = standard;
  def.limits.bodies = 2;
  expect_limit(text, def, "bodies");
  static const char chain[] =
      "<mujoco><worldbody><body><joint/><geom size='1'/><body><joint/><geom size='1'/>"
      "</body></body></worldbody></mujoco>";
  def = standard;
  def.limits.dofs = 1;
  expect_limit(chain, def, "dofs");
  def = standard;
  def.limits.mass_entries = 7;  // two rows, padded to four each
  expect_limit(chain, def, "mass_entries");
  def.limits.mass_entries = 8;
  assert_int_equal(heft_model_load_bytes(&model, chain, strlen(chain), "x.xml", &def, NULL),
                   HEFT_OK);
  expect_compiled_limits(model);
  heft_model_destroy(model);
  def = standard;
  def.limits.include_depth = 0;
  expect_limit("<mujoco><include file='y.xml'/></mujoco>", def, "include_depth");
}

static void count_warning(void* user, const HeftError* error, int count) {
  (void)error;
  *(int*)user += count;
}

static void test_nothing_is_dropped_in_silence(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><option cone='elliptic'/><visual/><worldbody><geom size='1' solref='1 1' "
      "colour='red'/>"
      "<geom size='1' solref='1 1'/><wheel/></worldbody></mujoco>";
  int warnings = 0;
  HeftLoadDef def = heft_load_def_default();
  def.warning = count_warning;
  def.user = &warnings;
  HeftModel* model = NULL;
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, NULL), HEFT_OK);
  heft_model_destroy(model);
  assert_int_equal(warnings, 6);
  def.strict = 1;
  HeftError error = {0};
  assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, &error),
                   HEFT_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "strict"));
}

// MuJoCo's default softness asks for nothing; other values are told.
static void test_default_softness_is_silent(void** state) {
  (void)state;
  static const struct {
    const char* attributes;
    int warnings;
  } cases[] = {{"solref='0.02 1' solimp='.9 0.95 0.001'", 0},
               {"solref=' 2e-2  1 ' solimp='0.9 0.95 0.001 0.5 2'", 0},
               {"solref='0.02'", 0},
               {"solref='0.02 1.1'", 1},
               {"solref='-2000 -50'", 1},
               {"solimp='0.9 0.95 0.001 0.5 2 3'", 1},
               {"solref='soft'", 1},
               {"solref=''", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[300];
    int warnings = 0;
    HeftLoadDef def = heft_load_def_default();
    HeftModel* model = NULL;
    def.warning = count_warning;
    def.user = &warnings;
    snprintf(text, sizeof text, "<mujoco><worldbody><geom size='1' %s/></worldbody></mujoco>",
             cases[i].attributes);
    assert_int_equal(heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, NULL),
                     HEFT_OK);
    heft_model_destroy(model);
    if (warnings != cases[i].warnings) fail_msg("%s: %d warnings", cases[i].attributes, warnings);
  }
}

typedef struct Told {
  char text[4000];
} Told;

static void keep_warning(void* user, const HeftError* error, int count) {
  Told* reported = user;
  (void)count;
  const size_t used = strlen(reported->text);
  snprintf(reported->text + used, sizeof reported->text - used, "%d: %s\n", error->line,
           error->message);
}

static HeftStatus attached(void* user, const char* path, size_t limit,
                           const HeftAllocator* allocator, void** out, size_t* size,
                           HeftError* error) {
  (void)user, (void)path, (void)limit, (void)error;
  static const char text[] =
      "<mujoco>\n<worldbody><body name='w'><joint/><geom size='1'/></body></worldbody>\n"
      "<keyframe><key qpos='1'/></keyframe></mujoco>";
  *size = strlen(text);
  char* bytes = allocator->allocate(allocator->user, sizeof text, 64);
  if (bytes) memcpy(bytes, text, sizeof text);
  *out = bytes;
  return bytes ? HEFT_OK : HEFT_ERR_MEMORY;
}

// What MuJoCo does and Heft does not: named, with its line.
static void test_what_is_not_supported_is_named(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco>\n<asset><model name='m' file='m.xml'/></asset>\n<worldbody>\n"
      "<body sleep='never'><geom size='1'/></body>\n"
      "<body><joint name='j'/><geom size='1' fluidshape='ellipsoid'/></body>\n"
      "<attach model='m' prefix='p_'/></worldbody>\n"
      "<actuator><muscle joint='j'/></actuator>\n"
      "<deformable/>\n<extension/>\n</mujoco>";
  static const char* const expected[] = {"4: <body sleep>", "5: <geom fluidshape>",
                                         "7: muscles",      "8: <deformable>",
                                         "9: <extension>",  "3: keyframes of an attached model"};
  const HeftFiles files = {attached, NULL};
  Told reported = {{0}};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  def.warning = keep_warning;
  def.user = &reported;
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, strlen(text), "x.xml", &def, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  heft_model_destroy(model);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    if (!strstr(reported.text, expected[i]))
      fail_msg("'%s' was not said:\n%s", expected[i], reported.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_broken_file),
      cmocka_unit_test(test_limits_can_be_set),
      cmocka_unit_test(test_nothing_is_dropped_in_silence),
      cmocka_unit_test(test_default_softness_is_silent),
      cmocka_unit_test(test_what_is_not_supported_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
