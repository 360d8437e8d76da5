// SPDX-License-Identifier: Apache-2.0
// Papers: R33.
// The controller's end without a simulation: places and descriptions that are wrong are told.
// tests/link has it with one.
#include <heft/robot.h>
#include <string.h>

#include "robot/robot_model.h"
#include "support/check.h"

static const char good[] =
    "{\"version\":1,\"nq\":2,\"nv\":1,\"ncontrol\":1,\"nsensor\":3,\"step\":0.001,\"period\":0.002,"
    "\"mode\":\"free\",\"q\":[0.5,-1],"
    "\"joints\":[{\"name\":\"a "
    "\\u0022b\\u005c\",\"type\":\"hinge\",\"q\":1,\"nq\":1,\"v\":0,\"nv\":1,"
    "\"unit\":\"rad\"}],"
    "\"actuators\":[{\"name\":\"m\",\"unit\":\"N m\",\"joint\":\"a \\u0022b\\u005c\"}],"
    "\"sensors\":[{\"name\":\"s\",\"type\":\"gyro\",\"at\":0,\"count\":3,\"unit\":\"rad/s\"}],"
    "\"keys\":[{\"name\":\"home\",\"q\":[1,2],\"controls\":[3]}]}";

static HeftStatus read_text(const char* text, RobotModel* out, HeftError* error) {
  const HeftAllocator allocator = heft_allocator_default();
  return robot_model_read(out, text, &allocator, error);
}

static void a_description_becomes_lists(void** state) {
  (void)state;
  RobotModel model;
  HeftError error = {0};
  const HeftAllocator allocator = heft_allocator_default();
  if (read_text(good, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  const HeftRobotModel* m = &model.list;
  assert_true(m->nq == 2 && m->nv == 1 && m->ncontrol == 1 && m->nsensor == 3);
  assert_true(m->step == 0.001 && m->period == 0.002 && m->q[1] == -1);
  assert_true(m->joint_count == 1 && m->joint[0].q == 1 && m->joint[0].nv == 1);
  assert_string_equal(m->joint[0].name, "a \"b\\");
  assert_true(m->actuator[0].joint == 0 && m->actuator[0].min < -1e300);
  assert_true(m->sensor_count == 1 && m->sensor[0].count == 3);
  assert_string_equal(m->sensor[0].unit, "rad/s");
  assert_true(m->key_count == 1 && m->key[0].q[1] == 2 && m->key[0].controls[0] == 3);
  robot_model_release(&model, &allocator);
}

// Each replaces a part of the good description.
static void damage_is_told(void** state) {
  (void)state;
  static const char* const change[][2] = {{"\"nq\":2,", "\"nq\":-2,"},
                                          {"\"nq\":2,", "\"nq\":2.5,"},
                                          {"\"nq\":2,", "\"nq\":99999999,"},
                                          {"\"nq\":2,", "\"nq\":3,"},
                                          {"\"q\":1,", "\"q\":2,"},
                                          {"\"v\":0,", "\"v\":-1,"},
                                          {"\"count\":3", "\"count\":4"},
                                          {"\"at\":0", "\"at\":1e99"},
                                          {"\"q\":[1,2]", "\"q\":[1]"},
                                          {"\"controls\":[3]", "\"controls\":\"3\""},
                                          {"\"step\":0.001", "\"step\":0"},
                                          {"\"ncontrol\":1", "\"ncontrol\":2"},
                                          {"\"q\":[0.5,-1]", "\"q\":[1e999,1]"},
                                          {"}]}", "}]"}};
  for (size_t i = 0; i < sizeof change / sizeof *change; ++i) {
    char text[2 * sizeof good];
    const char* at = strstr(good, change[i][0]);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, change[i][1],
             at + strlen(change[i][0]));
    RobotModel model;
    HeftError error = {0};
    if (read_text(text, &model, &error) != HEFT_ERR_SYNTAX) fail_msg("accepted: %s", change[i][1]);
    assert_non_null(strstr(error.message, "damaged"));
    assert_null(model.block);
  }
}

static void places_are_checked(void** state) {
  (void)state;
  static const struct {
    const char *place, *told;
    HeftStatus status;
  } wrong[] = {{"tcp:80", "unix:PATH or udp:PORT", HEFT_ERR_SYNTAX},
               {"unix:", "expected 1 to 107", HEFT_ERR_SYNTAX},
               {"udp:10.0.0.1:7480", "needs a key", HEFT_ERR_VALUE},
               {"udp:7480#12", "64 hexadecimal", HEFT_ERR_SYNTAX},
               {"unix:/no/such/folder/socket",
                "start one with 'heft run FILE --controller unix:/no", HEFT_ERR_FILE}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    HeftRobot* robot = NULL;
    HeftError error = {0};
    assert_int_equal(heft_robot_open(&robot, wrong[i].place, 0, NULL, &error), wrong[i].status);
    if (robot || !strstr(error.message, wrong[i].told)) fail_msg("%s", error.message);
  }
  heft_robot_close(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_description_becomes_lists),
                                     cmocka_unit_test(damage_is_told),
                                     cmocka_unit_test(places_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
