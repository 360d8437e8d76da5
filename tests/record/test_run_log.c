// SPDX-License-Identifier: Apache-2.0
// Logs that a program writes, read again by the reader of the command.
#include <heft/heft.h>
#include <heft/run_log.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "record/mcap.h"
#include "record/session_log.h"

#include "../../apps/heft/run_read.h"
#include "support/check.h"
#include "support/scene.h"

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/>"
    "<body pos='0.1 0 0'><joint name='arm' axis='0 1 0'/><geom size='0.02' "
    "mass='0.1'/></body></body>"
    "</worldbody><actuator><motor name='m' joint='arm'/></actuator>"
    "<sensor><jointpos name='s' joint='arm'/></sensor></mujoco>";

static char path[100];
static HeftModel* model;
static HeftWorld* world;

static int open_world(void** state) {
  (void)state;
  model = scene_model(scene);
  world = scene_world(model);
  snprintf(path, sizeof path, "/tmp/heft_test_run_log_%d.mcap", (int)getpid());
  return 0;
}

static int close_world(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  unlink(path);
  return 0;
}

typedef struct Gait {
  double phase, height;
} Gait;

static const HeftOption gait_values[] = {
    {"phase", HEFT_VALUE_DOUBLE, offsetof(Gait, phase), -1e9, 1e9, 0, "rad", "of the gait"},
    {"height", HEFT_VALUE_DOUBLE, offsetof(Gait, height), -1e9, 1e9, 0, "m", "of the trunk"}};

static double gait_value(const void* user, int group, int index) {
  assert_true(group == 0 || group == 1);
  return heft_option_value(&gait_values[index], (const Gait*)user + group);
}

enum { STEPS = 40 };

