// SPDX-License-Identifier: Apache-2.0
// Papers: R67.
// Trajectories whose limits are known in closed form: standing, leaning beyond the foot, moving
// faster than friction allows, a torque beyond its limit, and tables that are wrong.
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

enum { TEXT_MAX = 1 << 20 };

// A foot of 0.2 x 0.1 x 0.02 m and 2 kg, a mast, and a head of 3 kg at the height 0.5 m that a
// slide moves along x. Friction 0.5.
static const char foot[] =
    "<mujoco><option gravity='0 0 -9.81'/><worldbody><geom type='plane' size='5 5 1' "
    "friction='0.5'/>"
    "<body name='foot' pos='0 0 0.01'><freejoint name='base'/>"
    "<geom type='box' size='0.1 0.05 0.01' mass='2' friction='0.5'/>"
    "<body name='head' pos='0 0 0.49'><joint name='slide' type='slide' axis='1 0 0' range='-1 1'/>"
    "<geom type='sphere' size='0.03' mass='3' contype='0' "
    "conaffinity='0'/></body></body></worldbody>"
    "<actuator><motor joint='slide' ctrlrange='-20 20'/></actuator></mujoco>";

static const double gravity = 9.81, sole = 2, head = 3, half = 0.1;

typedef double Path(double t);

// Judges the motion of one joint, 1 ms rows.
static JudgeReport judge_path(const char* model_text, const char* header, Path* path, double end,
                              JudgeDef def) {
  HeftModel* model = scene_model(model_text);
  char* text = malloc(TEXT_MAX);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, TEXT_MAX, "time,%s\n", header);
  for (int i = 0; i <= (int)(end * 1000 + 0.5); ++i)
    n += (size_t)snprintf(text + n, TEXT_MAX - n, "%.17g,%.17g\n", 1e-3 * i, path(1e-3 * i));
  Csv table;
  HeftError error = {0};
  JudgeReport report;
  assert_int_equal(csv_read(&table, text, n, "test.csv", &error), HEFT_OK);
  assert_int_equal(judge_trajectory(model, &table, "test.csv", &def, &report, &error), HEFT_OK);
  csv_release(&table);
  free(text);
  heft_model_destroy(model);
  return report;
}

static JudgeDef on_foot(void) {
  JudgeDef def = judge_def_default();
  def.support = 1;
  return def;
}

static const JudgeViolation* first_of(const JudgeReport* r, JudgeKind kind) {
  for (int i = 0; i < r->violation_count; ++i)
    if (r->violation[i].kind == kind) return &r->violation[i];
  return NULL;
}

static double still(double t) { return 0 * t; }

static void test_standing_is_feasible(void** state) {
  (void)state;
  JudgeReport r = judge_path(foot, "slide", still, 0.5, on_foot());
  assert_int_equal(r.violation_count, 0);
  assert_true(fabs(r.weight - (sole + head) * gravity) < 1e-9);
  for (int i = 0; i < r.sample_count; ++i) {
    assert_int_equal(r.sample[i].contacts, 4);
    assert_true(r.sample[i].missing < 1e-6);
    assert_true(fabs(r.sample[i].margin - 0.05) < 1e-9);  // the shorter half of the foot
    assert_true(r.sample[i].friction < 1e-3 && r.sample[i].torque < 1e-6);
  }
  judge_release(&r);
}

// Slowly: without inertia the pressure is below the common centre of mass, x = 3 s / 5.
static double lean(double t) { return 0.2 * t; }

static void test_leaning_tips_over(void** state) {
  (void)state;
  JudgeReport r = judge_path(foot, "slide", lean, 1.2, on_foot());
  const double s = half * (sole + head) / head, expected = s / 0.2;  // 0.8333 s
  const JudgeViolation* v = first_of(&r, JUDGE_BALANCE);
  assert_non_null(v);
  assert_null(first_of(&r, JUDGE_FRICTION));
  // The tolerance allows 0.001 of the weight times 0.25 m: 0.25 mm of the pressure, 2 ms.
  assert_true(v->from >= expected - 1e-9 && v->from <= expected + 0.0035);
  assert_true(v->to >= 1.2 - 1e-9);
  const JudgeSample* at = &r.sample[500];
  assert_true(fabs(at->margin - fmin(0.05, half - 0.6 * 0.1)) < 1e-9);
  judge_release(&r);
}

