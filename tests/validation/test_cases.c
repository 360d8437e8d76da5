// SPDX-License-Identifier: Apache-2.0
// The validation set in its short form. Rows that fail today stand in open.txt; a row that fails
// and is not there fails the test, and one that is there and passes is told.
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "validation/cases.h"
#include "world/stage.h"

enum { OPEN_MAX = 64, LINE_MAX = 256 };

typedef struct Judge {
  char open[OPEN_MAX][LINE_MAX];  // case|what
  int open_count, rows, wrong;
} Judge;

static void read_open(Judge* j) {
  char line[LINE_MAX];
  FILE* file = fopen(HEFT_SOURCE_DIR "/tests/validation/open.txt", "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') continue;
    assert_true(j->open_count < OPEN_MAX);
    memcpy(j->open[j->open_count++], line, sizeof line);
  }
  fclose(file);
}

static int find_open(const Judge* j, const Row* row) {
  char name[LINE_MAX];
  snprintf(name, sizeof name, "%s|%s", row->name, row->what);
  for (int i = 0; i < j->open_count; ++i) {
    if (strcmp(j->open[i], name) == 0) return i;
  }
  return -1;
}

static void judge(void* user, const Row* row) {
  Judge* j = user;
  const int fails = !(row->error <= row->limit), open = find_open(j, row);
  ++j->rows;
  if (fails == (open >= 0)) return;
  j->wrong += fails;
  printf("%s: %s: error %g, limit %g: %s\n", row->name, row->what, row->error, row->limit,
         fails ? "FAILS" : "passes, though it stands in tests/validation/open.txt");
}

static void answers_are_right(void** state) {
  (void)state;
  Judge j = {0};
  read_open(&j);
  Engine heft = {.type = &engine_heft, .name = "heft"};
  for (int i = 0; i < case_count; ++i) {
    const Case* c = &cases[i];
    if (c->slow) continue;
    if (STAGE_SANITIZED && (strcmp(c->name, "stack") == 0 || strcmp(c->name, "fall") == 0))
      continue;
    Run run = {
        .engine = &heft, .scenes = HEFT_SCENE_DIR, .name = c->name, .sink = judge, .user = &j};
    const int before = j.rows;
    heft.reason[0] = '\0';
    c->run(&run);
    if (heft.reason[0] || j.rows == before) fail_msg("%s: %s", c->name, heft.reason);
  }
  printf("%d rows, %d of them open\n", j.rows, j.open_count);
  assert_int_equal(j.wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
