// SPDX-License-Identifier: Apache-2.0
#include "builtin.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "experiments/act_plugin.h"
#include "experiments/experiments.h"
#include "experiments/interactive.h"

int builtin_add(PluginOptions* options, const char* name, const char* given, HeftError* error) {
  const Act* act = act_find(name);
  if ((!options->set && heft_plugin_set_create(&options->set, NULL, error) != HEFT_OK) ||
      heft_plugin_set_add(options->set, act_plugin(act), given, error) != HEFT_OK)
    return 0;
  snprintf(options->builtin, sizeof options->builtin, "%s", act->name);
  return 1;
}

int builtin_model(PluginOptions* options, const char* verb, const char* name, const char* given,
                  char file[BUILTIN_PATH]) {
  char folder[600];
  HeftError error = {0};
  const Act* act = act_find(name);
  if (!act) return -1;
  const char* models = robot_folder(folder, sizeof folder);
  if (!models) {
    fprintf(stderr,
            "heft %s: error: the models of the experiments were not found; set HEFT_MODELS\n",
            verb);
    return 0;
  }
  if (!builtin_add(options, name, given, &error)) {
    fprintf(stderr, "heft %s: error: %s\n", verb, error.message);
    return 0;
  }
  snprintf(file, BUILTIN_PATH, "%.590s/%.100s", models, act->file);
  return 1;
}

int builtin_open(PluginOptions* options, const char* verb, const char** path,
                 char file[BUILTIN_PATH]) {
  char name[64];
  if (!*path || access(*path, F_OK) == 0) return 1;
  const size_t length = strcspn(*path, ":");
  if (length >= sizeof name) return 1;
  memcpy(name, *path, length);
  name[length] = '\0';
  const int added =
      builtin_model(options, verb, name, (*path)[length] ? *path + length + 1 : "", file);
  if (added > 0) *path = file;
  if (added >= 0 || !experiment_find(name)) return added != 0;
  fprintf(stderr,
          "heft %s: error: the experiment %s has no motion to watch; run it with "
          "'heft experiment %s'\n",
          verb, name, name);
  return 0;
}

int builtin_seat(const PluginOptions* options, const char* verb, Users* users, int emulate) {
  char folder[600], error[LAB_ERROR] = "";
  const InteractiveKind* kind = interactive_find(options->builtin);
  const char* models = robot_folder(folder, sizeof folder);
  InteractiveSeat seat[INTERACTIVE_USERS];
  char text[INTERACTIVE_USERS][INTERACTIVE_TEXT], spec[INTERACTIVE_TEXT + 16];
  if (!kind) return 1;
  if (!interactive_seats(kind, models ? models : "models", seat, text, error)) {
    fprintf(stderr, "heft %s: error: %s: %s\n", verb, kind->act->name, error);
    return 0;
  }
  users->seated = 1;
  users->begins = kind->begins;
  users->gripper = kind->gripper;
  for (int i = 0; i < kind->users; ++i) {
    users->seat[i] = interactive_mapping(&seat[i]);
    users->seat_probe[i] = seat[i].probe;
    snprintf(spec, sizeof spec, "emulated:%.1000s", text[i]);
    if (emulate && i >= users->count && !users_add(users, spec)) return 0;
  }
  // users beyond the scene's number sit at the last seat
  for (int i = kind->users; i < USERS_MAX; ++i) {
    users->seat[i] = users->seat[kind->users - 1];
    users->seat_probe[i] = users->seat_probe[kind->users - 1];
  }
  return 1;
}

double builtin_duration(const PluginOptions* options) {
  const InteractiveKind* kind = interactive_find(options->builtin);
  return kind ? kind->takes : 0;
}

void builtin_list(void) {
  for (int i = 0; act_at(i); ++i) {
    const Act* act = act_at(i);
    printf("%-10s %s%s%s%s\n", act->name, act->text, act->experiment ? " (" : "",
           act->experiment ? act->experiment : "", act->experiment ? ")" : "");
    for (int k = 0; k < act->options.count; ++k) {
      const HeftOption* o = &act->options.option[k];
      printf("           :%s=%g%s%s  %s, %g to %g\n", o->name, o->default_value,
             o->unit[0] ? " " : "", o->unit, o->meaning, o->min, o->max);
    }
  }
}