// s = ½ a t² with growing a: the head pushes the foot, until friction is missing. Low head: so that
// it does not tip over before.
static const char flat[] =
    "<mujoco><option gravity='0 0 -9.81'/><worldbody><geom type='plane' size='5 5 1' "
    "friction='0.5'/>"
    "<body name='foot' pos='0 0 0.01'><freejoint name='base'/>"
    "<geom type='box' size='2 2 0.01' mass='2' friction='0.5'/>"
    "<body name='head' pos='0 0 0.01'><joint name='slide' type='slide' axis='1 0 0'/>"
    "<geom type='sphere' size='0.01' mass='3' contype='0' "
    "conaffinity='0'/></body></body></worldbody>"
    "<actuator><motor joint='slide' ctrlrange='-20 20'/></actuator></mujoco>";

static double jerk(double t) { return 10 * t * t * t / 6; }  // acceleration 10 t

static void test_fast_motion_slips(void** state) {
  (void)state;
  JudgeReport r = judge_path(flat, "slide", jerk, 1, on_foot());
  const double expected = 0.5 * (sole + head) * gravity / head / 10;  // 0.8175 s
  const JudgeViolation* v = first_of(&r, JUDGE_FRICTION);
  assert_non_null(v);
  assert_null(first_of(&r, JUDGE_BALANCE));
  assert_true(fabs(v->from - expected) < 0.005);
  const JudgeSample* at = &r.sample[400];
  assert_true(at->friction > 0.4 / expected - 1e-3 && at->friction < 1);  // no contact uses less
  // 3 kg at 10 t m/s² beyond 20 N from 2/3 s on.
  const JudgeViolation* weak = first_of(&r, JUDGE_TORQUE);
  assert_non_null(weak);
  assert_true(fabs(weak->from - 2.0 / 3) < 0.002 && weak->limit == 20);
  judge_release(&r);
}

// The table lifts the whole body: a jump whose weight vanishes is feasible, with feet in the air.
static double hop(double t) {
  return 0.01 + (t < 0.2 ? 0 : 2 * (t - 0.2) - 0.5 * 9.81 * (t - 0.2) * (t - 0.2));
}
static double fly(double t) { return 0.01 + 0.1 * t; }

static JudgeReport judge_base(Path* z) {
  HeftModel* model = scene_model(foot);
  char* text = malloc(TEXT_MAX);
  size_t n = (size_t)snprintf(text, TEXT_MAX,
                              "time,base.x,base.y,base.z,base.qw,base.qx,base.qy,base.qz,slide\n");
  for (int i = 0; i <= 400; ++i)
    n += (size_t)snprintf(text + n, TEXT_MAX - n, "%.17g,0,0,%.17g,1,0,0,0,0\n", 1e-3 * i,
                          z(1e-3 * i));
  Csv table;
  HeftError error = {0};
  JudgeReport report;
  const JudgeDef def = judge_def_default();
  assert_int_equal(csv_read(&table, text, n, "test.csv", &error), HEFT_OK);
  assert_int_equal(judge_trajectory(model, &table, "test.csv", &def, &report, &error), HEFT_OK);
  csv_release(&table);
  free(text);
  heft_model_destroy(model);
  return report;
}

static void test_flight(void** state) {
  (void)state;
  JudgeReport r = judge_base(hop);  // free flight needs no force
  assert_null(first_of(&r, JUDGE_BALANCE));
  assert_int_equal(r.sample[300].contacts, 0);
  assert_true(r.sample[300].missing < 1e-6);
  judge_release(&r);
  r = judge_base(fly);  // steady flight does
  const JudgeViolation* v = first_of(&r, JUDGE_SUPPORT);
  assert_non_null(v);
  assert_true(fabs(v->from - 0.031) < 0.0015 && fabs(v->worst - 1) < 1e-6);  // beyond --touch
  judge_release(&r);
}

static double swing(double t) { return 1.2 * t; }

static void test_ranges_and_speeds(void** state) {
  (void)state;
  JudgeDef def = judge_def_default();
  def.speed = 1.1;
  JudgeReport r = judge_path(
      "<mujoco><worldbody><body><joint name='j' axis='0 1 0' range='-57.29577951308232 "
      "57.29577951308232'/><geom size='0.1' pos='0.5 0 0' mass='2'/></body></worldbody>"
      "<actuator><motor joint='j' ctrlrange='-5 5'/></actuator></mujoco>",
      "j", swing, 1, def);
  assert_int_equal(r.root, -1);
  const JudgeViolation *range = first_of(&r, JUDGE_RANGE), *speed = first_of(&r, JUDGE_SPEED),
                       *torque = first_of(&r, JUDGE_TORQUE);
  assert_non_null(range);
  assert_non_null(speed);
  assert_non_null(torque);
  assert_true(fabs(range->from - 1 / 1.2) < 0.0011);
  assert_true(speed->from == 0 && fabs(speed->worst - 1.2) < 1e-9);
  // m g l cos(q) = 9.81 at the start; below 5 from cos(q) = 0.5097 on, beyond the range.
  assert_true(torque->from == 0 && fabs(fabs(torque->worst) - 2 * 9.81 * 0.5) < 1e-6);
  judge_release(&r);
}

