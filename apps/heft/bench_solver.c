// SPDX-License-Identifier: Apache-2.0
// heft bench solver: contact problems from files at three tolerances, the minimum time of many
// solves.
#include <stdio.h>
#include <string.h>

#include "verbs.h"

static int run_at(const char* tolerance, int argc, char** argv) {
  static char words[4][16] = {"solve", "--tolerance", "--repeat", "20"};
  char value[16];
  char* arguments[1024] = {words[0], words[1], value, words[2], words[3]};
  int count = 5;
  snprintf(value, sizeof value, "%s", tolerance);
  for (int k = 1; k < argc && count < 1023; ++k) arguments[count++] = argv[k];
  printf("tolerance %s\n", tolerance);
  const int failed = heft_verb_solve(count, arguments);
  printf("\n");
  return failed;
}

int heft_bench_solver(int argc, char** argv) {
  const int help = argc >= 2 && strcmp(argv[1], "--help") == 0;
  if (argc < 2 || help) {
    fprintf(
        help ? stdout : stderr,
        "usage: heft bench solver [OPTIONS OF heft solve] FILE...\n\n"
        "Solves each file 20 times at 1e-4, 1e-6 and 1e-8 and prints the minimum time of each.\n");
    return help ? 0 : 2;
  }
  return run_at("1e-4", argc, argv) | run_at("1e-6", argc, argv) | run_at("1e-8", argc, argv);
}
