// SPDX-License-Identifier: Apache-2.0
// Users whose hands no script moves (experiments/person.h): the tasks sofa, carry, table and follow
// succeed for hands up to 3 cm off, at half to twice the usual speed, with pauses; nobody falls. A
// robot that ignores the hand fails. HEFT_LONG=1: 100 hands for each task, at least 95 of which
// succeed. HEFT_HANDS="task first count [off [stiff]]" prints a row for each of some hands.
#include "experiments/hands.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

static const double off = 0.03;

static Hands run(const char* task, int seed, double error, int stiff) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  Hands h;
  if (!hands_run(&lab, task, (uint64_t)seed, error, stiff, &h)) fail_msg("%s: %s", task, lab.error);
  lab_release(&lab);
  return h;
}

static void print(const char* task, int seed, const Hands* h) {
  printf("%s %d: %s%s%s, lifted %.0f mm, %.2f of a way, %d misses, %.1f s; the robot %s%s%s\n",
         task, seed, h->success ? "succeeds" : "FAILS", h->upright ? "" : ", falls",
         h->done ? "" : ", not done", 1e3 * h->lifted, h->least, h->tries, h->takes,
         task_state(&h->task), h->task.reason ? ": " : "", task_reason(h->task.reason));
  fflush(stdout);
}

static int count(const char* task, int first, int hands, double error, int stiff, int all) {
  int good = 0, falls = 0;
  for (int i = first; i < first + hands; ++i) {
    const Hands h = run(task, i, error, stiff);
    good += h.success;
    falls += !h.upright;
    if (all || !h.success) print(task, i, &h);
  }
  printf("%s: %d of %d succeed, %d fall\n", task, good, hands, falls);
  assert_int_equal(falls, 0);
  return good;
}

static void test_hands_succeed(void** state) {
  (void)state;
  static const char* const tasks[] = {"sofa", "carry", "table", "follow"};
  if (!getenv("HEFT_LONG")) {
    assert_int_equal(count("carry", 0, 1, off, 0, 0), 1);
    return;
  }
  for (int i = 0; i < 4; ++i)
    if (count(tasks[i], 0, 100, off, 0, 0) < 95) fail_msg("%s: fewer than 95 of 100", tasks[i]);
}

static void test_robot_that_ignores_the_hand_fails(void** state) {
  (void)state;
  const Hands h = run("carry", 0, off, 1);
  assert_false(h.success);
  assert_true(h.upright);
}

static void test_some(void** state) {
  (void)state;
  char task[16] = "";
  int first = 0, hands = 0, stiff = 0;
  double error = off;
  const char* asked = getenv("HEFT_HANDS");
  if (sscanf(asked, "%15s %d %d %lf %d", task, &first, &hands, &error, &stiff) < 3 ||
      !person_plan(task))
    fail_msg("HEFT_HANDS is \"task first count [off [stiff]]\"");
  count(task, first, hands, error, stiff, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hands_succeed),
                                     cmocka_unit_test(test_robot_that_ignores_the_hand_fails)},
                          some[] = {cmocka_unit_test(test_some)};
  if (getenv("HEFT_HANDS")) return cmocka_run_group_tests(some, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
