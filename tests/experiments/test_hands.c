// SPDX-License-Identifier: Apache-2.0
// A user whose hand no script moves (experiments/person.h) succeeds, and the robot does not fall. A
// robot that ignores the hand fails. A robot nods to a handshake and goes where it is led. `heft
// experiment --all --hands 100` runs all tasks with many; the long form (HEFT_LONG=1) runs five
// whole welcomes.
#include "experiments/hands.h"

#include <stdlib.h>

#include "support/check.h"

static Hands run(int stiff) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  Hands h;
  if (!hands_run(&lab, "carry", 0, stiff, &h)) fail_msg("carry: %s", lab.error);
  lab_release(&lab);
  return h;
}

static void test_hand_succeeds(void** state) {
  (void)state;
  const Hands h = run(0);
  assert_true(h.success);
  assert_true(h.upright);
  assert_string_equal(task_reason(h.task.reason), "");
}

static void test_robot_that_ignores_the_hand_fails(void** state) {
  (void)state;
  const Hands h = run(1);
  assert_false(h.success);
  assert_true(h.upright);
}

static double feet(Lab* lab) {
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  return 0.5 * (heft_dynamics_body_pose(d, lab_body(lab, "left_foot")).pos.x +
                heft_dynamics_body_pose(d, lab_body(lab, "right_foot")).pos.x);
}

// How far the feet go with a person who shakes the robot's hand and leads it for a while [m].
static double led(int stiff, double* nod) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  InteractiveKind kind = *interactive_find("welcome");
  InteractiveScene m = {.stiff = stiff};
  Encounter e = {0};
  Person p = person_make(person_plan("welcome"), 0);
  kind.way_count[0] = 0;
  if (!interactive_open(&m, &kind, &lab) || !encounter_open(&e, &m)) fail_msg("%s", lab.error);
  const double end = stiff ? 7 : 9, start = feet(&lab);
  while (lab_time(&lab) < end) {
    person_act(&p, &e, &m);
    encounter_step(&e, &m);
  }
  assert_true(lab_upright(&lab));
  *nod = m.data->nod;
  const double way = feet(&lab) - start;
  encounter_close(&e);
  interactive_close(&m);
  lab_release(&lab);
  return way;
}

static void test_robot_is_met_and_led(void** state) {
  (void)state;
  double nod = 0;
  const double way = led(0, &nod);
  printf("led by %.0f mm, nods by %.2f rad\n", 1e3 * way, nod);
  CHECK_AT_MOST(0.2, nod);
  CHECK_AT_MOST(0.05, way);
  if (getenv("HEFT_SHORT")) return;
  CHECK_AT_MOST(led(1, &nod), 0.02);
}

static void test_both_carry_the_box(void** state) {
  (void)state;
  if (!getenv("HEFT_LONG")) return;  // minutes
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Lab lab = lab_make(HEFT_MODEL_DIR);
    Hands h;
    if (!hands_run(&lab, "welcome", seed, 0, &h)) fail_msg("%s", lab.error);
    assert_true(h.success);
    lab_release(&lab);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_succeeds),
                                     cmocka_unit_test(test_robot_that_ignores_the_hand_fails),
                                     cmocka_unit_test(test_robot_is_met_and_led),
                                     cmocka_unit_test(test_both_carry_the_box)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
