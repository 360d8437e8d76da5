// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "model_names.h"
#include "names.h"
#include "option_names.h"

int arguments_wrong(const char* verb, const char* what, const char* value) {
  fprintf(stderr, "heft %s: error: %s '%s'; try 'heft %s --help'\n", verb, what, value, verb);
  return 0;
}

int arguments_ending(const char* verb, const char* path, const char* ending) {
  const size_t a = strlen(path), b = strlen(ending);
  if (a > b && strcmp(path + a - b, ending) == 0) return 1;
  fprintf(stderr, "heft %s: error: expected a file ending in %s, found '%s'\n", verb, ending, path);
  return 0;
}

int arguments_positive(const char* verb, const char* text, double* out) {
  char* end = NULL;
  errno = 0;
  const double x = strtod(text, &end);
  if (errno || end == text || *end || !(x > 0) || !isfinite(x))
    return arguments_wrong(verb, "expected a positive number, found", text);
  *out = x;
  return 1;
}

int arguments_vector(const char* verb, const char* text, HeftVec3* out) {
  double x[3];
  const char* at = text;
  for (int i = 0; i < 3; ++i) {
    char* end = NULL;
    x[i] = strtod(at, &end);
    if (end == at || *end != (i < 2 ? ',' : '\0') || !isfinite(x[i]))
      return arguments_wrong(verb, "expected three numbers separated by commas, found", text);
    at = end + 1;
  }
  *out = heft_vec3_from(x);
  return 1;
}

// Options that several verbs have. 1: taken, 0: unknown, -1: wrong (reported).
static int take_common(const Arguments* a, int argc, char** argv, int* i) {
  const int taken = model_options_take(a->model, argc, argv, i);
  if (taken != 0) return taken;
  const int plugged = a->plugins ? plugin_options_take(a->plugins, a->verb, argc, argv, i) : 0;
  if (plugged != 0 || !a->users) return plugged;
  return users_take(a->users, a->verb, argc, argv, i);
}

// An option with a value. 1: taken, 0: wrong (reported).
static int take_value(const Arguments* a, int argc, char** argv, int* i) {
  const int taken = *i + 1 < argc ? a->value(a->options, argv[*i], argv[*i + 1]) : -1;
  if (taken < 0) {
    char more[8192];
    snprintf(more, sizeof more, "%s%s%s", model_options_help, a->plugins ? plugin_options_help : "",
             a->users ? users_help : "");
    return option_names_wrong(a->verb, a->help ? a->help : "", more, argv[*i]);
  }
  ++*i;
  return taken;
}

// Plug-ins may bring the scene that no file gives. The first one that builds is its path.
static void build_scene(const Arguments* a) {
  HeftPluginSet* set = a->plugins ? a->plugins->set : NULL;
  for (int i = 0; set && i < heft_plugin_set_count(set) && !*a->path; ++i) {
    if (!heft_plugin_set_plugin(set, i)->build) continue;
    a->model->builder = a->plugins;
    *a->path = heft_plugin_set_spec(set, i, a->model->built, sizeof a->model->built);
  }
}

int arguments_read(const Arguments* a, int argc, char** argv) {
  static char found[MODEL_NAME_PATH];  // a command reads its arguments once
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    const int taken = take_common(a, argc, argv, &i);
    if (taken < 0) return 0;
    if (taken > 0 || (a->flag && a->flag(a->options, argv[i]))) continue;
    if (argv[i][0] == '-') {
      if (!take_value(a, argc, argv, &i)) return 0;
    } else if (*a->path && a->other && !*a->other) {
      *a->other = argv[i];
    } else if (*a->path && a->more) {
      if (!a->more(a->options, argv[i])) return 0;
    } else if (*a->path) {
      return arguments_wrong(a->verb, "only one file is possible; the second one is", argv[i]);
    } else {
      *a->path = argv[i];
    }
  }
  if (a->builtin && !builtin_open(a->plugins, a->verb, a->path, a->builtin)) return 0;
  if (*a->path) *a->path = model_name_find(*a->path, found);
  if (!*a->path) build_scene(a);
  return 1;
}

int arguments_read_file(const Arguments* a, int argc, char** argv) {
  const int asked = arguments_read(a, argc, argv);
  if (asked != 1 || *a->path) return asked;
  fprintf(stderr, "heft %s: error: the file is missing; try 'heft %s --help'\n", a->verb, a->verb);
  return 0;
}

int arguments_start(const char* verb, HeftWorld* world, const char* key) {
  const HeftModel* m = heft_world_model(world);
  if (!key) return 1;
  const int index = heft_model_find(m, HEFT_NAMED_KEY, key);
  if (index < 0)
    return names_wrong_in(verb, "the model has no keyframe named", key, m, HEFT_NAMED_KEY);
  return heft_world_set_key(world, index) == HEFT_OK ||
         arguments_wrong(verb, "not all numbers are finite in the keyframe", key);
}
