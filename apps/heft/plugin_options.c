// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // explicit_bzero
#include "plugin_options.h"

#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "data_folder.h"
#include "device_key.h"

const char plugin_options_help[] =
    "\n"
    "  --plugin FILE.so       let a plug-in act in the world; its options follow a colon:\n"
    "                         ./trot.so:frequency=2,bend=0.5; may be repeated; if it builds a\n"
    "                         scene, no model file is needed\n"
    "  --contact-model FILE.so  ... that brings a contact law, which replaces the contact model\n"
    "  --detector FILE.so     ... that brings a detector of collisions\n"
    "  --controller PLACE     let a program control the world through a socket: unix:PATH or\n"
    "                         udp:PORT, and options behind it: unix:/tmp/robot,free,delay=0.005,\n"
    "                         loss=0.01 (docs/manual/controllers.md lists them)\n";

static int report(const char* verb, const HeftError* error) {
  fprintf(stderr, "heft %s: error: %s\n", verb, error->message);
  return 0;
}

static int need_set(PluginOptions* options, const char* verb) {
  HeftError error = {0};
  return options->set || heft_plugin_set_create(&options->set, NULL, &error) == HEFT_OK ||
         report(verb, &error);
}

int plugin_options_load(PluginOptions* options, const char* verb, const char* spec) {
  HeftError error = {0};
  if (!need_set(options, verb)) return 0;
  return heft_plugin_set_load(options->set, spec, &error) == HEFT_OK || report(verb, &error);
}

// Messages of plug-ins of Heft, while they run.
static void print_message(void* verb, HeftLogLevel level, const char* text) {
  fprintf(stderr, "heft %s: %s%s\n", (const char*)verb,
          level == HEFT_LOG_WARNING ? "warning: " : "", text);
}

int plugin_options_add_ros2(PluginOptions* options, const char* verb, double wait) {
#ifdef HEFT_HAVE_ROS2
  char spec[1100], path[1000];
  if (!module_path("heft_ros2.so", path, sizeof path)) {
    fprintf(stderr, "heft %s: error: --ros2 needs lib/heft/heft_ros2.so, which is not installed\n",
            verb);
    return 0;
  }
  snprintf(spec, sizeof spec, "%s:wait=%.17g", path, wait);
  heft_log_set_hook(print_message, (void*)verb);
  return plugin_options_load(options, verb, spec);
#else
  (void)options;
  (void)wait;
  fprintf(stderr,
          "heft %s: error: this heft was built without Cyclone DDS, which --ros2 needs: install it "
          "(Debian: cyclonedds-dev cyclonedds-tools) and build again\n",
          verb);
  return 0;
#endif
}

// Adds a plug-in of the command. 0: failed (reported).
static int add(PluginOptions* options, const char* verb, const HeftPlugin* plugin,
               const char* given) {
  HeftError error = {0};
  if (!need_set(options, verb)) return 0;
  return heft_plugin_set_add(options->set, plugin, given, &error) == HEFT_OK ||
         report(verb, &error);
}

int plugin_options_add_controller(PluginOptions* options, const char* verb, const char* place) {
  HeftError error = {0};
  HeftLink* link = NULL;
  char given[600];
  // the window and the haptic loop hold the world to real time themselves
  const bool paced = strcmp(verb, "view") != 0 && strcmp(verb, "feel") != 0;
  if (options->link_count == CONTROLLERS_MAX)
    return arguments_wrong(verb, "too many controllers, the first that does not fit is",
                           place ? place : "in the recording");
  char keyed[1200] = "udp:";
  if (place && strncmp(place, "udp:", 4) == 0) {
    if (device_key_address(place + 4, keyed + 4, sizeof keyed - 4, &error) != HEFT_OK)
      return report(verb, &error);
    place = keyed;
  }
  const HeftStatus opened = heft_link_create(&link, place, paced, NULL, &error);
  explicit_bzero(keyed, sizeof keyed);
  if (opened != HEFT_OK) return report(verb, &error);
  options->link[options->link_count++] = link;
  heft_log_set_hook(print_message, (void*)verb);
  // ... and should not keep a person waiting
  const char* words = heft_link_options(link);
  snprintf(given, sizeof given, "%s%s%.500s", paced ? "" : "wait=3", paced || !*words ? "" : ",",
           words);
  return add(options, verb, heft_link_plugin(link), given);
}

