// SPDX-License-Identifier: Apache-2.0
// heft sweep: many runs of one model that differ in some numbers. The table of its parts.
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "option_names.h"
#include "sweep_verbs.h"
#include "verbs.h"

static const struct {
  const char *name, *text;
  int (*run)(int argc, char** argv);
} parts[] = {
    {"check", "say what a plan means: runs, ranges, time and bytes", heft_sweep_check},
    {"run", "compute all runs, or those that are missing", heft_sweep_run},
    {"show", "say what results depend on; draw maps and histograms", heft_sweep_show},
    {"serve", "put a plan into a queue for 'heft work' on many machines", heft_sweep_serve},
    {"status", "show the sweeps in a queue: chunks, workers, quarantine", heft_sweep_status},
    {"collect", "wait for the results of a sweep in a queue", heft_sweep_collect},
    {"replay", "repeat one run with its exact inputs; watch or log it", heft_sweep_replay},
    {"export", "write results as CSV", heft_sweep_export},
    {"hash", "print the SHA-256 of results", heft_sweep_hash},
    {"merge", "gather the chunks of several folders in one", heft_sweep_merge},
};
enum { PARTS = (int)(sizeof parts / sizeof *parts) };

static void print_help(FILE* out) {
  fprintf(
      out,
      "usage: heft sweep PART [ARGUMENTS]\n"
      "Many runs of one model that differ in some numbers: a plan says which, and what to keep.\n"
      "docs/manual/sweep.md describes plans and results.\n\n");
  for (int i = 0; i < PARTS; ++i) fprintf(out, "  %-10s %s\n", parts[i].name, parts[i].text);
  fprintf(out, "\n'heft sweep PART --help' lists the options of a part.\n");
}

static const char* part_name(const void* from, int i) {
  (void)from;
  return parts[i].name;
}

int heft_verb_sweep(int argc, char** argv) {
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)) {
    print_help(stdout);
    return 0;
  }
  if (argc < 2) {
    print_help(stderr);
    return 2;
  }
  for (int i = 0; i < PARTS; ++i)
    if (strcmp(parts[i].name, argv[1]) == 0) return parts[i].run(argc - 1, argv + 1);
  names_wrong("sweep", "unknown part", argv[1], (Names){part_name, NULL, PARTS});
  return 2;
}

int sweep_arguments(const char* part, const char* help, const SweepOption* options, int count,
                    int argc, char** argv, const char** others, int capacity) {
  char verb[40];
  snprintf(verb, sizeof verb, "sweep %s", part);
  return verb_arguments(verb, help, options, count, argc, argv, others, capacity);
}

int verb_arguments(const char* verb, const char* help, const SweepOption* options, int count,
                   int argc, char** argv, const char** others, int capacity) {
  int found = 0;
  for (int i = 1; i < argc; ++i) {
    int k = 0;
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s", help);
      return -2;
    }
    while (k < count && strcmp(options[k].name, argv[i]) != 0) ++k;
    if (k < count && options[k].flag) {
      *options[k].flag = 1;
    } else if (k < count && i + 1 < argc) {
      *options[k].value = argv[++i];
    } else if (argv[i][0] == '-' && argv[i][1]) {
      option_names_wrong(verb, help, "", argv[i]);
      return -1;
    } else if (found == capacity) {
      fprintf(stderr, "heft %s: error: one argument too many: '%s'; try 'heft %s --help'\n", verb,
              argv[i], verb);
      return -1;
    } else {
      others[found++] = argv[i];
    }
  }
  return found;
}
