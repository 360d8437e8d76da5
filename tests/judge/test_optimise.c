// SPDX-License-Identifier: Apache-2.0
// Papers: R67, S9.
// Loads in closed form, motions between two poses that are searched, knots that are wrong, and the
// stored lifts of 8.4 and 23.4 kg: feasible as found, the heavy one infeasible when it is slow.
#include "judge/optimise.h"

#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

static const double gravity = 9.81;

// A weightless arm along x about a hinge, which lifts a load at 0.3 m.
static const char arm[] =
    "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'/><worldbody><body name='arm'>"
    "<joint name='hinge' axis='0 -1 0' limited='false'/>"
    "<geom type='sphere' size='0.01' mass='1e-6'/></body></worldbody>"
    "<actuator><motor joint='hinge' ctrlrange='-5.5 5.5'/></actuator></mujoco>";

static Csv table_of(const char* text) {
  Csv table;
  HeftError error = {0};
  assert_int_equal(csv_read(&table, text, strlen(text), "knots.csv", &error), HEFT_OK);
  return table;
}

static JudgeDef carries(double mass) {
  JudgeDef def = judge_def_default();
  def.load[def.load_count++] = (JudgeLoad){1, mass, heft_vec3(0.3, 0, 0)};
  return def;
}

// Torque m l (g cos q + l q̈) of a load at rest, and of one that is accelerated.
static void loads_weigh(void** state) {
  (void)state;
  HeftModel* model = scene_model(arm);
  const JudgeDef def = carries(2);
  for (int moves = 0; moves < 2; ++moves) {
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "time,hinge\n");
    for (int i = 0; i < 40; ++i)
      n += (size_t)snprintf(text + n, sizeof text - n, "%.17g,%.17g\n", 1e-3 * i,
                            moves * 0.5 * 10 * 1e-6 * i * i);  // 10 rad/s²
    Csv table = table_of(text);
    JudgeReport r;
    HeftError error = {0};
    assert_int_equal(judge_trajectory(model, &table, "t", &def, &r, &error), HEFT_OK);
    const double expected = 2 * 0.3 * (gravity + moves * 0.3 * 10) / 5.5;
    assert_true(fabs(r.sample[5].torque / expected - 1) < 1e-4);
    judge_release(&r);
    csv_release(&table);
  }
  heft_model_destroy(model);
}

static int violations_of(const HeftModel* model, const Knots* knots, const JudgeDef* def,
                         double stretch) {
  Csv motion;
  JudgeReport r;
  HeftError error = {0};
  assert_int_equal(knots_motion(&motion, knots, model, knots_rows(knots, 0.01), stretch, &error),
                   HEFT_OK);
  assert_int_equal(judge_trajectory(model, &motion, "t", def, &r, &error), HEFT_OK);
  const int count = r.violation_count;
  csv_release(&motion);
  judge_release(&r);
  return count;
}

// 5.5 N m do not hold 2 kg at 0.3 m. From knots that swing too fast the search finds a motion that
// gets there with momentum; slower the same path is not possible.
static void search_finds_a_throw(void** state) {
  (void)state;
  HeftModel* model = scene_model(arm);
  OptimiseDef def = optimise_def_default();
  def.judge = carries(2);
  def.rounds = 40;
  Csv table = table_of("time,h*e\n0,-1\n0.2,0.4\n0.4,-0.6\n0.6,0.9\n1,1\n");
  Knots knots, again;
  HeftError error = {0};
  assert_int_equal(knots_read(&knots, model, &table, "knots.csv", &error), HEFT_OK);
  again = knots;
  assert_true(violations_of(model, &knots, &def.judge, 1) > 0);
  assert_int_equal(optimise_knots(model, &knots, &def, &error), HEFT_OK);
  assert_int_equal(violations_of(model, &knots, &def.judge, 1), 0);
  assert_true(violations_of(model, &knots, &def.judge, 8) > 0);
  assert_true(knots.value[0][0] == -1 && knots.value[4][0] == 1);
  assert_int_equal(optimise_knots(model, &again, &def, &error), HEFT_OK);
  assert_memory_equal(&again, &knots, sizeof knots);  // the same bits again
  csv_release(&table);
  heft_model_destroy(model);
}

