// SPDX-License-Identifier: Apache-2.0
// Plans are read, and mistakes are told at their place with what to do; the hash depends on the
// meaning alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"
#include "sweep/csv.h"
#include "sweep/plan.h"
#include "sweep/toml.h"

static HeftStatus read_text(Plan** plan, const char* text, HeftError* error) {
  *error = (HeftError){0};
  return plan_read_bytes(plan, text, strlen(text), "plan.toml", 0, error);
}

#define VARY(what) "[[vary]]\nname = 'a'\nwhat = '" what "'\n"
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
    {"duration = 1\nruns = 10\n", 1, 1, "'model' is missing"},
    {"model = 'm.xml'\nduration = 1\n", 1, 1, "'runs' is missing"},
    {TOP "key = 1\n", 4, 7, "expected a text in quotes"},
    {TOP "key = ''\n", 4, 7, "'key' of the plan is empty"},
    {TOP "final_state = 1\n", 4, 15, "expected true or false"},
    {TOP "repeat = 2\n", 4, 10, "use 'runs'"},
    {TOP "load = ['--floor', 1]\n", 4, 21, "one type"},
    {TOP "load = [1]\n", 4, 9, "expected at most 64 texts"},
    {TOP VARY("gravity_z") "values = []\n", 7, 10, "the list is empty"},
    {TOP VARY("gravity_z") "values = ['a']\n", 7, 10, "expected a list of numbers"},
    {TOP VARY("gravity_z") "shape = 'grid'\nmin = 0\nmax = 1\n", 4, 1, "a grid needs 'values'"},
    {TOP VARY("gravity_z") "shape = 'log'\ncount = 2\n", 4, 1, "are of the shape grid"},
    {TOP VARY("gravity_z") "shape = 'normal'\nmean = 0\ndeviation = 1\nmin = 0\nmax = 0\n", 4, 1,
     "min equals max"},
    {TOP VARY("key") "values = [1]\n", 7, 10, "names of keyframes"},
    {TOP VARY("key") "count = 2\n", 4, 1, "a keyframe needs values"},
    {TOP VARY("key") "min = 0\nmax = 1\n", 4, 1, "a keyframe needs values"},
    {TOP VARY("time_step") "min = 0\nmax = 1\n", 4, 1, "varied by a grid"},
    {TOP VARY("friction") "of = []\nmin = 0\nmax = 1\n", 7, 6, "a name or a list of names"},
    {TOP VARY("friction") "of = [1]\nmin = 0\nmax = 1\n", 7, 6, "a name or a list of names"},
    {TOP "[[measure]]\nname = 'z'\nwhat = 'kinetic'\nkeep = [1]\n", 7, 9, "a list such as"},
    {TOP "[[measure]]\nname = 'z'\nwhat = 'kinetic'\nkeep = []\n", 7, 8, "the list is empty"},
    {TOP "[[push]]\nname = 'p'\nbody = 'b'\n[[push]]\nname = 'p'\nbody = 'b'\n", 7, 1,
     "two pushes have the name 'p'"},
    {TOP "[control]\nplugin = 'a.so'\npython = 'a.py'\n", 4, 1, "not both"},
    {TOP "[log]\nruns = ['a']\n", 5, 9, "0 to 9"},
    {"model = 'm.xml'\nduration = 1\nrepeat = 1_000_000\n" VARY(
         "gravity_z") "min = 0\nmax = 1\n"
                      "count = 1_000_000\n[[vary]]\nname = 'b'\nwhat = 'gravity_x'\nvalues = [1, "
                      "2]\n",
     1, 1, "expected at most 1e+12"},
    {TOP "list = 'not_there.csv'\n", 0, 0, "not_there.csv"},
};

// One more of a table, or of a list, than there may be. row: with the number, for its name.
static const struct {
  const char *before, *row, *after;
  int count;
  const char* message;
} crowds[] = {
    {TOP, "[[vary]]\nname = 'n%d'\nwhat = 'gravity_x'\nmin = 0\nmax = 1\n", "", PLAN_VARY_MAX,
     "at most 64 variations"},
    {TOP, "[[push]]\nname = 'n%d'\nbody = 'b'\n", "", PLAN_PUSH_MAX, "at most 32 pushes"},
    {TOP, "[[measure]]\nname = 'n%d'\nwhat = 'kinetic'\n", "", PLAN_MEASURE_MAX,
     "at most 64 measures"},
    {TOP, "[[event]]\nname = 'n%d'\nwhen = 'touches'\nof = 'b'\nother = 'c'\n", "", PLAN_EVENT_MAX,
     "at most 32 events"},
    {TOP "load = [", "'%d',", "]\n", PLAN_LOAD_MAX, "at most 64 texts"},
    {"model = 'm.xml'\nduration = 1\nruns = 2000\n[log]\nruns = [", "%d,", "]\n", PLAN_LOG_MAX,
     "at most 1000 runs have logs"},
    {TOP "[[vary]]\nname = '", "%d", "'\nwhat = 'gravity_x'\nmin = 0\nmax = 1\n", 36,
     "at most 60 bytes"},
};

