// SPDX-License-Identifier: Apache-2.0
// A recorded run in place of a simulation: rows are shown at their time, by the clock or as asked
// for; plots get samples of the whole run; a second run is the ghost; a damaged row is told.
#include <heft/view.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "scenes/scenes.h"
#include "support/check.h"

enum { ROWS = 20000, DAMAGED = 12345 };

// Row i is at i milliseconds; the first coordinate moves by a speed.
typedef struct Tale {
  const HeftModel* model;
  double speed;
} Tale;

static HeftModel* model;
static Tale tale, other_tale;
static HeftSimulation* simulation;

static double row_time(void* user, long row) {
  (void)user;
  return 1e-3 * (double)row;
}

static int read_row(void* user, long row, HeftViewFrame* frame, int contact_capacity) {
  const Tale* t = user;
  if (row == DAMAGED || row < 0 || row >= ROWS || contact_capacity < 1) return 0;
  frame->time = row_time(user, row);
  memcpy(frame->q, t->model->q_default, (size_t)t->model->nq * sizeof(double));
  frame->q[0] += t->speed * frame->time;
  frame->contact_count = 1;
  frame->contact[0] = (HeftContact){.body_a = 0, .body_b = 1, .force = {0, 0, 5}};
  frame->report = (HeftStepReport){.kinetic = (double)row, .time = frame->time};
  frame->plugin_value_count = 1;
  frame->plugin_value[0].value = 2 * (double)row;
  return 1;
}

static void open_run(int running, int compare) {
  HeftSimulationDef def = heft_simulation_def_default();
  HeftError error = {0};
  const HeftRecording run = {.user = &tale, .row_count = ROWS, .time = row_time, .read = read_row};
  const HeftRecording other = {
      .user = &other_tale, .row_count = ROWS / 2, .time = row_time, .read = read_row};
  def.running = running;
  assert_int_equal(heft_simulation_create_recorded(&simulation, model, &run,
                                                   compare ? &other : NULL, &def, &error),
                   HEFT_OK);
}

static int open_all(void** state) {
  (void)state;
  model = scene_create("humanoid", NULL);
  tale = (Tale){model, 1};
  other_tale = (Tale){model, 1.5};
  return 0;
}

static int close_all(void** state) {
  (void)state;
  heft_simulation_destroy(simulation);
  simulation = NULL;
  heft_model_destroy(model);
  return 0;
}