static void expect_error(const char* text, HeftStatus status, int line, const char* words) {
  HeftModel* model = scene_model(foot);
  Csv table;
  HeftError error = {0};
  JudgeReport report;
  JudgeDef def = judge_def_default();
  HeftStatus found = csv_read(&table, text, strlen(text), "test.csv", &error);
  if (found == HEFT_OK) {
    found = judge_trajectory(model, &table, "test.csv", &def, &report, &error);
    csv_release(&table);
  }
  assert_int_equal(found, status);
  assert_string_equal(error.file, "test.csv");
  assert_int_equal(error.line, line);
  assert_non_null(strstr(error.message, words));
  heft_model_destroy(model);
}

static void test_wrong_tables(void** state) {
  (void)state;
  expect_error("time,slide\n0,0\n1,0\n2,0\n3,0\n", HEFT_ERR_NAME, 1, "--support");
  expect_error("time,slied\n0,0\n1,0\n2,0\n3,0\n", HEFT_ERR_NAME, 1, "slide");
  expect_error("slide\n0\n0\n0\n0\n", HEFT_ERR_NAME, 1, "'time' is missing");
  expect_error("time,base.x,slide\n0,0,0\n1,0,0\n2,0,0\n3,0,0\n", HEFT_ERR_NAME, 1, "are missing");
  expect_error("time,slide\n0,0\n", HEFT_ERR_VALUE, 0, "4 to");
  expect_error("time,slide\n0,0\n1,0\n1,0\n3,0\n", HEFT_ERR_VALUE, 4, "does not come after");
  expect_error("time,slide\n0,x\n1,0\n1,0\n3,0\n", HEFT_ERR_SYNTAX, 2, "");
  expect_error("time,slide\n0,0\n1,2e9\n2,0\n3,0\n", HEFT_ERR_VALUE, 3, "is beyond");
  expect_error("time,slide\n0,0\n1e-12,0\n2,0\n3,0\n", HEFT_ERR_VALUE, 3, "does not come after");
}

// Any numbers that the reader takes give a report.
static void test_extreme_numbers(void** state) {
  (void)state;
  static const char* const number[] = {"0", "1e9", "-1e9", "1e-300", "0.01", "3", "-0", "1e5"};
  HeftModel* model = scene_model(foot);
  const JudgeDef def = judge_def_default();
  char text[4096];
  for (unsigned round = 0; round < 60; ++round) {
    unsigned draw = 12345 + 977 * round;
    size_t n = (size_t)snprintf(
        text, sizeof text, "time,base.x,base.y,base.z,base.qw,base.qx,base.qy,base.qz,slide\n");
    for (int i = 0; i < 6; ++i) {
      n += (size_t)snprintf(text + n, sizeof text - n, "%.9g", round % 2 ? 1e-9 * i : i);
      for (int k = 0; k < 8; ++k) {
        draw = draw * 1664525u + 1013904223u;
        n += (size_t)snprintf(text + n, sizeof text - n, ",%s", number[draw >> 29]);
      }
      n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    Csv table;
    HeftError error = {0};
    JudgeReport report;
    assert_int_equal(csv_read(&table, text, n, "test.csv", &error), HEFT_OK);
    assert_int_equal(judge_trajectory(model, &table, "test.csv", &def, &report, &error), HEFT_OK);
    assert_int_equal(report.sample_count, 6);
    for (int i = 0; i < report.sample_count; ++i) assert_true(report.sample[i].missing >= 0);
    judge_release(&report);
    csv_release(&table);
  }
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_standing_is_feasible), cmocka_unit_test(test_leaning_tips_over),
      cmocka_unit_test(test_fast_motion_slips),    cmocka_unit_test(test_flight),
      cmocka_unit_test(test_ranges_and_speeds),    cmocka_unit_test(test_wrong_tables),
      cmocka_unit_test(test_extreme_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
