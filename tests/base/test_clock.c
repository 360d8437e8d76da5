// SPDX-License-Identifier: Apache-2.0
// The clock never runs backwards, and counts nanoseconds.
#include <heft/base.h>
#include <time.h>

#include "support/check.h"

static void test_never_runs_backwards(void** state) {
  (void)state;
  uint64_t before = heft_clock_ns();
  for (int i = 0; i < 200000; ++i) {
    const uint64_t now = heft_clock_ns();
    assert_true(now >= before);
    before = now;
  }
}

static void test_counts_nanoseconds(void** state) {
  (void)state;
  const uint64_t begin = heft_clock_ns();
  const struct timespec pause = {.tv_nsec = 20000000};
  nanosleep(&pause, NULL);
  const uint64_t passed = heft_clock_ns() - begin;
  assert_true(passed >= 19000000);              // a little slack for the grain of the clock
  assert_true(passed < UINT64_C(20000000000));  // even on a very busy machine
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_never_runs_backwards),
      cmocka_unit_test(test_counts_nanoseconds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
