// SPDX-License-Identifier: Apache-2.0
// heft check: errors and warnings of model files.
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "all_errors.h"
#include "file_arguments.h"
#include "json_out.h"
#include "model_names.h"
#include "model_options.h"
#include "verbs.h"

static const char help[] =
    "usage: heft check [OPTIONS] FILE...\n"
    "Loads each file, prints its errors and warnings with file, line and column, and counts the "
    "files\n"
    "that load without an error. Behind the first error others follow, up to 20 of a file.\n"
    "Reports bodies that overlap at the start, with the lines that exclude them from contact.\n"
    "Exit code: 0 if all files load, 1 if a file has an error, 2 if the command line is wrong.\n"
    "\n"
    "  --json                 one JSON object on stdout instead\n";

enum { PATHS = 64 /* models that may be given by name */, MORE = 19 };

typedef struct Options {
  ModelOptions model;
  int json;
} Options;

static int take_flag(void* options, const char* name) {
  Options* o = options;
  return strcmp(name, "--json") == 0 && (o->json = 1);
}

static void write_file(Json* j, const ModelOptions* o, const char* path, int ok) {
  json_open_object(j, NULL);
  json_put_text(j, "file", path);
  json_put_flag(j, "ok", ok);
  model_options_write_messages(o, j);
  json_close_object(j);
}

// Reports what is wrong behind the first error. Returns the number of errors.
static int report_all(ModelOptions* o, const char* path) {
  HeftError more[MORE];
  char found[MODEL_NAME_PATH];
  const int count = all_errors_find(&o->def, model_name_find(path, found), &o->failure, more, MORE);
  for (int i = 0; i < count; ++i) model_options_fail(o, &more[i]);
  return 1 + count;
}

static int check_all(Options* o, int files, char** path) {
  int failed = 0, warnings = 0, errors = 0;
  Json json = {0};
  o->model.report_overlaps = 1;
  o->model.messages_wanted = o->json;
  if (o->json) {
    json = json_begin("check");
    json_open_list(&json, "files");
  }
  for (int i = 0; i < files; ++i) {
    HeftModel* model = model_options_load(&o->model, path[i]);
    warnings += o->model.warning_count;
    failed += model == NULL;
    if (!model) errors += report_all(&o->model, path[i]);
    if (o->json) {
      write_file(&json, &o->model, path[i], model != NULL);
    } else if (model) {
      printf("%s: ok, %d warnings\n", path[i], o->model.warning_count);
    }
    heft_model_destroy(model);
  }
  if (o->json) {
    json_close_list(&json);
    json_put_count(&json, "ok", files - failed);
    json_put_count(&json, "failed", failed);
    json_put_count(&json, "warnings", warnings);
    json_end(&json);
  } else {
    printf("%d of %d files ok, ", files - failed, files);
    if (errors > 0) printf("%d error%s, ", errors, errors > 1 ? "s" : "");
    printf("%d warnings\n", warnings);
    if (errors > 0 && isatty(STDERR_FILENO))
      fprintf(stderr, "next: correct these places, then check again\n");
  }
  return failed > 0;
}

int heft_verb_check(int argc, char** argv) {
  Options o = {.json = 0};
  model_options_init(&o.model);
  static char paths[PATHS][MODEL_NAME_PATH];
  const FileArguments arguments = {.verb = "check",
                                   .help = help,
                                   .model = &o.model,
                                   .options = &o,
                                   .flag = take_flag,
                                   .paths = paths,
                                   .path_count = PATHS};
  const int files = file_arguments_read(&arguments, argc, argv, NULL);
  const int result = files > 0 ? check_all(&o, files, argv) : (files == FILES_HELP ? 0 : 2);
  model_options_release(&o.model);
  return result;
}
