// SPDX-License-Identifier: Apache-2.0
// Fast bodies and thin ones: none passes through another, none that misses is touched.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/described.h"

static Stage open_stage(const char* text, double step) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = step;
  return stage_on(described(text), &def);
}

static void start(Stage* s, const double* q, const double* v) {
  HeftState* state = NULL;
  assert_int_equal(heft_state_create(&state, s->model, NULL, NULL), HEFT_OK);
  heft_state_copy(state, heft_world_state(s->world));
  if (q) memcpy(state->q, q, (size_t)s->model->nq * sizeof(double));
  if (v) memcpy(state->v, v, (size_t)s->model->nv * sizeof(double));
  assert_int_equal(heft_world_set_state(s->world, state), HEFT_OK);
  heft_state_destroy(state);
}

static const HeftState* run(Stage* s, int steps) {
  for (int i = 0; i < steps; ++i) assert_true(heft_step_taken(heft_world_step(s->world).status));
  return heft_world_state(s->world);
}

#define FREE_SPACE "<mujoco><option gravity=\"0 0 0\"/><worldbody>"
#define END "</worldbody></mujoco>"
#define BALL "<body pos=\"-3 0 0\"><freejoint/><geom type=\"sphere\" size=\".01\"/></body>"

// A ball stops where it touches a wall of 0.5 mm, in the step in which it arrives.
static void a_ball_stops_at_a_thin_wall(void** state) {
  (void)state;
  static const double speeds[] = {5, 30, 300};
  Stage s = open_stage(FREE_SPACE BALL "<geom type=\"box\" size=\".00025 1 1\"/>" END, 0.005);
  for (int i = 0; i < 3; ++i) {
    const double q[7] = {-0.01 - 0.00025 - 0.3 * 0.005 * speeds[i], 0, 0, 1, 0, 0, 0};
    const double v[6] = {speeds[i], 0, 0, 0, 0, 0};
    start(&s, q, v);
    const HeftState* after = run(&s, 1);
    CHECK_AT_MOST(fabs(after->q[0] + 0.01025), 2e-6);
    CHECK_AT_MOST(fabs(after->v[0]), 1e-6 * speeds[i]);  // the tolerance of a step
  }
  stage_close(&s);
}

// An elastic ball leaves as fast as it came, and never gets through.
static void an_elastic_ball_bounces_at_any_speed(void** state) {
  (void)state;
  HeftModel* m = described(FREE_SPACE BALL "<geom type=\"box\" size=\".00025 1 1\"/>" END);
  for (int i = 0; i < m->nmaterial; ++i) m->material_restitution[i] = 1;
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.005;
  def.tolerance = 1e-12;
  Stage s = stage_on(m, &def);
  for (int i = 0; i < 20; ++i) {
    const double speed = 3 + 15 * i, q[7] = {-0.011 - 0.04 * i, 0, 0, 1, 0, 0, 0};
    const double v[6] = {speed, 0, 0, 0, 0, 0};
    start(&s, q, v);
    const HeftState* after = run(&s, 60);
    CHECK_AT_MOST(fabs(after->v[0] / speed + 1), 1e-12);
    assert_true(after->q[0] < 0);
  }
  stage_close(&s);
}

