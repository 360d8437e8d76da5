// SPDX-License-Identifier: Apache-2.0
#include "model_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char model_options_help[] =
    "\n"
    "Loading:\n"
    "  --package NAME=FOLDER  folder of package://NAME/ in a URDF; may be repeated\n"
    "  --root FOLDER          allow files anywhere below FOLDER (default: the folder of the "
    "model)\n"
    "  --floating             the root link of a URDF floats (default: it is fixed to the world)\n"
    "  --strict               treat warnings as errors\n"
    "  --quiet                print no warnings\n"
    "Environment: HEFT_PACKAGE_PATH, a list of NAME=FOLDER or FOLDER, separated by ':'. Each "
    "subfolder\n"
    "of a plain FOLDER is a package.\n";

static char* keep(ModelOptions* o, const char* text, size_t length) {
  if (o->text_count == 2 * MODEL_PACKAGES) return NULL;
  char* copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  o->texts[o->text_count++] = copy;
  return copy;
}

// NAME=FOLDER, or a FOLDER of packages.
static int add_package(ModelOptions* o, const char* text, size_t length) {
  const char* equals = memchr(text, '=', length);
  if (o->def.package_count == MODEL_PACKAGES || length == 0) return 0;
  const size_t name = equals ? (size_t)(equals - text) : 0;
  const char* folder = equals ? equals + 1 : text;
  HeftPackage* p = &o->packages[o->def.package_count];
  p->name = keep(o, text, name);
  p->folder = keep(o, folder, length - (size_t)(folder - text));
  if (!p->name || !p->folder) return 0;
  o->def.packages = o->packages;
  ++o->def.package_count;
  return 1;
}

void model_options_report(const HeftError* error, const char* kind) {
  HeftError labelled = *error;
  char text[1024];
  const char* message = error->message[0] ? error->message : heft_status_text(error->status);
  snprintf(labelled.message, sizeof labelled.message, "%s: %.400s", kind, message);
  fprintf(stderr, "%s\n", heft_error_format(&labelled, text, sizeof text));
}

static void report_warning(void* user, const HeftError* error, int count) {
  ModelOptions* o = user;
  char kind[40] = "warning";
  ++o->warning_count;
  if (o->quiet) return;
  if (count > 1) snprintf(kind, sizeof kind, "warning (%d times)", count);
  model_options_report(error, kind);
}

// Prints nothing in the first second; then one line, which is overwritten.
static void show_progress(void* user, double share, const char* what) {
  ModelOptions* o = user;
  if (heft_clock_ns() - o->started < 1000000000u || !isatty(2)) return;
  fprintf(stderr, "\r%3.0f %%  %-60.60s", 100 * share, what);
  fflush(stderr);
  o->progress_shown = 1;
}

void model_options_init(ModelOptions* o) {
  memset(o, 0, sizeof *o);
  o->def = heft_load_def_default();
  o->def.warning = report_warning;
  o->def.progress = show_progress;
  o->def.user = o;
  const char* path = getenv("HEFT_PACKAGE_PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    add_package(o, path, length);
    path += length + (path[length] == ':');
  }
}

void model_options_release(ModelOptions* o) {
  for (int i = 0; i < o->text_count; ++i) free(o->texts[i]);
  o->text_count = 0;
}

int model_options_take(ModelOptions* o, int argc, char** argv, int* i) {
  const char* name = argv[*i];
  const char* value = *i + 1 < argc ? argv[*i + 1] : NULL;
  if (strcmp(name, "--strict") == 0) return o->def.strict = 1;
  if (strcmp(name, "--quiet") == 0) return o->quiet = 1;
  if (strcmp(name, "--floating") == 0) {
    o->def.base = HEFT_BASE_FLOATING;
    return 1;
  }
  const int package = strcmp(name, "--package") == 0;
  if (!package && strcmp(name, "--root") != 0) return 0;
  if (!value) {
    fprintf(stderr, "heft: the option %s needs a value\n", name);
    return -1;
  }
  ++*i;
  if (!package) {
    o->def.root = value;
  } else if (!strchr(value, '=') || !add_package(o, value, strlen(value))) {
    fprintf(stderr, "heft: --package %s: expected NAME=FOLDER; at most %d packages are possible\n",
            value, MODEL_PACKAGES);
    return -1;
  }
  return 1;
}

HeftModel* model_options_load(ModelOptions* o, const char* path) {
  HeftModel* model = NULL;
  HeftError error = {0};
  o->warning_count = 0;
  o->progress_shown = 0;
  o->started = heft_clock_ns();
  const HeftStatus status = heft_model_load_file(&model, path, &o->def, &error);
  if (o->progress_shown) fprintf(stderr, "\r%70s\r", "");
  if (status != HEFT_OK) model_options_report(&error, "error");
  return model;
}