// 1 if an argument is a file and no name of a contact model.
static int is_file(const char* text) {
  const size_t length = strcspn(text, ":");
  return memchr(text, '/', length) || (length > 3 && memcmp(text + length - 3, ".so", 3) == 0);
}

// The parts of a world that a plug-in is loaded for.
static int takes_part(int argc, char** argv, int i) {
  return strcmp(argv[i], "--detector") == 0 ||
         (strcmp(argv[i], "--contact-model") == 0 && i + 1 < argc && is_file(argv[i + 1]));
}

// Loads a plug-in for a part that it must bring. 0: failed (reported).
static int load_part(PluginOptions* options, const char* verb, const char* option,
                     const char* spec) {
  if (!plugin_options_load(options, verb, spec)) return 0;
  const HeftPluginSet* set = options->set;
  const HeftPlugin* plugin = heft_plugin_set_plugin(set, heft_plugin_set_count(set) - 1);
  const int law = strcmp(option, "--contact-model") == 0;
  if (law ? plugin->contact_law != NULL : plugin->detector != NULL) return 1;
  fprintf(stderr, "heft %s: error: %s: plug-in %s of '%s' brings no %s\n", verb, option,
          plugin->name, spec, law ? "contact law (heft/law.h)" : "detector (heft/collision.h)");
  return 0;
}

int plugin_options_take(PluginOptions* options, const char* verb, int argc, char** argv, int* i) {
  const int controller = strcmp(argv[*i], "--controller") == 0, part = takes_part(argc, argv, *i);
  if (!controller && !part && strcmp(argv[*i], "--plugin") != 0) return 0;
  if (*i + 1 == argc) {
    arguments_wrong(verb, controller ? "the place is missing after" : "the file is missing after",
                    argv[*i]);
    return -1;
  }
  const char* value = argv[++*i];
  if (options->given_count + 2 <= PLUGINS_GIVEN) {
    options->given[options->given_count++] = argv[*i - 1];
    options->given[options->given_count++] = value;
  }
  const char* option = argv[*i - 1];
  const int well = controller ? plugin_options_add_controller(options, verb, value)
                   : part     ? load_part(options, verb, option, value)
                              : plugin_options_load(options, verb, value);
  return well ? 1 : -1;
}

void plugin_options_sum_up(const PluginOptions* options) {
  char text[300];
  for (int i = 0; i < options->link_count; ++i)
    printf("  controller          %s\n", heft_link_report(options->link[i], text, sizeof text));
}

int plugin_options_answered(const PluginOptions* options) {
  int well = 1;
  for (int i = 0; i < options->link_count; ++i) well &= !heft_link_broken(options->link[i]);
  return well;
}

// Attaches the plug-ins to a world. 0: a plug-in refuses it (reported).
static int attach(const PluginOptions* options, const char* verb, HeftWorld* world) {
  HeftError error = {0};
  return !options->set || heft_plugin_set_attach(options->set, world, &error) == HEFT_OK ||
         report(verb, &error);
}

int plugin_options_start(const PluginOptions* options, const char* verb, HeftWorld* world) {
  HeftError error = {0};
  if (!attach(options, verb, world)) return 0;
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
  while (options->link_count > 0) heft_link_destroy(options->link[--options->link_count]);
}

int plugin_options_again(PluginOptions* options, const char* verb, HeftError* error) {
  int well = 1;
  plugin_options_release(options);
  for (int i = 0; well && i < options->given_count; i += 2) {
    const char* value = options->given[i + 1];
    if (strcmp(options->given[i], "--controller") == 0) {
      well = plugin_options_add_controller(options, verb, value);
      if (!well) {
        *error = (HeftError){.status = HEFT_ERR_FILE};
        snprintf(error->message, sizeof error->message, "cannot open the controller %.200s", value);
      }
    } else {
      well = need_set(options, verb) && heft_plugin_set_load(options->set, value, error) == HEFT_OK;
    }
  }
  return well;
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
