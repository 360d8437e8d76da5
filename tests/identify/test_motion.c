// SPDX-License-Identifier: Apache-2.0
// Papers: R48, R68.
// Parameters of a model from a motion. The intervals are counted by `heft validate identify`.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "identify/identify.h"

#include "support/check.h"

enum { ROWS = 101 };

static HeftModel* elbow(double damping, double dry, double gear) {
  char all[1200];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(all, sizeof all,
           "<mujoco><option timestep='0.002'/><compiler angle='radian'/><worldbody>"
           "<body><joint name='elbow' axis='0 1 0' damping='%g' frictionloss='%g'/>"
           "<geom name='arm' type='capsule' fromto='0 0 0 0 0 -0.3' size='0.04' mass='2.5'/>"
           "<site name='hand' pos='0 0 -0.3'/></body></worldbody>"
           "<actuator><motor name='motor' joint='elbow' gear='%g'/></actuator>"
           "<sensor><jointpos name='angle' joint='elbow'/><accelerometer name='felt' site='hand'/>"
           "</sensor></mujoco>",
           damping, dry, gear);
  assert_int_equal(heft_model_load_bytes(&model, all, strlen(all), "elbow.xml", &def, NULL),
                   HEFT_OK);
  return model;
}

typedef struct Log {
  double time[ROWS], control[ROWS], sensed[ROWS * 2], q[1], v[1];
  int value[2];
} Log;

static HeftMotion log_of(Log* log, const HeftModel* m) {
  for (int i = 0; i < ROWS; ++i) {
    log->time[i] = 0.01 * i;
    log->control[i] = 0.1 * heft_sin(9 * log->time[i]);
  }
  log->value[0] = 0;
  log->value[1] = 1;
  log->q[0] = 0.2;
  log->v[0] = 0;
  return (HeftMotion){.model = m,
                      .rows = ROWS,
                      .time = log->time,
                      .control = log->control,
                      .sensed = log->sensed,
                      .value = log->value,
                      .channels = 2,
                      .q = log->q,
                      .v = log->v};
}

static void a_drive_is_found(void** state) {
  (void)state;
  Log log;
  HeftModel *truth = elbow(0.3, 0.4, 50), *guess = elbow(0.2, 0.2, 40);
  HeftMotion motion = log_of(&log, truth);
  HeftParameter p[3];
  HeftFit fit;
  double noise[2];
  static const char* const names[3] = {"damping:elbow", "frictionloss:elbow", "gear:motor"};
  static const double values[3] = {0.3, 0.4, 50};
  assert_int_equal(heft_motion_simulate(&motion, log.sensed, NULL), HEFT_OK);
  motion.model = guess;
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(heft_parameter_find(guess, names[i], &p[i], NULL), HEFT_OK);
    assert_true(heft_parameter_get(truth, p[i]) == values[i]);
  }
  assert_int_equal(heft_identify_motion(&motion, p, 3, &fit, noise, guess, NULL), HEFT_OK);
  for (int i = 0; i < 3; ++i) {
    assert_true(fit.estimate[i].excited);
    assert_true(fabs(fit.estimate[i].value / values[i] - 1) < 1e-4);
    assert_true(heft_parameter_get(guess, p[i]) == fit.estimate[i].value);
  }
  // the start is found, too
  log.q[0] += 0.01;
  motion.free_start = true;
  assert_int_equal(heft_identify_motion(&motion, p, 3, &fit, noise, NULL, NULL), HEFT_OK);
  for (int i = 0; i < 3; ++i) assert_true(fabs(fit.estimate[i].value / values[i] - 1) < 1e-3);
  assert_true(fabs(fit.estimate[3].value + 0.01) < 1e-4);
  heft_model_destroy(truth);
  heft_model_destroy(guess);
}

// ---- by derivatives, and by differences

