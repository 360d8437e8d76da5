// SPDX-License-Identifier: Apache-2.0
// The log and assert hooks: who is set is called, with what was said; nobody set, nothing happens.
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "support/check.h"

typedef struct Heard {
  int count;
  HeftLogLevel level;
  char text[1024];
} Heard;

static void hear(void* user, HeftLogLevel level, const char* text) {
  Heard* heard = user;
  heard->count++;
  heard->level = level;
  snprintf(heard->text, sizeof heard->text, "%s", text);
}

static void test_log_reaches_the_hook(void** state) {
  (void)state;
  Heard heard = {0};
  heft_log_write(HEFT_LOG_WARNING, "nobody listens: %d", 1);
  heft_log_set_hook(hear, &heard);
  heft_log_write(HEFT_LOG_INFO, "mesh %s has %d faces", "arm", 12);
  assert_int_equal(heard.count, 1);
  assert_int_equal(heard.level, HEFT_LOG_INFO);
  assert_string_equal(heard.text, "mesh arm has 12 faces");
  heft_log_set_hook(NULL, NULL);
  heft_log_write(HEFT_LOG_WARNING, "nobody listens again");
  assert_int_equal(heard.count, 1);
}

static void test_long_lines_are_cut(void** state) {
  (void)state;
  Heard heard = {0};
  char text[900];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  heft_log_set_hook(hear, &heard);
  heft_log_write(HEFT_LOG_DEBUG, "%s", text);
  heft_log_set_hook(NULL, NULL);
  assert_int_equal(heard.count, 1);
  assert_int_equal(strlen(heard.text), 511);
}

static struct {
  int count, line;
  const char *condition, *file;
} failed;

static void note_failure(const char* condition, const char* file, int line) {
  failed.count++;
  failed.condition = condition;
  failed.file = file;
  failed.line = line;
}

static void test_assert_reaches_the_hook_and_goes_on(void** state) {
  (void)state;
  heft_assert_set_hook(note_failure);
  const int one = 1;
  HEFT_ASSERT(one == 1);
  assert_int_equal(failed.count, 0);
  HEFT_ASSERT(one == 2);
  const int line = __LINE__ - 1;
  assert_int_equal(failed.count, 1);
  assert_string_equal(failed.condition, "one == 2");
  assert_non_null(strstr(failed.file, "test_hooks.c"));
  assert_int_equal(failed.line, line);
  heft_assert_set_hook(NULL);
}

static int half_of(int even) {
  HEFT_REQUIRE(even % 2 == 0, -1);
  return even / 2;
}

static void set_to_one(int* out) {
  HEFT_REQUIRE_VOID(out);
  *out = 1;
}

static void test_what_is_required_returns_early_in_every_build(void** state) {
  (void)state;
  int one = 0;
  failed.count = 0;
  heft_assert_set_hook(note_failure);
  assert_int_equal(half_of(4), 2);
  set_to_one(&one);
  assert_int_equal(failed.count, 0);
  assert_int_equal(half_of(5), -1);
  assert_string_equal(failed.condition, "even % 2 == 0");
  set_to_one(NULL);
  assert_string_equal(failed.condition, "out");
  assert_int_equal(failed.count, 2);
  assert_int_equal(one, 1);
  heft_assert_set_hook(NULL);
}

static jmp_buf escape;

static void jump_out(const char* condition, const char* file, int line) {
  (void)condition, (void)file, (void)line;
  longjmp(escape, 1);
}

static void test_the_hook_need_not_return(void** state) {
  (void)state;
  heft_assert_set_hook(jump_out);
  if (setjmp(escape) == 0) {
    heft_assert_failed("a", "b", 1);
    fail_msg("the hook should have jumped");
  }
  heft_assert_set_hook(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_log_reaches_the_hook),
      cmocka_unit_test(test_long_lines_are_cut),
      cmocka_unit_test(test_assert_reaches_the_hook_and_goes_on),
      cmocka_unit_test(test_what_is_required_returns_early_in_every_build),
      cmocka_unit_test(test_the_hook_need_not_return),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