static char* crowd(size_t i, int count) {
  char* text = malloc(200 + 100 * (size_t)count);
  char row[100];
  assert_non_null(text);
  strcpy(text, crowds[i].before);
  size_t size = strlen(text);
  for (int k = 0; k < count; ++k) {
    // The format is one of the table above.
    const int length = snprintf(row, sizeof row, crowds[i].row, k);  // NOLINT
    memcpy(text + size, row, (size_t)length);
    size += (size_t)length;
  }
  strcpy(text + size, crowds[i].after);
  return text;
}

static void test_crowds(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof crowds / sizeof *crowds; ++i) {
    for (int more = 0; more < 2; ++more) {
      Plan* plan;
      HeftError error;
      char* text = crowd(i, crowds[i].count - (i + 1 == sizeof crowds / sizeof *crowds) + more);
      const HeftStatus status = read_text(&plan, text, &error);
      if (more ? status == HEFT_OK || !strstr(error.message, crowds[i].message) : status != HEFT_OK)
        fail_msg("%s: %s", more ? crowds[i].message : "as many as there may be", error.message);
      plan_destroy(plan);
      free(text);
    }
  }
}

// A plan of the largest size, and one that has a byte more.
static void test_long_plans(void** state) {
  (void)state;
  Plan* plan;
  HeftError error = {0};
  char* text = malloc(TOML_BYTES_MAX + 2);
  assert_non_null(text);
  memset(text, '\n', TOML_BYTES_MAX + 1);
  text[TOML_BYTES_MAX + 1] = '\0';
  memcpy(text, TOP VARY("v"), strlen(TOP VARY("v")));
  assert_int_not_equal(plan_read_bytes(&plan, text, TOML_BYTES_MAX, "plan.toml", 0, &error),
                       HEFT_ERR_LIMIT);
  plan_destroy(plan);
  assert_int_equal(plan_read_bytes(&plan, text, TOML_BYTES_MAX + 1, "plan.toml", 0, &error),
                   HEFT_ERR_LIMIT);
  assert_null(plan);
  free(text);
}

static void test_many_keys(void** state) {
  (void)state;
  char text[4096] = "";
  size_t size = 0;
  Toml t;
  HeftError error = {0};
  for (int i = 0; i <= TOML_KEYS_MAX; ++i) {
    if (i == TOML_KEYS_MAX) {
      assert_int_equal(toml_read(&t, text, size, "keys", &error), HEFT_OK);
      toml_release(&t);
    }
    size += (size_t)snprintf(text + size, sizeof text - size, "k%d = 1\n", i);
  }
  assert_int_not_equal(toml_read(&t, text, size, "keys", &error), HEFT_OK);
  assert_non_null(strstr(error.message, "at most 64 keys"));
}

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

// ---- files of a plan

static char folder[] = "/tmp/heft_plan_XXXXXX";

