// SPDX-License-Identifier: Apache-2.0
#include <heft/heft.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void version_string_agrees_with_header(void** state) {
  (void)state;
  char expected[64];
  snprintf(expected, sizeof expected, "%d.%d.%d", HEFT_VERSION_MAJOR, HEFT_VERSION_MINOR,
           HEFT_VERSION_PATCH);
  assert_string_equal(heft_version(), expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_string_agrees_with_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
