// SPDX-License-Identifier: Apache-2.0
// Plans are read, and mistakes are told at their place with what to do; the hash depends on the
// meaning alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "sweep/csv.h"
#include "sweep/plan.h"

static HeftStatus read_text(Plan** plan, const char* text, HeftError* error) {
  *error = (HeftError){0};
  return plan_read_bytes(plan, text, strlen(text), "plan.toml", 0, error);
}

#define TOP "model = 'm.xml'\nduration = 1\nruns = 10\n"

// A plan, the place of its mistake, and a part of the message.
static const struct {
  const char* text;
  int line, column;
  const char* message;
} mistakes[] = {
    {"model = 'm.xml'\nruns = 10\n", 1, 1, "'duration' is missing"},
    {TOP "sed = 1\n", 4, 1, "unknown key 'sed' of the plan; did you mean 'seed'?"},
    {TOP "seed = 1.5\n", 4, 8, "expected a whole number"},
    {TOP "seed = -1\n", 4, 8, "expected 0 to"},
    {TOP "method = 'sobel'\n", 4, 10, "did you mean 'sobol'?"},
    {TOP "[[vari]]\nname = 'a'\n", 4, 1, "unknown table 'vari'; did you mean 'vary'?"},
    {TOP "[vary]\nname = 'a'\n", 4, 1, "is written [[vary]]"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'fricton'\n", 6, 8, "did you mean 'friction'?"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'friction'\nmin = 0\nmax = 1\n", 4, 1, "'of' is missing"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nof = 'x'\nmin = 0\nmax = 1\n", 7, 6,
     "leave out 'of'"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nmin = 1\nmax = 0\n", 8, 7, "expected 1 to"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nshape = 'log'\nmin = 0\nmax = 1\n", 8, 7,
     "expected 1e-300"},
    {TOP "[[vary]]\nname = 'a b'\nwhat = 'gravity_z'\n", 5, 8, "expected letters"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nvalues = [1, 2]\n", 3, 8, "use 'repeat'"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\nmin = 0\nmax = 1\n"
         "[[vary]]\nname = 'a'\nwhat = 'gravity_x'\nmin = 0\nmax = 1\n",
     9, 1, "two variations have the name 'a'"},
    {TOP "[[vary]]\nname = 'a'\nwhat = 'gravity_z'\ncolumn = 'a'\n", 4, 1, "needs list ="},
    {TOP "[[event]]\nname = 'fell'\nwhen = 'below'\nwhat = 'body_z'\nof = 'b'\n", 4, 1,
     "'value' is missing"},
    {TOP "[[measure]]\nname = 'z'\nwhat = 'body_z'\nof = 'b'\nkeep = ['maximum']\n", 8, 9,
     "unknown part 'maximum'"},
    {TOP "[log]\nruns = [3, 10]\n", 5, 12, "0 to 9"},
    {TOP "runs = 5\n", 4, 1, "a second time"},
    {TOP "x = [1, 'a']\n", 4, 12, "one type"},
    {TOP "x = 01\n", 4, 7, "expected a value"},
    {TOP "x = 1__0\n", 4, 6, "expected a value"},
    {TOP "x = 1e999\n", 4, 10, "too large"},
    {TOP "x = \"a\\q\"\n", 4, 8, "unknown escape"},
    {TOP "x = 'a\n", 4, 7, "ends on its line"},
    {TOP "x = '\xff'\n", 4, 6, "no UTF-8"},
    {TOP "x = [1, 2\n", 5, 1, "expected ',' or ']'"},
    {TOP "x 1\n", 4, 3, "expected '='"},
    {TOP "x = 1 2\n", 4, 7, "expected the end of the line"},
    {TOP "[control\n", 4, 9, "expected ']'"},
};

static void test_mistakes(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    Plan* plan;
    HeftError error;
    assert_true(read_text(&plan, mistakes[i].text, &error) != HEFT_OK);
    assert_null(plan);
    if (error.line != mistakes[i].line || error.column != mistakes[i].column ||
        !strstr(error.message, mistakes[i].message))
      fail_msg("%s\n%s:%d:%d: %s, expected %d:%d: %s", mistakes[i].text, error.file, error.line,
               error.column, error.message, mistakes[i].line, mistakes[i].column,
               mistakes[i].message);
  }
}

static Plan* plan_of(const char* text) {
  Plan* plan;
  HeftError error;
  if (read_text(&plan, text, &error) != HEFT_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return plan;
}

static void test_values(void** state) {
  (void)state;
  Plan* p = plan_of(
      "# a comment\n\tmodel = \"a\\u00e4\\\"\\\\b\" # another\r\nduration=1.5e-1\nruns = "
      "1_000_000\n"
      "final_state = true\nload = [ '--floor',\n  # inside\n  '--height', '1', ]\n"
      "[[vary]]\nname = 'mu'\nwhat = 'friction'\nof = ['a', 'b']\nmin = 0.1\nmax = +2\n"
      "[control]\nhold = 'home'\n[log]\nruns = [999_999]\n");
  assert_string_equal(p->model, "a\xc3\xa4\"\\b");
  assert_true(p->duration == 0.15);
  assert_int_equal(p->runs, 1000000);
  assert_int_equal(p->chunk, 1000);
  assert_int_equal(plan_chunk_count(p), 1000);
  assert_int_equal(p->final_state, 1);
  assert_int_equal(p->load_count, 3);
  assert_string_equal(p->load[2], "1");
  assert_int_equal(p->vary[0].of_all->count, 2);
  assert_true(p->vary[0].max == 2);
  assert_string_equal(p->control.hold, "home");
  assert_int_equal(p->log[0], 999999);
  plan_destroy(p);
}

static void test_hash(void** state) {
  (void)state;
  Plan* a = plan_of(TOP);
  Plan* b = plan_of("# other words\nmodel='elsewhere.xml'\n\nduration = 1.0 # s\nruns = 1_0\n");
  Plan* c = plan_of(TOP "seed = 1\n");
  assert_string_equal(a->sha256, b->sha256);
  assert_string_not_equal(a->sha256, c->sha256);
  plan_destroy(a);
  plan_destroy(b);
  plan_destroy(c);
}

static void test_csv(void** state) {
  (void)state;
  static const char good[] = "a, b ,c\n1,2,3\n\n-1e3, .5 ,0\r\n";
  static const struct {
    const char* text;
    int line;
    const char* message;
  } bad[] = {{"a,b\n1\n", 2, "expected 2 numbers, found 1"},
             {"a,b\n1,2,3\n", 2, "found more"},
             {"a,a\n1,2\n", 1, "two columns"},
             {"a,,b\n1,2,3\n", 1, "no name"},
             {"a\nx\n", 2, "expected a number"},
             {"a\nnan\n", 2, "expected a number"},
             {"a\n1e999\n", 2, "expected a number"},
             {"a\n", 2, "no rows"}};
  Csv csv;
  HeftError error = {0};
  assert_int_equal(csv_read(&csv, good, sizeof good - 1, "x.csv", &error), HEFT_OK);
  assert_int_equal(csv.columns, 3);
  assert_int_equal(csv.rows, 2);
  assert_int_equal(csv_find(&csv, "b"), 1);
  assert_true(csv.number[3] == -1000 && csv.number[4] == 0.5);
  csv_release(&csv);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_equal(csv_read(&csv, bad[i].text, strlen(bad[i].text), "x.csv", &error),
                     HEFT_ERR_SYNTAX);
    assert_int_equal(error.line, bad[i].line);
    assert_non_null(strstr(error.message, bad[i].message));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes), cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_hash), cmocka_unit_test(test_csv)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