static void nap(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

// The frame that shows a row.
static const HeftViewFrame* wait_row(long row) {
  for (int i = 0; i < 60000; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(simulation, NULL);
    if (f->step == row) return f;
    nap();
  }
  fail_msg("row %ld was not shown", row);
  return NULL;
}

static void any_time_can_be_shown(void** state) {
  (void)state;
  open_run(0, 0);
  const HeftViewFrame* f = heft_simulation_frame(simulation, NULL);
  assert_true(f->step == 0 && f->row_count == ROWS && !f->running && !f->ghost);
  assert_true(f->first == 0 && fabs(f->last - 1e-3 * (ROWS - 1)) < 1e-9);
  assert_true(heft_simulation_rewind(simulation, 7.0004));
  f = wait_row(7000);
  assert_true(f->time == row_time(NULL, 7000));
  assert_true(fabs(f->q[0] - model->q_default[0] - 7) < 1e-9);
  assert_true(f->contact_count == 1 && f->contact[0].force.z == 5);
  assert_true(f->seeks == 1);
  assert_true(heft_simulation_step(simulation, 1));
  wait_row(7001);
  assert_true(heft_simulation_step(simulation, -10));
  wait_row(6991);
  assert_true(heft_simulation_rewind(simulation, 1e9));
  wait_row(ROWS - 1);
  assert_true(heft_simulation_rewind(simulation, -1e9));
  wait_row(0);
  assert_true(heft_simulation_reset(simulation, -1));
}

static void it_plays_by_the_clock(void** state) {
  (void)state;
  open_run(1, 0);
  assert_true(heft_simulation_factor(simulation, 16));
  const uint64_t begin = heft_clock_ns();
  wait_row(ROWS - 1);  // it stops there
  assert_true((double)(heft_clock_ns() - begin) * 1e-9 > 0.9 * ROWS * 1e-3 / 16);
  for (int i = 0; i < 10000 && heft_simulation_frame(simulation, NULL)->running; ++i) nap();
  assert_false(heft_simulation_frame(simulation, NULL)->running);
  assert_true(heft_simulation_rewind(simulation, 1e-3 * DAMAGED));
  assert_true(heft_simulation_run(simulation, 1));
  wait_row(ROWS - 1);  // a damaged row does not end it
}

// Samples of the whole run arrive in the order of time, each with the values of its row.
static void plots_see_the_whole_run(void** state) {
  (void)state;
  double last = -1e-3;
  int fresh = 0;
  open_run(0, 1);
  for (int i = 0; i < 60000 && last < 1e-3 * (ROWS - 1) - 1e-9; ++i) {
    const HeftViewFrame* f = heft_simulation_frame(simulation, &fresh);
    for (int k = 0; fresh && k < f->sample_count; ++k) {
      const HeftSample *s = &f->sample[k], *o = &f->other_sample[k];
      const long row = (long)(1e3 * s->time + 0.5);
      if (s->time <= last) continue;  // of a frame that was seen
      assert_true(s->time - last < 0.0025);
      last = s->time;
      if (row == DAMAGED) continue;
      assert_true(s->value[HEFT_PLOT_KINETIC] == (float)row);
      assert_true(s->plugin_value[0] == (float)(2 * row));
      assert_true(o->time == s->time);
      if (row < ROWS / 2) assert_true(o->value[HEFT_PLOT_KINETIC] == (float)row);
      if (row > ROWS / 2) assert_true(isnan(o->value[HEFT_PLOT_KINETIC]));
    }
    if (!fresh) nap();
  }
  assert_true(last > 1e-3 * (ROWS - 1) - 1e-6);
}

static void the_second_run_is_the_ghost(void** state) {
  (void)state;
  open_run(0, 1);
  assert_true(heft_simulation_rewind(simulation, 4));
  const HeftViewFrame* f = wait_row(4000);
  assert_true(f->ghost);
  assert_true(fabs(f->ghost_q[0] - model->q_default[0] - 6) < 1e-9);
  assert_true(fabs(f->ghost_distance - 2) < 1e-9);
}

static void what_is_impossible_is_told(void** state) {
  (void)state;
  const HeftSimulationSettings settings = heft_simulation_settings_default();
  open_run(0, 0);
  assert_true(heft_simulation_set_settings(simulation, &settings));
  for (int i = 0; i < 10000 && !heft_simulation_frame(simulation, NULL)->trouble[0]; ++i) nap();
  assert_non_null(strstr(heft_simulation_frame(simulation, NULL)->trouble, "recorded"));
  assert_true(heft_simulation_rewind(simulation, 1e-3 * DAMAGED));
  for (int i = 0; i < 10000 && heft_simulation_frame(simulation, NULL)->seeks < 1; ++i) nap();
  assert_non_null(strstr(heft_simulation_frame(simulation, NULL)->trouble, "damaged"));
  assert_true(heft_simulation_rewind(simulation, 1));
  assert_true(wait_row(1000)->trouble[0] == '\0');
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(any_time_can_be_shown, open_all, close_all),
      cmocka_unit_test_setup_teardown(it_plays_by_the_clock, open_all, close_all),
      cmocka_unit_test_setup_teardown(plots_see_the_whole_run, open_all, close_all),
      cmocka_unit_test_setup_teardown(the_second_run_is_the_ghost, open_all, close_all),
      cmocka_unit_test_setup_teardown(what_is_impossible_is_told, open_all, close_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