static void put_file(const char* name, const char* text) {
  char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static HeftStatus read_plan(Plan** plan, const char* text, HeftError* error) {
  char path[100];
  snprintf(path, sizeof path, "%s/plan.toml", folder);
  put_file("plan.toml", text);
  *error = (HeftError){0};
  return plan_read(plan, path, error);
}

#define LISTED "model = 'm.xml'\nduration = 1\nlist = 'list.csv'\n"

static void test_files(void** state) {
  (void)state;
  Plan *a, *b;
  HeftError error;
  char path[4][2048], absolute[300];
  const char* name[4];
  if (!mkdtemp(folder)) fail_msg("no temporary folder");
  snprintf(path[0], sizeof path[0], "%s/sub", folder);
  assert_int_equal(mkdir(path[0], 0700), 0);
  put_file("list.csv", "mu,nu\n0.1,1\n0.2,2\n");
  put_file("control.csv", "time,motor\n0,1\n");
  put_file("sub/list.csv", "time,motor\n0,1\n");
  put_file("plug.so", "");
  put_file("act.py", "");

  // A column by its own name and by that of the variation; each row as often as asked.
  assert_int_equal(
      read_plan(&a,
                LISTED "repeat = 3\n" VARY(
                    "gravity_x") "column = 'nu'\n"
                                 "[[vary]]\nname = 'mu'\nwhat = 'gravity_y'\nshape = 'column'\n"
                                 "[control]\nfile = 'control.csv'\nplugin = 'plug.so:speed=1'\n",
                &error),
      HEFT_OK);
  assert_int_equal(a->runs, 6);
  assert_int_equal(a->vary[0].column, 1);
  assert_int_equal(a->vary[1].column, 0);
  assert_int_equal(plan_chunk_first(a, 1), 1);
  assert_int_equal(plan_chunk_runs(a, plan_chunk_count(a) - 1), 1);
  assert_int_equal(plan_files(a, path, name), 3);
  assert_string_equal(name[0], "list.csv");
  assert_string_equal(name[2], "plug.so");

  // The hash has the bytes of the files, and an absolute path names the same file.
  put_file("list.csv", "mu,nu\n0.1,1\n0.2,3\n");
  snprintf(absolute, sizeof absolute, "model = 'm.xml'\nduration = 1\nlist = '%s/list.csv'\n",
           folder);
  assert_int_equal(read_plan(&b, absolute, &error), HEFT_OK);
  assert_string_not_equal(a->sha256, b->sha256);
  assert_int_equal(b->runs, 2);
  plan_destroy(a);
  plan_destroy(b);

  assert_true(read_plan(&a, LISTED VARY("gravity_x") "column = 'my'\n", &error) != HEFT_OK);
  assert_non_null(strstr(error.message, "the list has no column 'my'; did you mean 'mu'?"));
  assert_true(read_plan(&a, LISTED "[control]\nfile = 'sub/list.csv'\n", &error) != HEFT_OK);
  assert_non_null(strstr(error.message, "two files of the plan have the same name 'list.csv'"));
  assert_true(read_plan(&a, LISTED "[control]\npython = 'none.py'\n", &error) != HEFT_OK);
  assert_non_null(strstr(error.message, "none.py"));
  put_file("list.csv", "mu,nu\n0.1\n");
  assert_true(read_plan(&a, LISTED, &error) != HEFT_OK);
  assert_int_equal(error.line, 2);
  assert_non_null(strstr(error.file, "list.csv"));
  assert_true(plan_read(&a, "/tmp/heft_no_such_plan.toml", &error) != HEFT_OK);
  assert_null(a);

  static const char* const files[] = {"list.csv", "control.csv", "sub/list.csv", "plug.so",
                                      "act.py",   "plan.toml",   "sub",          ""};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path[0], sizeof path[0], "%s/%s", folder, files[i]);
    assert_int_equal(remove(path[0]), 0);
  }
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
             {"a\n", 2, "no rows"},
             {"a\001\n1\n", 1, "a control character"}};
  Csv csv;
  HeftError error = {0};
  assert_int_equal(csv_read(&csv, good, sizeof good - 1, "x.csv", &error), HEFT_OK);
  assert_int_equal(csv.columns, 3);
  assert_int_equal(csv.rows, 2);
  assert_int_equal(csv_find(&csv, "b"), 1);
  assert_true(csv.number[3] == -1000 && csv.number[4] == 0.5);
  csv_release(&csv);
  static const char gaps[] = "t,a,b\n1,,3\n2,4,\n";
  assert_int_equal(csv_read(&csv, gaps, sizeof gaps - 1, "x.csv", &error), HEFT_ERR_SYNTAX);
  assert_int_equal(csv_read_gaps(&csv, gaps, sizeof gaps - 1, "x.csv", &error), HEFT_OK);
  assert_true(isnan(csv.number[1]) && csv.number[2] == 3 && csv.number[4] == 4 &&
              isnan(csv.number[5]));
  csv_release(&csv);
  assert_int_equal(csv_read_gaps(&csv, "t,a\n,1\n", 8, "x.csv", &error), HEFT_ERR_SYNTAX);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_equal(csv_read(&csv, bad[i].text, strlen(bad[i].text), "x.csv", &error),
                     HEFT_ERR_SYNTAX);
    assert_int_equal(error.line, bad[i].line);
    assert_non_null(strstr(error.message, bad[i].message));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_keys), cmocka_unit_test(test_long_plans),
      cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_values),
      cmocka_unit_test(test_hash),      cmocka_unit_test(test_csv),
      cmocka_unit_test(test_crowds),    cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
