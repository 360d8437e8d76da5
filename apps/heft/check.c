// SPDX-License-Identifier: Apache-2.0
// heft check: errors and warnings of model files.
#include <heft/io.h>
#include <stdio.h>
#include <string.h>

#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft check [OPTIONS] FILE...\n"
    "Loads each file, prints its errors and warnings with file, line and column, and counts the "
    "files\n"
    "that load without an error.\n"
    "Exit code: 0 if all files load, 1 if a file has an error, 2 if the command line is wrong.\n";

int heft_verb_check(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  int files = 0, failed = 0, warnings = 0, wrong = 0;
  for (int i = 1; i < argc && !wrong; ++i) {
    const int taken = model_options_take(&options, argc, argv, &i);
    if (taken > 0) continue;
    if (taken < 0) {
      wrong = 1;
    } else if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, model_options_help);
      model_options_release(&options);
      return 0;
    } else if (argv[i][0] == '-') {
      fprintf(stderr, "heft check: unknown option '%s'; try 'heft check --help'\n", argv[i]);
      wrong = 1;
    } else {
      ++files;
      HeftModel* model = model_options_load(&options, argv[i]);
      warnings += options.warning_count;
      failed += model == NULL;
      if (model) printf("%s: ok, %d warnings\n", argv[i], options.warning_count);
      heft_model_destroy(model);
    }
  }
  model_options_release(&options);
  if (wrong || files == 0) {
    if (!wrong) fprintf(stderr, "%s%s", help, model_options_help);
    return 2;
  }
  printf("%d of %d files ok, %d warnings\n", files - failed, files, warnings);
  return failed > 0;
}
