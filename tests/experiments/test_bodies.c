// SPDX-License-Identifier: Apache-2.0
// Experiments that measure what head, arm, wrist and gripper do; apart from the others, so that
// mistakes can be planted in those (mutations.txt). HEFT_LONG=1 runs them in full.
#include "support/experiment_claims.h"

static void runs(const char* name) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  check_experiment(experiment_find(name), &lab, getenv("HEFT_LONG") != NULL,
                   getenv("HEFT_SHORT") == NULL);
  lab_release(&lab);
}

static void test_greet(void** state) {
  (void)state;
  runs("greet");
}

static void test_share(void** state) {
  (void)state;
  runs("share");
}

static void test_pillar(void** state) {
  (void)state;
  runs("pillar");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_greet), cmocka_unit_test(test_share),
                                     cmocka_unit_test(test_pillar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
