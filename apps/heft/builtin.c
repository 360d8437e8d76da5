// SPDX-License-Identifier: Apache-2.0
#include "builtin.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "experiments/act_plugin.h"

int builtin_add(PluginOptions* options, const char* name, const char* given, HeftError* error) {
  return (options->set || heft_plugin_set_create(&options->set, NULL, error) == HEFT_OK) &&
         heft_plugin_set_add(options->set, act_plugin(act_find(name)), given, error) == HEFT_OK;
}

int builtin_open(PluginOptions* options, const char* verb, const char** path,
                 char file[BUILTIN_PATH]) {
  char name[64], folder[600];
  HeftError error = {0};
  if (!*path || access(*path, F_OK) == 0) return 1;
  const size_t length = strcspn(*path, ":");
  if (length >= sizeof name) return 1;
  memcpy(name, *path, length);
  name[length] = '\0';
  const Act* act = act_find(name);
  if (!act) return 1;
  const char* models = robot_folder(folder, sizeof folder);
  const char* given = (*path)[length] ? *path + length + 1 : "";
  if (!models) {
    fprintf(stderr, "heft %s: the models of the experiments were not found; set HEFT_MODELS\n",
            verb);
    return 0;
  }
  if (!builtin_add(options, name, given, &error)) {
    fprintf(stderr, "heft %s: %s\n", verb, error.message);
    return 0;
  }
  snprintf(file, BUILTIN_PATH, "%.590s/%.100s", models, act->file);
  *path = file;
  return 1;
}

void builtin_list(void) {
  for (int i = 0; act_at(i); ++i) {
    const Act* act = act_at(i);
    printf("%-10s %s\n", act->name, act->text);
    for (int k = 0; k < act->options.count; ++k) {
      const HeftOption* o = &act->options.option[k];
      printf("           :%s=%g%s%s  %s, %g to %g\n", o->name, o->default_value,
             o->unit[0] ? " " : "", o->unit, o->meaning, o->min, o->max);
    }
  }
}
