// SPDX-License-Identifier: Apache-2.0
#include "file_arguments.h"

#include <stdio.h>
#include <string.h>

#include "model_names.h"
#include "option_names.h"

static void print_help(const FileArguments* a, FILE* out) {
  fprintf(out, "%s%s", a->help, a->model ? model_options_help : "");
}

// 1: taken, 0: it is a file, -1: wrong (reported).
static int take(const FileArguments* a, int argc, char** argv, int* i) {
  const int taken = a->model ? model_options_take(a->model, argc, argv, i) : 0;
  if (taken != 0) return taken;
  if (argv[*i][0] != '-' || !argv[*i][1]) return 0;
  if (a->flag && a->flag(a->options, argv[*i])) return 1;
  const int valued = a->value && *i + 1 < argc ? a->value(a->options, argv[*i], argv[*i + 1]) : -1;
  if (valued < 0) {
    option_names_wrong(a->verb, a->help, a->model ? model_options_help : "", argv[*i]);
    return -1;
  }
  ++*i;
  return valued ? 1 : -1;
}

int file_arguments_read(const FileArguments* a, int argc, char** argv, const int* none_allowed) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(a, stdout);
      return FILES_HELP;
    }
    const int taken = take(a, argc, argv, &i);
    if (taken < 0) return FILES_WRONG;
    if (taken == 0) argv[files++] = argv[i];
  }
  for (int i = 0; i < files && a->paths && i < a->path_count; ++i) {
    argv[i] = (char*)model_name_find(argv[i], a->paths[i]);
  }
  if (files > 0 || (none_allowed && *none_allowed)) return files;
  print_help(a, stderr);
  return FILES_WRONG;
}
