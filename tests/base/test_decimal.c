// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text: the nearest double, and the fewest digits that read back to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <math.h>
#include <cmocka.h>

#include "base/decimal.h"

static uint64_t next(uint64_t* s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static const char* read_text(const char* text, double* out) {
  return heft_decimal_read(text, text + strlen(text), out);
}

static const char* read_int_text(const char* text, int* out) {
  return heft_decimal_read_int(text, text + strlen(text), out);
}

static void expect_same(const char* text) {
  double ours = -1;
  const double theirs = strtod(text, NULL);  // the C library's, in the "C" locale: an oracle
  const char* end = heft_decimal_read(text, text + strlen(text), &ours);
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
  char text[HEFT_DECIMAL_SIZE];
  double back;
  for (int i = 0; i < 40000; ++i) {
    const uint64_t bits = next(&seed);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (i % 2) x = (double)(int64_t)bits * 1e-19;
    if (!isfinite(x)) continue;
    const int length = heft_decimal_write(x, text);
    assert_non_null(heft_decimal_read(text, text + length, &back));
    assert_memory_equal(&x, &back, sizeof x);
  }
  heft_decimal_write(0.1, text);
  assert_string_equal(text, "0.1");
  heft_decimal_write(-0.0, text);
  assert_string_equal(text, "-0");
}

static void test_what_is_no_number(void** state) {
  (void)state;
  static const char* const cases[] = {"",     "-",   "+",  ".",   "e5",  "nan", "inf",
                                      "-inf", "abc", ",5", "--1", "+-1", "-.e5"};
  double x;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_null(heft_decimal_read(cases[i], cases[i] + strlen(cases[i]), &x));
  // the first character after the number is returned
  static const char* const rests[][2] = {{"1e", "e"},     {"1e+", "e+"}, {"0x10", "x10"},
                                         {"1.2.3", ".3"}, {"12a", "a"},  {"5,", ","}};
  for (size_t i = 0; i < sizeof rests / sizeof *rests; ++i)
    assert_string_equal(read_text(rests[i][0], &x), rests[i][1]);
  int n;
  assert_null(read_int_text("2147483648", &n));
  assert_non_null(read_int_text("-2147483648", &n));
  assert_int_equal(n, -2147483647 - 1);
  assert_null(read_int_text("x", &n));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_hard_cases),
      cmocka_unit_test(test_random_numbers),
      cmocka_unit_test(test_written_numbers_read_back),
      cmocka_unit_test(test_what_is_no_number),

  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