static void refused(const char* text, int line, const char* words) {
  HeftModel* model = scene_model(arm);
  Csv table = table_of(text);
  Knots knots;
  HeftError error = {0};
  assert_true(knots_read(&knots, model, &table, "knots.csv", &error) != HEFT_OK);
  assert_int_equal(error.line, line);
  assert_non_null(strstr(error.message, words));
  csv_release(&table);
  heft_model_destroy(model);
}

static void wrong_knots(void** state) {
  (void)state;
  refused("hinge\n0\n0\n0\n", 1, "'time' is missing");
  refused("time,hinge\n0,0\n1,0\n", 0, "3 to");
  refused("time,elbow\n0,0\n1,0\n2,0\n", 1, "'elbow'");
  refused("time,hinge\n0,0\n1,500\n2,0\n", 3, "beyond 100");
  refused("time,hinge\n0,0\n1,0\n1,0\n", 4, "follow each other");
}

// The largest share of a torque of a stored lift, at times that are stretched.
static double share_of(const char* file, double mass, double stretch, int* violations) {
  char path[600];
  HeftError error = {0};
  HeftModel* model = NULL;
  snprintf(path, sizeof path, "%s/hrp2_lift.xml", HEFT_MODEL_DIR);
  assert_int_equal(heft_model_load_file(&model, path, NULL, &error), HEFT_OK);
  snprintf(path, sizeof path, "%s/%s", HEFT_MODEL_DIR, file);
  char text[8192] = "";
  FILE* in = fopen(path, "r");
  assert_non_null(in);
  text[fread(text, 1, sizeof text - 1, in)] = 0;
  fclose(in);
  Csv table = table_of(text), motion;
  Knots knots;
  JudgeReport r;
  JudgeDef def = judge_def_default();
  def.support = heft_model_find(model, HEFT_NAMED_BODY, "left_foot");
  def.load_count = 2;
  def.bar = 0.014;
  for (int k = 0; k < 2; ++k)
    def.load[k] =
        (JudgeLoad){heft_model_find(model, HEFT_NAMED_BODY, k ? "right_hand" : "left_hand"),
                    0.5 * mass, heft_vec3(-0.008, 0, -0.105)};
  assert_int_equal(knots_read(&knots, model, &table, file, &error), HEFT_OK);
  assert_int_equal(knots_motion(&motion, &knots, model, knots_rows(&knots, 0.01), stretch, &error),
                   HEFT_OK);
  assert_int_equal(judge_trajectory(model, &motion, file, &def, &r, &error), HEFT_OK);
  double torque = 0;
  for (int i = 0; i < r.sample_count; ++i) torque = fmax(torque, r.sample[i].torque);
  *violations = r.violation_count;
  judge_release(&r);
  csv_release(&motion);
  csv_release(&table);
  heft_model_destroy(model);
  return torque;
}

static void stored_lifts(void** state) {
  (void)state;
  int violations = 0;
  assert_true(share_of("hrp2_lift_23.4.csv", 23.4, 1, &violations) < 0.95);
  assert_int_equal(violations, 0);
  assert_true(share_of("hrp2_lift_23.4.csv", 23.4, 8, &violations) > 1.2);
  assert_true(violations > 0);
  assert_true(share_of("hrp2_lift_8.4.csv", 8.4, 1, &violations) < 0.95);
  assert_int_equal(violations, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_weigh),
                                     cmocka_unit_test(search_finds_a_throw),
                                     cmocka_unit_test(wrong_knots), cmocka_unit_test(stored_lifts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
