// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R75, R76.
// Measured columns beside an experiment: counterparts by name and by source, sums of plates, gaps,
// filters, the shift in time; a marker that leads a motion; and how far two runs are apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/measured.h"
#include "experiments/open_loop.h"
#include "experiments/trace.h"

enum { ROWS = 200, COLUMNS = 6 };
static const char* columns[COLUMNS] = {"time",      "height",   "plate1.fz",
                                       "plate2.fz", "marker.z", "marker.x"};
static double numbers[ROWS * COLUMNS];

static double signal_at(double t) { return heft_sin(7 * t); }

// Every 10 ms; heights are missing for a second.
static LabMeasured made_table(void) {
  for (int i = 0; i < ROWS; ++i) {
    const double t = 0.01 * i,
                 row[COLUMNS] = {
                     t, i < 100 ? t : (double)NAN, 300 + 10 * signal_at(t), 200, 1 - 0.02 * t, 5};
    memcpy(numbers + (long)COLUMNS * i, row, sizeof row);
  }
  return (LabMeasured){
      .table = {{columns, COLUMNS, ROWS, numbers}}, .tables = 1, .name = "measured"};
}

static void is_near(double x, double wanted, double tolerance) {
  if (!(fabs(x - wanted) <= tolerance)) fail_msg("%.9g, expected %.9g", x, wanted);
}

static void values_lie_between_rows(void** state) {
  (void)state;
  LabMeasured m = made_table();
  double x;
  assert_true(measured_at(&m, "height", 0.123, &x));
  is_near(x, 0.123, 1e-12);
  assert_true(measured_at(&m, "plates.fz", 0.5, &x));
  is_near(x, 500 + 10 * signal_at(0.5), 1e-9);
  assert_false(measured_at(&m, "height", 1.5, &x));       // a gap
  assert_false(measured_at(&m, "height", -0.01, &x));     // before
  assert_false(measured_at(&m, "plate1.fz", 1.995, &x));  // behind
  assert_false(measured_at(&m, "plate3.fz", 0.5, &x));
  m.begin = 0.1;
  assert_true(measured_at(&m, "height", 0.2, &x));
  is_near(x, 0.1, 1e-12);
}

static void channels_find_their_counterparts(void** state) {
  (void)state;
  const LabMeasured m = made_table();
  LabDifference d[LAB_CHANNELS_MAX];
  Lab lab = lab_make(".");
  static const char* const names[] = {"time", "height", "force", "smooth", "other"};
  lab_channels(&lab, 5, names);
  lab_source(&lab, "force", "plates.fz", -1, 0);
  lab_source(&lab, "smooth", "plate1.fz", 1, 20);
  lab_panel(&lab, "forces", "N", (const char*[]){"force", "other", NULL});
  for (int i = 0; i < 1900; ++i) {
    const double t = 0.001 * i,
                 row[5] = {t, t + 2, -500 - 10 * signal_at(t), 300 + 10 * signal_at(t), 0};
    lab_log(&lab, row);
  }
  assert_int_equal(lab_compare(&lab, &m, d), 3);
  assert_int_equal(d[0].channel, 1);
  assert_int_equal(d[0].rows, 991);  // until the gap
  is_near(d[0].rms, 2, 1e-9);
  is_near(d[0].signal, 0.991 / sqrt(12), 1e-3);
  assert_int_equal(d[1].rows, 1900);
  is_near(d[1].rms, 0, 0.01);  // a straight line between rows is as far as 49 * 10 * 0.01² / 8
  is_near(d[1].signal, 10 / sqrt(2), 0.4);
  is_near(d[2].rms, 10 * 7 / sqrt(2) * 0.0257, 0.1);  // the delay of the filter: 3.236 / (40 pi) s
  assert_int_equal(lab.log.channel_count, 8);
  assert_string_equal(lab.log.name[6], "measured force");
  assert_int_equal(lab.panel[0].count, 3);
  assert_int_equal(lab.panel[0].channel[2], 6);
  is_near(lab_value(&lab, 100, 6), -500 - 10 * signal_at(0.1), 1e-9);
  is_near(lab_value(&lab, 1899, 1), 3.899, 1e-12);
  lab_release(&lab);
}

// The centre of mass of the planned motion goes where the marker goes.
static void a_marker_leads_the_motion(void** state) {
  (void)state;
  LabMeasured m = made_table();
  double com[2][2];
  for (int k = 0; k < 2; ++k) {
    Lab lab = lab_make(HEFT_MODEL_DIR);
    struct {
      double depth, law, force;
    } squat = {0, 1, 0};
    m.marker = "marker";
    if (k) lab.measured = &m;
    if (!act_open(&act_squat, &lab, &squat)) fail_msg("%s", lab.error);
    for (int i = 0; i < 2; ++i) {
      heft_dynamics_kinematics(lab.sketch, lab.motion + 150L * i * lab.model->nq);
      com[k][i] = heft_dynamics_center_of_mass(lab.sketch, lab.model->joint_body[0]).z;
    }
    lab_release(&lab);
  }
  is_near(com[1][0], com[0][0], 1e-6);
  is_near(com[0][1], com[0][0], 1e-6);
  is_near(com[1][1], com[0][0] - 0.03, 1e-6);  // 0.02 m/s for 1.5 s
}

static void runs_are_apart_by_their_changes(void** state) {
  (void)state;
  static char own_names[4][48] = {"time", "plate1.fz", "torque.knee", "angle.knee"};
  static const char* names[4] = {"time", "plate1.fz", "torque.knee", "angle.knee"};
  static double own[400], other[400];
  for (int i = 0; i < 100; ++i) {
    const double s = i % 2 ? 1 : -1, row[4] = {i, 100 + 10 * s, s, s};
    const double row2[4] = {i, 101 + 10 * s, i > 50 ? 1.5 * s : 9, s};
    memcpy(own + 4L * i, row, sizeof row);
    memcpy(other + 4L * i, row2, sizeof row2);
  }
  const LabTrace trace = {
      .name = own_names, .number = own, .columns = 4, .rows = 100, .room = 100, .every = 1};
  HeftC3dTable table = {names, 4, 100, other};
  LabApart a = lab_apart(&trace, &table, 51);
  is_near(a.force, 0.1, 1e-9);
  is_near(a.torque, 0.5, 1e-9);
  is_near(a.angle, 0, 0);
  assert_true(isinf(a.com));  // nothing to compare is not "the same"
  table.rows = 98;            // it fell
  a = lab_apart(&trace, &table, 51);
  assert_true(isinf(a.force) && isinf(a.angle));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_lie_between_rows),
                                     cmocka_unit_test(channels_find_their_counterparts),
                                     cmocka_unit_test(a_marker_leads_the_motion),
                                     cmocka_unit_test(runs_are_apart_by_their_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