// A log of some steps with two groups of the same name; times and states of its rows.
static void write_log(double time[STEPS + 1], double height[STEPS + 1]) {
  Gait gait[2] = {{0}, {.phase = 7}};
  const HeftRunLogGroup groups[2] = {{"gait", {gait_values, 2}}, {"gait", {gait_values, 2}}};
  HeftRunLogDef def = heft_run_log_def_default();
  HeftRunLog* log = NULL;
  HeftError error = {0};
  def.model_path = "models/with \"quotes\".xml";
  def.groups = groups;
  def.group_count = 2;
  def.value = gait_value;
  def.user = gait;
  if (heft_run_log_open(&log, path, model, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  for (int i = 0; i <= STEPS; ++i) {
    HeftStepReport report = {0};
    heft_world_controls(world)[0] = 0.01 * i;
    if (i > 0) report = heft_world_step(world);
    gait[0].phase = 0.5 * i;
    time[i] = *heft_world_state(world)->time;
    height[i] = heft_world_state(world)->q[2];
    assert_int_equal(heft_run_log_write(log, world, i > 0 ? &report : NULL), HEFT_OK);
  }
  assert_int_equal(heft_run_log_close(log), HEFT_OK);
}

static void a_log_is_read_with_the_same_bits(void** state) {
  (void)state;
  double time[STEPS + 1], height[STEPS + 1], q[16], v[16], controls[1], forces[1];
  HeftContact contacts[16];
  HeftError error = {0};
  write_log(time, height);
  RunRead* run = run_read_open_path(path, &error);
  if (!run) fail_msg("%s", error.message);
  const HeftRecording* r = run_read_recording(run);
  assert_int_equal(r->row_count, STEPS + 1);
  HeftViewFrame f = {
      .q = q, .v = v, .controls = controls, .actuator_forces = forces, .contact = contacts};
  for (long i = 0; i <= STEPS; ++i) {
    assert_true(r->read(r->user, i, &f, 16));
    assert_true(f.time == time[i] && f.q[2] == height[i]);
    assert_true(f.controls[0] == 0.01 * (double)i);
    assert_int_equal(f.plugin_value_count, 5);  // two groups of two, and a sensor
    assert_string_equal(f.plugin_value[0].name, "gait phase");
    assert_true(f.plugin_value[0].value == 0.5 * (double)i);
    assert_string_equal(f.plugin_value[2].name, "gait 2 phase");
    assert_true(f.plugin_value[2].value == 7);
  }
  assert_true(f.contact_count > 0);
  assert_true(f.report.potential > 0);
  run_read_close(run);
}

typedef struct Seen {
  long count, stop;  // stop: the last message that is wanted
  double time[STEPS + 1];
  HeftModel* model;
} Seen;

static bool see_time(void* user, uint64_t time, const char* data, size_t size) {
  Seen* seen = user;
  HeftJsonSpan value;
  assert_true(heft_json_span_field((HeftJsonSpan){data, data + size}, "time", &value));
  assert_true(heft_json_span_double(value, &seen->time[seen->count]));
  assert_true(fabs(1e-9 * (double)time - seen->time[seen->count]) < 1e-9);
  return ++seen->count < seen->stop;
}

static bool see_model(void* user, uint64_t time, const char* data, size_t size) {
  (void)time;
  return heft_model_load(&((Seen*)user)->model, data, size, NULL, NULL) == HEFT_OK;
}

static void messages_are_read_in_their_order(void** state) {
  (void)state;
  double time[STEPS + 1], height[STEPS + 1];
  HeftError error = {0};
  Seen seen = {.stop = STEPS + 1};
  bool cut_off = true;
  write_log(time, height);
  assert_int_equal(heft_run_log_read(path, "/state", see_time, &seen, &cut_off, &error), HEFT_OK);
  assert_true(seen.count == STEPS + 1 && !cut_off);
  for (int i = 0; i <= STEPS; ++i) assert_true(seen.time[i] == time[i]);
  seen = (Seen){.stop = 3};
  assert_int_equal(heft_run_log_read(path, "/state", see_time, &seen, NULL, NULL), HEFT_OK);
  assert_int_equal(seen.count, 3);
  assert_int_equal(heft_run_log_read(path, "/none", see_time, &seen, NULL, NULL), HEFT_OK);
  assert_int_equal(seen.count, 3);
  assert_int_equal(heft_run_log_read(path, "model.heft", see_model, &seen, NULL, &error), HEFT_OK);
  assert_true(seen.model && heft_model_hash(seen.model) == heft_model_hash(model));
  heft_model_destroy(seen.model);
  assert_int_equal(truncate(path, 3000), 0);
  seen = (Seen){.stop = STEPS + 1};
  assert_int_equal(heft_run_log_read(path, "/state", see_time, &seen, &cut_off, &error), HEFT_OK);
  assert_true(cut_off && seen.count == 0);
  assert_int_equal(truncate(path, 4), 0);
  assert_int_equal(heft_run_log_read(path, "/state", see_time, &seen, NULL, &error),
                   HEFT_ERR_SYNTAX);
  assert_string_equal(error.file, path);
  assert_int_equal(heft_run_log_read("/no/file", "/state", see_time, &seen, NULL, &error),
                   HEFT_ERR_FILE);
  assert_string_equal(error.file, "/no/file");
}

static void mistakes_are_told(void** state) {
  (void)state;
  HeftRunLog* log = NULL;
  HeftError error = {0};
  HeftRunLogDef def = heft_run_log_def_default();
  assert_int_equal(heft_run_log_open(&log, "/no/such/folder/x.mcap", model, NULL, &error),
                   HEFT_ERR_FILE);
  assert_true(!log && strstr(error.message, "check that its folder exists"));
  def.group_count = 1;
  assert_int_equal(heft_run_log_open(&log, path, model, &def, &error), HEFT_ERR_ARGUMENT);
  assert_true(!log && strstr(error.message, "groups and value"));
  def.group_count = HEFT_RUN_LOG_GROUPS_MAX + 1;
  assert_int_equal(heft_run_log_open(&log, path, model, &def, &error), HEFT_ERR_ARGUMENT);
  assert_int_equal(heft_run_log_close(NULL), HEFT_OK);
}

// The device that is always full.
static void a_full_disk_is_told(void** state) {
  (void)state;
  HeftRunLog* log = NULL;
  if (access("/dev/full", W_OK) != 0) skip();
  assert_int_equal(heft_run_log_open(&log, "/dev/full", model, NULL, NULL), HEFT_OK);
  for (int i = 0; i < 20; ++i) heft_run_log_write(log, world, NULL);
  assert_int_equal(heft_run_log_close(log), HEFT_ERR_FILE);
}

// ---- JSON

static void add_to(void* user, const char* bytes, size_t size) { strncat(user, bytes, size); }

static void both_ends_have_the_same_text(void** state) {
  (void)state;
  char other[400] = "";
  const HeftAllocator allocator = heft_allocator_default();
  HeftJsonText end[2] = {heft_json_text_make(&allocator), heft_json_text_to(add_to, other)};
  for (int i = 0; i < 2; ++i) {
    heft_json_text_quoted(&end[i], "a\"b\\c\n\x7f \xc3\xa4 \xff\xc3");
    heft_json_text_array(&end[i], "x", (const double[]){0.5, -0.0, 0, INFINITY, 1e22}, 5);
    heft_json_text_short(&end[i], -1.23456789);
  }
  assert_string_equal(heft_json_text_string(&end[0]), other);
  assert_string_equal(other,
                      "\"a\\\"b\\\\c\\u000a\\u007f \xc3\xa4 \\ufffd\\ufffd\""
                      "\"x\":[0.5,-0.0,0,null,1e+22]-1.234568");
  heft_json_text_free(&end[0]);
  heft_json_text_free(&end[1]);
}

// ---- options of loading in a session

static void options_of_loading_are_checked(void** state) {
  (void)state;
  static HeftLoading l, again;
  static const char* const change[][2] = {
      {"\"servos\":2", "\"servos\":3"}, {"\"floor\":1", "\"floor\":0.5"},
      {"\"kp\":40", "\"kp\":-1"},       {"\"height\":0.25", "\"height\":1e10"},
      {"\"kd\":", "\"kx\":"},           {"[\"a\\\"b\",\"c\"]", "[\"a\"]"}};
  const HeftAllocator allocator = heft_allocator_default();
  HeftJsonText text = heft_json_text_make(&allocator);
  l = (HeftLoading){.floor = 1, .servos = 2, .gains = {40, 1}, .height = 0.25, .srdf = "x y.srdf"};
  assert_true(heft_loading_exclude(&l, "a\"b", "c"));
  heft_loading_write(&l, &text);
  const char* good = heft_json_text_string(&text);
  assert_null(heft_loading_read(&again, (HeftJsonSpan){good, good + strlen(good)}));
  assert_memory_equal(&l, &again, sizeof l);
  for (size_t i = 0; i < sizeof change / sizeof *change; ++i) {
    char bad[1000];
    const char* at = strstr(good, change[i][0]);
    assert_non_null(at);
    snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - good), good, change[i][1],
             at + strlen(change[i][0]));
    if (!heft_loading_read(&again, (HeftJsonSpan){bad, bad + strlen(bad)}))
      fail_msg("accepted: %s", bad);
  }
  heft_json_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_is_read_with_the_same_bits),
                                     cmocka_unit_test(mistakes_are_told),
                                     cmocka_unit_test(messages_are_read_in_their_order),
                                     cmocka_unit_test(a_full_disk_is_told),
                                     cmocka_unit_test(both_ends_have_the_same_text),
                                     cmocka_unit_test(options_of_loading_are_checked)};
  return cmocka_run_group_tests(tests, open_world, close_world);
}
