// SPDX-License-Identifier: Apache-2.0
// Mocap bodies and conveyors in MJCF: read, written and read again.
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static const char text[] =
    "<mujoco><custom>"
    "<numeric name='heft_conveyor_belt' data='0.5 0 0'/>"
    "<numeric name='heft_conveyor_disc' data='0 0 0 0 0 2'/>"
    "<numeric name='heft_motion_lift' data='0 0 1 0 0 0.25'/></custom>"
    "<worldbody><geom name='belt' type='box' size='1 1 1'/>"
    "<geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='ball' pos='0 0 3'><freejoint/><geom size='0.1'/></body>"
    "<body name='still' mocap='true' pos='1 2 3'><geom name='disc' size='0.1'/></body>"
    "<body name='lift' mocap='true' pos='4 5 6' quat='0 1 0 0'><body name='deck'>"
    "<geom size='0.1'/></body></body></worldbody>"
    "<keyframe><key name='up' mpos='7 8 9 10 11 12'/><key name='as_is'/>"
    "<key name='turned' mquat='1 0 0 0 0 0 0 1'/></keyframe></mujoco>";

static HeftModel* load(const void* bytes, size_t size) {
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, bytes, size, "x.xml", NULL, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  return model;
}

static void check(const HeftModel* m) {
  assert_int_equal(m->nmoved, 2);
  assert_int_equal(m->nconveyor, 2);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, m->moved_body[1]), "lift");
  assert_true(m->body_moved[1] == -1 && m->body_moved[m->moved_body[0]] == 0);
  assert_true(m->moved_velocity[0] == 0 && m->moved_velocity[6 + 2] == 1);
  assert_true(m->moved_velocity[6 + 5] == 0.25);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_SHAPE, m->conveyor_shape[0]), "belt");
  assert_true(m->conveyor_velocity[0] == 0.5 && m->conveyor_velocity[6 + 5] == 2);
  assert_true(m->shape_conveyor[heft_model_find(m, HEFT_NAMED_SHAPE, "floor")] == -1);
  const double *up = m->key_moved, *as_is = up + 14, *turned = up + 28;
  assert_true(up[0] == 7 && up[3] == 1 && up[7 + 2] == 12 && up[7 + 4] == 1);
  assert_true(as_is[0] == 1 && as_is[7] == 4 && as_is[7 + 4] == 1);
  assert_true(turned[2] == 3 && turned[3] == 1 && turned[7 + 6] == 1);
}

static void test_read(void** state) {
  (void)state;
  HeftModel* m = load(text, strlen(text));
  check(m);
  heft_model_destroy(m);
}

static void test_written_and_read_again(void** state) {
  (void)state;
  HeftModel* m = load(text, strlen(text));
  const char* path = "moved_written.xml";
  HeftError error = {0};
  if (heft_model_write_file(m, path, NULL, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  HeftModel* again = NULL;
  if (heft_model_load_file(&again, path, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  check(again);
  assert_true(heft_model_hash(m) == heft_model_hash(again));
  remove(path);
  heft_model_destroy(again);
  heft_model_destroy(m);
}

// Two elements for one thing: the message names the kind, whatever kind it is.
static void test_twice(void** state) {
  (void)state;
  static const char* const element[][2] = {
      {"<numeric name='heft_conveyor_belt' data='1 0 0'/>", "two elements for a conveyor"},
      {"<numeric name='heft_motion_lift' data='0 0 0 0 0 1'/>",
       "two elements for a body's motion"}};
  for (int i = 0; i < 2; ++i) {
    char both[512];
    HeftModel* m = NULL;
    HeftError error = {0};
    snprintf(both, sizeof both, "<mujoco><custom>%s%s</custom></mujoco>", element[i][0],
             element[i][0]);
    assert_int_equal(heft_model_load_bytes(&m, both, strlen(both), "twice", NULL, &error),
                     HEFT_ERR_NAME);
    if (!strstr(error.message, element[i][1])) fail_msg("%s", error.message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_written_and_read_again),
      cmocka_unit_test(test_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
