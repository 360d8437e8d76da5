// SPDX-License-Identifier: Apache-2.0
#include "plugin_options.h"

#include <stdio.h>
#include <string.h>

#include "arguments.h"

const char plugin_options_help[] =
    "\n"
    "  --plugin FILE.so       let a plug-in act in the world; its options follow a colon:\n"
    "                         ./trot.so:frequency=2,bend=0.5; may be repeated\n";

static int report(const char* verb, const HeftError* error) {
  fprintf(stderr, "heft %s: error: %s\n", verb, error->message);
  return 0;
}

int plugin_options_load(PluginOptions* options, const char* verb, const char* spec) {
  HeftError error = {0};
  if (!options->set && heft_plugin_set_create(&options->set, NULL, &error) != HEFT_OK)
    return report(verb, &error);
  return heft_plugin_set_load(options->set, spec, &error) == HEFT_OK || report(verb, &error);
}

int plugin_options_take(PluginOptions* options, const char* verb, int argc, char** argv, int* i) {
  if (strcmp(argv[*i], "--plugin") != 0) return 0;
  if (*i + 1 == argc) {
    arguments_wrong(verb, "the file is missing after", argv[*i]);
    return -1;
  }
  return plugin_options_load(options, verb, argv[++*i]) ? 1 : -1;
}

int plugin_options_attach(const PluginOptions* options, const char* verb, HeftWorld* world) {
  HeftError error = {0};
  return !options->set || heft_plugin_set_attach(options->set, world, &error) == HEFT_OK ||
         report(verb, &error);
}

int plugin_options_start(const PluginOptions* options, const char* verb, HeftWorld* world) {
  HeftError error = {0};
  if (!plugin_options_attach(options, verb, world)) return 0;
  return !options->set || heft_plugin_set_reset(options->set, &error) == HEFT_OK ||
         report(verb, &error);
}

int plugin_options_before_step(const PluginOptions* options, const char* verb) {
  HeftError error = {0};
  return !options->set || heft_plugin_set_before_step(options->set, &error) == HEFT_OK ||
         report(verb, &error);
}

void plugin_options_after_step(const PluginOptions* options, const HeftStepReport* report) {
  if (options->set && heft_step_taken(report->status))
    heft_plugin_set_after_step(options->set, report);
}

void plugin_options_release(PluginOptions* options) {
  heft_plugin_set_destroy(options->set);
  options->set = NULL;
  options->builtin[0] = '\0';
}

int plugin_options_value_count(const HeftPluginSet* set) {
  int count = 0;
  for (int i = 0; set && i < heft_plugin_set_count(set); ++i)
    count += heft_plugin_set_plugin(set, i)->values.count;
  return count;
}

const HeftOption* plugin_options_value(const HeftPluginSet* set, int index, const char** plugin,
                                       double* value) {
  int i = 0;
  while (index >= heft_plugin_set_plugin(set, i)->values.count)
    index -= heft_plugin_set_plugin(set, i++)->values.count;
  const HeftPlugin* p = heft_plugin_set_plugin(set, i);
  *plugin = p->name;
  *value = heft_plugin_set_value(set, i, index);
  return &p->values.option[index];
}
