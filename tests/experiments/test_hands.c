// SPDX-License-Identifier: Apache-2.0
// A user whose hand no script moves (experiments/person.h) succeeds, and the robot does not fall. A
// robot that ignores the hand fails. `heft experiment --all --hands 100` runs all tasks with many.
#include "experiments/hands.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_succeeds),
                                     cmocka_unit_test(test_robot_that_ignores_the_hand_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