static const char arm[] =
    "<mujoco><option timestep='0.002'/><compiler angle='radian'/><worldbody><body>"
    "<joint name='a' axis='0 1 0' damping='%g' armature='%g' stiffness='%g' frictionloss='%g'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.04' mass='2.5'/><body pos='0 0 -.3'>"
    "<joint name='b' axis='0 1 0' damping='%g' armature='%g' stiffness='%g' frictionloss='%g'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -0.2' size='0.03' mass='1'/><site name='hand' "
    "pos='0 0 -.2'/></body></body></worldbody><actuator><motor name='a' joint='a' gear='%g'/>"
    "<motor name='b' joint='b' gear='%g'/></actuator><sensor><jointpos joint='a'/>"
    "<jointpos name='angle' joint='b'/><gyro site='hand'/></sensor></mujoco>";

static HeftModel* arm_with(const double* x) {
  char all[1600];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(all, sizeof all, arm, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  assert_int_equal(heft_model_load_bytes(&model, all, strlen(all), "arm.xml", &def, NULL), HEFT_OK);
  return model;
}

// Parameters and a start of two joints from a motion that reverses: the two ways agree, and one of
// them needs a tenth of the simulations. same: to this part of a standard error.
static void compare(double dry, double same) {
  enum { COUNT = 11, LENGTH = 301, CHANNELS = 3 };
  static const char* const names[COUNT] = {
      "damping:a", "armature:a", "stiffness:a",  "damping:b",      "armature:b",    "stiffness:b",
      "gear:a",    "gear:b",     "offset:angle", "frictionloss:a", "frictionloss:b"};
  const int count = dry > 0 ? COUNT : COUNT - 2;  // dry friction of 0 is at its limit
  const double truth[] = {.3, .05, 2, 2 * dry, .1, .02, 1, dry, 40, 20};
  const double guess[] = {.2, .03, 1, dry, .2, .04, 2, 2 * dry, 30, 25};
  static const int place[] = {0, 1, 2, 4, 5, 6, 8, 9, -1, 3, 7};
  static double time[LENGTH], control[2 * LENGTH], sensed[CHANNELS * LENGTH];
  double q[2] = {.2, -.1}, v[2] = {0, 0}, noise[CHANNELS];
  const int value[CHANNELS] = {0, 1, 3};
  HeftParameter p[COUNT];
  HeftFit fit[2];
  HeftModel *real = arm_with(truth), *model = arm_with(guess);
  for (int i = 0; i < LENGTH; ++i) {
    time[i] = .004 * i;
    control[2 * i] = .2 * heft_sin(9 * time[i]);
    control[2 * i + 1] = .1 * heft_sin(14 * time[i] + 1);
  }
  HeftMotion motion = {.model = real,
                       .rows = LENGTH,
                       .time = time,
                       .control = control,
                       .sensed = sensed,
                       .value = value,
                       .channels = CHANNELS,
                       .q = q,
                       .v = v};
  assert_int_equal(heft_motion_simulate(&motion, sensed, NULL), HEFT_OK);
  for (int i = 0; i < CHANNELS * LENGTH; ++i) sensed[i] += 1e-3 * heft_sin(1e3 * i + i * i % 97);
  motion.model = model;
  motion.free_start = true;
  q[0] += .01;
  for (int i = 0; i < COUNT; ++i)
    assert_int_equal(heft_parameter_find(model, names[i], &p[i], NULL), HEFT_OK);
  const int ways = getenv("HEFT_SHORT") ? 1 : 2;  // differences take ten times as many simulations
  for (int way = 0; way < ways; ++way) {
    motion.differences = way == 1;
    assert_int_equal(heft_identify_motion(&motion, p, count, &fit[way], noise, NULL, NULL),
                     HEFT_OK);
    assert_true(fit[way].exact == (way == 0));
  }
  for (int i = 0; i < count; ++i) {
    const HeftEstimate* a = &fit[0].estimate[i];
    if (place[i] >= 0) assert_true(fabs(a->value - truth[place[i]]) < 5 * a->error);
  }
  for (int i = 0; ways == 2 && i < count; ++i) {
    const HeftEstimate *a = &fit[0].estimate[i], *b = &fit[1].estimate[i];
    if (!(fabs(a->value - b->value) < same * b->error)) fail_msg("%s differs", names[i]);
    assert_true(fabs(a->error - b->error) < 0.3 * b->error);
  }
  if (ways == 2) {
    assert_true(fit[0].noise < 1.01 * fit[1].noise);
    printf("%ld simulations, %ld of them with derivatives; %ld by differences\n",
           fit[0].evaluations + fit[0].jacobians, fit[0].jacobians, fit[1].evaluations);
    assert_true(10 * (fit[0].evaluations + fit[0].jacobians) <= fit[1].evaluations);
  }
  heft_model_destroy(real);
  heft_model_destroy(model);
}

// Dry friction makes kinks, at which the ways end beside each other.
static void derivatives_replace_differences(void** state) {
  (void)state;
  compare(0, 1e-3);
  if (!getenv("HEFT_SHORT")) compare(.1, .25);
}

static void what_the_motion_does_not_show_is_not_excited(void** state) {
  (void)state;
  Log log;
  HeftModel* model = elbow(0.3, 0, 50);
  HeftMotion motion = log_of(&log, model);
  HeftParameter p[2];
  HeftFit fit;
  double noise[2];
  assert_int_equal(heft_motion_simulate(&motion, log.sensed, NULL), HEFT_OK);
  memset(log.control, 0, sizeof log.control);
  assert_int_equal(heft_parameter_find(model, "gear:motor", &p[0], NULL), HEFT_OK);
  assert_int_equal(heft_parameter_find(model, "friction:arm", &p[1], NULL), HEFT_OK);
  assert_int_equal(heft_identify_motion(&motion, p, 2, &fit, noise, NULL, NULL), HEFT_OK);
  assert_false(fit.estimate[0].excited);
  assert_false(fit.estimate[1].excited);
  heft_model_destroy(model);
}

static void wrong_names_get_a_hint(void** state) {
  (void)state;
  HeftModel* model = elbow(0.3, 0, 50);
  HeftParameter p;
  HeftError error;
  static const struct {
    const char *text, *hint;
  } wrong[] = {{"dampin:elbow", "did you mean 'damping'"},
               {"damping:elbo", "did you mean 'elbow'"},
               {"damping", "needs a name"},
               {"damping:", "needs a name"},
               {"offset:felt.3", "has 3 values"},
               {"offset:fel", "did you mean 'felt'"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    assert_int_equal(heft_parameter_find(model, wrong[i].text, &p, &error), HEFT_ERR_NAME);
    assert_non_null(strstr(error.message, wrong[i].hint));
  }
  assert_int_equal(heft_parameter_find(model, "offset:felt.2", &p, NULL), HEFT_OK);
  assert_int_equal(p.index, 3);
  heft_parameter_set(model, p, -0.5);
  assert_true(heft_parameter_get(model, p) == -0.5);
  assert_int_equal(heft_parameter_find(model, "friction", &p, NULL), HEFT_OK);
  heft_parameter_set(model, p, 0.25);
  assert_true(model->material_friction[model->shape_material[0]] == 0.25);
  heft_model_destroy(model);
}

static void rows_between_steps_are_refused(void** state) {
  (void)state;
  Log log;
  HeftError error;
  HeftModel* model = elbow(0.3, 0, 50);
  HeftMotion motion = log_of(&log, model);
  log.time[40] += 0.001;
  assert_int_equal(heft_motion_simulate(&motion, log.sensed, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "rows 40 and 41"));
  heft_model_destroy(model);
}

// ---- contact

// A ball that bounces, a block that slides and a ball on a soft spot, each of its own material.
static HeftModel* bodies(double restitution, double slip, double stiffness, double damping) {
  char all[2400];
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(all, sizeof all,
           "<mujoco><option timestep='0.002'/><custom>"
           "<numeric name='heft_material_ball' data='0.5 0.5 0 0 %g'/>"
           "<numeric name='heft_material_block' data='0.2 0.2 0 0 0 0 0 0 0 %g'/>"
           "<numeric name='heft_material_soft' data='0.5 0.5 0 0 0'/>"
           "<numeric name='heft_soft_soft' data='%g %g'/>"
           "<tuple name='heft_material_ball'><element objtype='geom' objname='ball'/></tuple>"
           "<tuple name='heft_material_block'><element objtype='geom' objname='block'/></tuple>"
           "<tuple name='heft_material_soft'><element objtype='geom' objname='soft'/></tuple>"
           "</custom><worldbody><geom type='plane' size='9 9 1' friction='0.01'/>"
           "<body pos='0 0 0.15'><joint name='a' type='slide' axis='0 0 1'/>"
           "<geom name='ball' size='0.05' mass='1'/></body>"
           "<body pos='0 1 0.05'><joint name='b' type='slide' axis='1 0 0'/>"
           "<joint type='slide' axis='0 0 1'/>"
           "<geom name='block' type='box' size='0.05 0.05 0.05' mass='1'/></body>"
           "<body pos='0 2 0.1'><joint name='c' type='slide' axis='0 0 1'/>"
           "<geom name='soft' size='0.05' mass='1'/></body></worldbody>"
           "<sensor><jointpos joint='a'/><jointpos joint='b'/><jointpos joint='c'/></sensor>"
           "</mujoco>",
           restitution, slip, stiffness, damping);
  assert_int_equal(heft_model_load_bytes(&model, all, strlen(all), "bodies.xml", &def, NULL),
                   HEFT_OK);
  return model;
}

static void contact_is_found(void** state) {
  (void)state;
  static const char* const names[] = {"restitution:ball", "slipfriction:block", "friction:block",
                                      "contactstiffness:soft", "contactdamping:soft"};
  static const double values[] = {0.6, 0.1, 0.2, 2000, 20};
  static Log log;
  static double sensed[3 * ROWS];
  const double q[4] = {0}, v[4] = {0, 1.5, 0, 0};
  const int value[3] = {0, 1, 2};
  HeftModel *truth = bodies(0.6, 0.1, 2000, 20), *guess = bodies(0.5, 0.02, 1500, 30);
  HeftMotion motion = log_of(&log, truth);
  HeftParameter p[5];
  HeftFit fit;
  double noise[3];
  motion.rows = 61;
  motion.control = NULL;
  motion.sensed = sensed;
  motion.value = value;
  motion.channels = 3;
  motion.q = q;
  motion.v = v;
  assert_int_equal(heft_motion_simulate(&motion, sensed, NULL), HEFT_OK);
  motion.model = guess;
  for (int i = 0; i < 5; ++i) {
    assert_int_equal(heft_parameter_find(guess, names[i], &p[i], NULL), HEFT_OK);
    assert_true(heft_parameter_get(truth, p[i]) == values[i]);
  }
  heft_parameter_set(guess, p[2], 0.3);
  assert_int_equal(heft_identify_motion(&motion, p, 5, &fit, noise, NULL, NULL), HEFT_OK);
  for (int i = 0; i < 5; ++i) {
    assert_true(fit.estimate[i].excited);
    assert_true(fabs(fit.estimate[i].value / values[i] - 1) < 1e-3);
  }
  HeftError error;
  assert_int_equal(heft_parameter_find(guess, "contactstiffness:block", &p[0], &error),
                   HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "is rigid"));
  heft_model_destroy(truth);
  heft_model_destroy(guess);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drive_is_found),
      cmocka_unit_test(derivatives_replace_differences),
      cmocka_unit_test(what_the_motion_does_not_show_is_not_excited),
      cmocka_unit_test(wrong_names_get_a_hint),
      cmocka_unit_test(rows_between_steps_are_refused),
      cmocka_unit_test(contact_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