// Three bodies in one step: a ball hits a plate, which hits a wall 5 mm behind it.
static void impacts_that_follow_each_other_hold(void** state) {
  (void)state;
  static const char text[] = FREE_SPACE BALL
      "<body><freejoint/><geom type=\"box\" size=\".001 .2 .2\" mass=\".01\"/></body>"
      "<geom type=\"box\" size=\".001 1 1\" pos=\".007 0 0\"/>" END;
  static const double steps[] = {0.001, 0.005, 0.02};
  for (int i = 0; i < 3; ++i) {
    Stage s = open_stage(text, steps[i]);
    const double q[14] = {-1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, v[12] = {200};
    start(&s, q, v);
    const HeftState* after = run(&s, 40);
    assert_true(after->q[0] < after->q[7] && after->q[7] < 0.007);
    stage_close(&s);
  }
}

// A door on a hinge swings against a thin stop: links of trees are swept, too.
static void a_door_does_not_pass_its_stop(void** state) {
  (void)state;
  static const char text[] = FREE_SPACE
      "<body><joint type=\"hinge\" axis=\"0 0 1\"/>"
      "<geom type=\"box\" size=\".5 .002 .5\" pos=\".5 0 0\"/></body>"
      "<geom type=\"box\" size=\".05 .001 .05\" pos=\".9 .35 0\"/>" END;
  Stage s = open_stage(text, 0.01);
  for (int i = 1; i <= 40; ++i) {
    const double q = -0.3 - 0.01 * i, v = 2.0 * i;
    start(&s, &q, &v);
    const HeftState* after = run(&s, 100);
    assert_true(after->q[0] < 0.4);
  }
  stage_close(&s);
}

// Two millimetres of a plate: ten that fall on each other keep their order.
static void falling_plates_keep_their_order(void** state) {
  (void)state;
  enum { PLATES = 10, TEXT = 4000 };
  static const double halves[] = {1e-3, 1e-4};
  for (int n = 0; n < 2; ++n) {
    char text[TEXT];
    int used = snprintf(text, TEXT, "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/>");
    for (int i = 0; i < PLATES; ++i)
      used += snprintf(text + used, (size_t)(TEXT - used),
                       "<body pos=\"0 0 %g\"><freejoint/><geom type=\"box\" size=\".1 .07 %g\"/>"
                       "</body>",
                       0.05 + 0.01 * i, halves[n]);
    snprintf(text + used, (size_t)(TEXT - used), END);
    Stage s = open_stage(text, 0.002);
    const HeftState* after = run(&s, 300);
    double below = 0;
    for (int i = 0; i < PLATES; ++i) {
      assert_true(after->q[7 * i + 2] > below);
      below = after->q[7 * i + 2];
    }
    stage_close(&s);
  }
}

// Balls that cross in flight at a distance of 10 µm, at 400 m/s against each other.
static void bodies_that_miss_are_not_touched(void** state) {
  (void)state;
  Stage s = open_stage(FREE_SPACE BALL BALL END, 0.01);
  for (int i = 0; i < 50; ++i) {
    const double q[14] = {-1 - 0.05 * i, 0.02001, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    const double v[12] = {300, 0, 0, 0, 0, 0, -100, 0, 0, 0, 0, 0};
    start(&s, q, v);
    const HeftState* after = run(&s, 3);
    for (int k = 0; k < 12; ++k) assert_true(after->v[k] == v[k]);
  }
  stage_close(&s);
}

// Balls that hit each other obliquely at any distance: momentum, angular momentum and energy.
static void oblique_impacts_at_a_distance_conserve(void** state) {
  (void)state;
  HeftModel* m = described(FREE_SPACE BALL BALL END);
  for (int i = 0; i < m->nmaterial; ++i) m->material_restitution[i] = 1;
  for (int i = 0; i < m->nmaterial; ++i) m->material_friction[i] = m->material_kinetic[i] = 0;
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 0.01;
  def.tolerance = 1e-12;
  Stage s = stage_on(m, &def);
  int hits = 0;
  for (int i = 0; i < 50; ++i) {
    const double q[14] = {-1 - 0.05 * i, 0.015, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    const double v[12] = {300, 0, 0, 0, 0, 0, -100, 0, 0, 0, 0, 0};
    start(&s, q, v);
    const Sums before = stage_sums(&s);
    const HeftState* now = run(&s, 3);
    const Sums after = stage_sums(&s);
    hits += now->v[1] != 0;
    CHECK_AT_MOST(fabs(after.kinetic / before.kinetic - 1), 1e-12);
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(after.angular, before.angular)),
                  1e-12 * heft_vec3_norm(before.angular));
  }
  assert_true(hits >= 40);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_stops_at_a_thin_wall),
      cmocka_unit_test(an_elastic_ball_bounces_at_any_speed),
      cmocka_unit_test(impacts_that_follow_each_other_hold),
      cmocka_unit_test(a_door_does_not_pass_its_stop),
      cmocka_unit_test(falling_plates_keep_their_order),
      cmocka_unit_test(bodies_that_miss_are_not_touched),
      cmocka_unit_test(oblique_impacts_at_a_distance_conserve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
