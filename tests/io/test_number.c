// SPDX-License-Identifier: Apache-2.0
// Numbers as text: the nearest double, whatever the digits and whatever the locale.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/io.h>
#include <locale.h>
#include <math.h>
#include <cmocka.h>

#include "io/number.h"

static uint64_t next(uint64_t* s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static const char* read_text(const char* text, double* out) {
  return number_read(text, text + strlen(text), out);
}

static const char* read_int_text(const char* text, int* out) {
  return number_read_int(text, text + strlen(text), out);
}

static void expect_same(const char* text) {
  double ours = -1;
  const double theirs = strtod(text, NULL);  // the C library's, in the "C" locale: an oracle
  const char* end = number_read(text, text + strlen(text), &ours);
  if (!end || *end || memcmp(&ours, &theirs, sizeof ours) != 0)
    fail_msg("'%.60s' read as %a, expected %a", text, ours, theirs);
}

static void test_known_hard_cases(void** state) {
  (void)state;
  static const char* const cases[] = {"0",
                                      "-0",
                                      "1",
                                      "-1.5",
                                      ".5",
                                      "5.",
                                      "+3e2",
                                      "1e22",
                                      "1e23",
                                      "9007199254740993",
                                      "9007199254740992.5",
                                      "9007199254740993.0000000000000000000000001",
                                      "2.2250738585072014e-308",
                                      "2.2250738585072011e-308",
                                      "4.9e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "1e400",
                                      "1e-400",
                                      "0.1",
                                      "0.30000000000000004",
                                      "123456789012345678901234567890",
                                      "1e-22",
                                      "8.5e-23",
                                      "6.8228750931012345e-12",
                                      "3.0e-45",
                                      "000000000000000000000000000001.5",
                                      "0.000000000000000000000000000000000000000000000015",
                                      "1448997445238699",
                                      "7.5e15",
                                      "104110013277974872254e-225",
                                      "5e-324",
                                      "3e-324",
                                      "2e-324",
                                      "1e309",
                                      "0e999999999"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) expect_same(cases[i]);
  char longest[1200];
  memset(longest, '7', sizeof longest);
  longest[0] = '0';
  longest[1] = '.';
  longest[sizeof longest - 1] = '\0';
  expect_same(longest);
  // halfway between two doubles, with a last digit 900 places on that decides
  char half[1100] = "9007199254740993.";
  const size_t length = strlen(half);
  memset(half + length, '0', 1000);
  half[length + 1000] = '\0';
  expect_same(half);
  half[length + 999] = '1';
  expect_same(half);
}

static void test_random_numbers(void** state) {
  (void)state;
  uint64_t seed = 88172645463325252u;
  char text[400];
  for (int i = 0; i < 40000; ++i) {
    const uint64_t bits = next(&seed);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) continue;
    snprintf(text, sizeof text, "%.*e", (int)(next(&seed) % 25), x);
    expect_same(text);
    const double y = (double)(int64_t)next(&seed) * 1e-18;
    snprintf(text, sizeof text, "%.*g", 1 + (int)(next(&seed) % 19), y);
    expect_same(text);
  }
  for (int i = 0; i < 3000; ++i) {  // exactly halfway: long expansions
    const uint64_t bits = (next(&seed) & 0x000FFFFFFFFFFFFFu) | ((960 + next(&seed) % 120) << 52);
    double x;
    memcpy(&x, &bits, sizeof x);
    const double up = nextafter(x, 10 * fabs(x));
    snprintf(text, sizeof text, "%.200Lg", ((long double)x + (long double)up) / 2);
    expect_same(text);
  }
}

static void test_written_numbers_read_back(void** state) {
  (void)state;
  uint64_t seed = 3;
  char text[NUMBER_SIZE];
  double back;
  for (int i = 0; i < 40000; ++i) {
    const uint64_t bits = next(&seed);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (i % 2) x = (double)(int64_t)bits * 1e-19;
    if (!isfinite(x)) continue;
    const int length = number_write(x, text);
    assert_non_null(number_read(text, text + length, &back));
    assert_memory_equal(&x, &back, sizeof x);
  }
  number_write(0.1, text);
  assert_string_equal(text, "0.1");
  number_write(-0.0, text);
  assert_string_equal(text, "-0");
}

static void test_what_is_no_number(void** state) {
  (void)state;
  static const char* const cases[] = {"", "-", "+", ".", "e5", "nan", "inf", "-inf", "abc", ",5"};
  double x;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_null(number_read(cases[i], cases[i] + strlen(cases[i]), &x));
  const char* rest = read_text("1e", &x);
  assert_string_equal(rest, "e");
  int n;
  assert_null(read_int_text("2147483648", &n));
  assert_non_null(read_int_text("-2147483648", &n));
  assert_int_equal(n, -2147483647 - 1);
  assert_null(read_int_text("x", &n));
}

// A locale with a decimal comma, made on the spot where the machine has none.
static int make_comma_locale(char* folder) {
  char command[600];
  if (!mkdtemp(folder)) return 0;
  snprintf(command, sizeof command,
           "cd '%s' && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\ngrouping "
           "3;3\\nEND LC_NUMERIC\\n' >source && localedef -c -i source ./comma >log 2>&1",
           folder);
  if (system(command) < 0)
    return 0;  // it warns about the other categories, and says so in its code
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_NUMERIC, "comma") != NULL;
}

static void test_locale_changes_nothing(void** state) {
  (void)state;
  static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ps_AF"};
  char folder[] = "heft_locale_XXXXXX", command[100], comma[16];
  int found = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; ++i)
    found = setlocale(LC_NUMERIC, names[i]) != NULL;
  if (!found) found = make_comma_locale(folder);
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  char text[NUMBER_SIZE];
  number_write(1.5, text);
  double x = 0;
  const char* end = read_text("2.25", &x);
  static const char file[] =
      "<mujoco><worldbody><body pos='.5 0 0'><joint/><geom "
      "size='.25'/></body></worldbody></mujoco>";
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  const HeftStatus status = heft_model_load_bytes(&model, file, strlen(file), "x", &def, NULL);
  setlocale(LC_NUMERIC, "C");
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (!strstr(folder, "XXXXXX")) assert_int_equal(system(command), 0);
  if (!found) fail_msg("there is no locale with a decimal comma, and localedef could not make one");
  assert_string_equal(comma, "1,5");
  assert_string_equal(text, "1.5");
  assert_true(x == 2.25 && *end == '\0');
  assert_int_equal(status, HEFT_OK);
  assert_true(model->body_pos[3] == 0.5 && model->shape_size[0] == 0.25);
  heft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_hard_cases),          cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_written_numbers_read_back), cmocka_unit_test(test_what_is_no_number),
      cmocka_unit_test(test_locale_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
