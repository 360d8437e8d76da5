// SPDX-License-Identifier: Apache-2.0
// Papers: R57.
// Plug-ins in files: what is refused, and hot reload with data and options. PULSE_DIR holds the
// modules of tests/plugin/modules.
#include <errno.h>
#include <heft/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"
#include "support/scene.h"

static HeftModel* model;
static HeftWorld* world;
static char folder[200], target[300];

static int open_world(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>";
  model = scene_model(text);
  world = scene_world(model);
  const char* temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.150s/heft-test-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder)) fail_msg("%s", strerror(errno));
  snprintf(target, sizeof target, "%s/pulse.so", folder);
  return 0;
}

static int close_world(void** state) {
  (void)state;
  unlink(target);
  rmdir(folder);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

// Writes a version over the file in place, as a linker does.
static void install(const char* module) {
  char path[400];
  static char block[1 << 20];
  snprintf(path, sizeof path, "%s/%s.so", PULSE_DIR, module);
  FILE* from = fopen(path, "rb");
  if (!from) fail_msg("%s: %s", path, strerror(errno));
  const size_t size = fread(block, 1, sizeof block, from);
  fclose(from);
  FILE* to = fopen(target, "wb");
  assert_non_null(to);
  assert_true(fwrite(block, 1, size, to) == size);
  assert_int_equal(fclose(to), 0);
}

// A changed file must stay the same for 0.1 s.
static HeftStatus reload(HeftPluginSet* set, int* count, HeftError* error) {
  const struct timespec nap = {0, 110000000};
  assert_int_equal(heft_plugin_set_reload(set, count, error), HEFT_OK);
  assert_int_equal(*count, 0);
  nanosleep(&nap, NULL);
  return heft_plugin_set_reload(set, count, error);
}

static void step(HeftPluginSet* set) {
  assert_int_equal(heft_plugin_set_before_step(set, NULL), HEFT_OK);
  const HeftStepReport report = heft_world_step(world);
  heft_plugin_set_after_step(set, &report);
}

static HeftPluginSet* load(const char* options) {
  HeftPluginSet* set = NULL;
  HeftError error = {0};
  char spec[400];
  snprintf(spec, sizeof spec, "%s%s", target, options);
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  if (heft_plugin_set_load(set, spec, &error) != HEFT_OK) fail_msg("%s", error.message);
  if (heft_plugin_set_attach(set, world, &error) != HEFT_OK) fail_msg("%s", error.message);
  return set;
}

static void a_changed_file_is_loaded_again(void** state) {
  (void)state;
  int count = -1;
  install("pulse_1");
  HeftPluginSet* set = load(":gain=3");
  for (int i = 0; i < 4; ++i) step(set);
  assert_true(heft_plugin_set_value(set, 0, 0) == 4 * 3 * 1);
  assert_int_equal(reload(set, &count, NULL), HEFT_OK);
  assert_int_equal(count, 0);

  install("pulse_2");
  assert_true(heft_plugin_set_value(set, 0, 0) == 12);  // the old code is still mapped
  step(set);
  assert_int_equal(reload(set, &count, NULL), HEFT_OK);
  assert_int_equal(count, 1);
  assert_true(heft_plugin_set_value(set, 0, 0) == 15);  // the data goes on
  assert_true(heft_plugin_set_option(set, 0, 1) == 3);  // chosen by the user: kept
  assert_true(heft_plugin_set_option(set, 0, 0) == 2);  // was at its default: the new default
  step(set);
  assert_true(heft_plugin_set_value(set, 0, 0) == 15 + 3 * 2);
  heft_plugin_set_destroy(set);
}

static void other_data_starts_anew(void** state) {
  (void)state;
  int count = 0;
  install("pulse_1");
  HeftPluginSet* set = load(":gain=3");
  step(set);
  install("pulse_3");
  assert_int_equal(reload(set, &count, NULL), HEFT_OK);
  assert_int_equal(count, 1);
  assert_true(heft_plugin_set_value(set, 0, 0) == 0);
  assert_true(heft_plugin_set_option(set, 0, 1) == 3);
  heft_plugin_set_destroy(set);
}

static void the_old_version_goes_on(void** state) {
  (void)state;
  static const struct {
    const char *module, *message;
  } bad[] = {{"pulse_4", "no world is good enough"},
             {"pulse_5", "another version"},
             {"stranger", "HEFT_PLUGIN"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    HeftError error = {0};
    int count = -1;
    install("pulse_1");
    HeftPluginSet* set = load("");
    step(set);
    install(bad[k].module);
    assert_int_not_equal(reload(set, &count, &error), HEFT_OK);
    assert_int_equal(count, 0);
    if (!strstr(error.message, bad[k].message)) fail_msg("%s", error.message);
    step(set);
    assert_true(heft_plugin_set_value(set, 0, 0) == 2);
    // told once
    assert_int_equal(reload(set, &count, &error), HEFT_OK);
    install("pulse_2");
    assert_int_equal(reload(set, &count, &error), HEFT_OK);
    assert_int_equal(count, 1);
    heft_plugin_set_destroy(set);
  }
}

static void wrong_files_are_refused(void** state) {
  (void)state;
  HeftPluginSet* set = NULL;
  HeftError error = {0};
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_load(set, "/no/such/plugin.so", &error), HEFT_ERR_FILE);
  assert_int_equal(heft_plugin_set_load(set, "", &error), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_plugin_set_load(set, ":gain=1", &error), HEFT_ERR_SYNTAX);
  FILE* text = fopen(target, "w");
  assert_non_null(text);
  fputs("this is no shared object\n", text);
  fclose(text);
  assert_int_equal(heft_plugin_set_load(set, target, &error), HEFT_ERR_FILE);
  if (!strstr(error.message, "pulse.so'")) fail_msg("%s", error.message);
  assert_int_equal(heft_plugin_set_count(set), 0);
  heft_plugin_set_destroy(set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_changed_file_is_loaded_again, open_world, close_world),
      cmocka_unit_test_setup_teardown(other_data_starts_anew, open_world, close_world),
      cmocka_unit_test_setup_teardown(the_old_version_goes_on, open_world, close_world),
      cmocka_unit_test_setup_teardown(wrong_files_are_refused, open_world, close_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
