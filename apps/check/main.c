// SPDX-License-Identifier: Apache-2.0
// heft-check FILE: reads the evidence of a run, checks each step and prints the largest errors.
#include <string.h>

#include "check.h"

static const char usage[] =
    "usage: heft-check [--verbose] FILE.mcap\n"
    "Recomputes each step of a run from its evidence ('heft run --evidence FILE.mcap') and prints "
    "by\n"
    "how much masses, forces, friction and gaps would have to differ for it to be exact.\n"
    "Exit code: 0 all steps are accepted, 1 one is refused, 2 the file cannot be read.\n";

#define ERROR_TEXT(name, bound, unit, text) {#name, unit, text},
#define LEFT_TEXT(name, text) text,
static const char* const error_text[ERRORS][3] = {ERROR_LIST(ERROR_TEXT)};
static const char* const left_text[LEFT] = {LEFT_LIST(LEFT_TEXT)};

typedef struct Total {
  long steps, accepted, refused, first, refused_solved;
  double error[ERRORS];
  long step[ERRORS], bad[ERRORS], left[LEFT];  // bad: steps that it refuses
} Total;

static void print_step(const Result* r) {
  printf("step %ld %s", r->index, is_refused(r) ? "REFUSED" : "accepted");
  if (r->wrong) printf(": number %ld of its message is missing or out of range", r->wrong);
  for (int i = 0; i < ERRORS; ++i)
    if (r->error[i] > 0)
      printf("%s %s %.1e at %d%s", i ? "," : ":", error_text[i][0], r->error[i], r->at[i],
             r->refused >> i & 1 ? "!" : "");
  printf("\n");
}

static void add_up(Total* t, const Result* r) {
  const int refused = is_refused(r);
  if (refused && t->refused == 0) t->first = r->index;
  ++t->steps, t->accepted += !refused, t->refused += refused;
  t->refused_solved += refused && r->status == 0;
  for (int i = 0; i < ERRORS; ++i)
    if (r->error[i] > t->error[i]) t->error[i] = r->error[i], t->step[i] = r->index;
  for (int i = 0; i < ERRORS; ++i) t->bad[i] += r->refused >> i & 1;
  for (int i = 0; i < LEFT; ++i) t->left[i] += r->left[i];
}

static void print_total(const Total* t) {
  printf("%ld steps: %ld accepted, %ld refused", t->steps, t->accepted, t->refused);
  if (t->refused > 0)
    printf(" (the first is %ld; %ld of them Heft calls solved)", t->first, t->refused_solved);
  printf("\n  the step is exact if these differ by at most\n");
  for (int i = 0; i < ERRORS; ++i) {
    printf("  %-10s %8.1e %-7s (bound %.0e, step %ld) %s\n", error_text[i][0], t->error[i],
           error_text[i][1], bounds[i], t->step[i], error_text[i][2]);
    if (t->bad[i] > 0) printf("  %-10s REFUSED in %ld steps\n", error_text[i][0], t->bad[i]);
  }
  for (int i = 0; i < LEFT; ++i)
    if (t->left[i] > 0) printf("  not checked: %ld %s\n", t->left[i], left_text[i]);
}

// Checks all messages. Returns the exit code.
static int check_all(File* file, int verbose, Total* t) {
  const double* numbers;
  const char* what = NULL;
  long count, wrong;
  int kind, models = 0;
  static Result r;
  while (!what && (kind = file_next(file, &numbers, &count, &what)) > 0) {
    if (kind == 1) {
      wrong = model_read(numbers, count);
      if (wrong) fprintf(stderr, "heft-check: error: number %ld of the model\n", wrong);
      what = models++ > 0 ? "a second model" : wrong ? "missing or out of range" : NULL;
    } else if (models == 0) {
      what = "a step before the model";
    } else {
      step_check(numbers, count, &r);
      if (verbose || (r.wrong && t->refused == 0)) print_step(&r);
      add_up(t, &r);
    }
  }
  if (what) fprintf(stderr, "heft-check: error: %s\n", what);
  return what ? 2 : t->refused > 0;
}

int main(int argc, char** argv) {
  const int verbose = argc == 3 && strcmp(argv[1], "--verbose") == 0;
  static Total total;
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(usage, stdout);
    return 0;
  }
  if (argc != 2 + verbose) {
    fputs(usage, stderr);
    return 2;
  }
  File file = {.from = fopen(argv[argc - 1], "rb")};
  if (!file.from) {
    fprintf(stderr, "heft-check: error: cannot open %s\n", argv[argc - 1]);
    return 2;
  }
  const int code = check_all(&file, verbose, &total);
  fclose(file.from);
  if (total.steps > 0) print_total(&total);
  return code;
}
