// SPDX-License-Identifier: Apache-2.0
// Options of verbs that load plug-ins: --plugin FILE:NAME=NUMBER,..., and --controller PLACE,...
// for controllers in other processes, any number of times.
#ifndef HEFT_APPS_PLUGIN_OPTIONS_H
#define HEFT_APPS_PLUGIN_OPTIONS_H

#include <heft/plugin.h>
#include "link/link.h"

enum { CONTROLLERS_MAX = 8, PLUGINS_GIVEN = 64 };

typedef struct PluginOptions {
  HeftPluginSet* set;  ///< NULL: no plug-in was named
  char builtin[64];    ///< name of the act that replaces a file (builtin.h), or ""
  HeftLink* link[CONTROLLERS_MAX];
  int link_count;
  const char* given[PLUGINS_GIVEN];  ///< option and value of the command line, in turn
  int given_count;
} PluginOptions;

extern const char plugin_options_help[];

/// Takes the option at argv[*i]. 1: taken, 0: another option, -1: wrong (reported).
int plugin_options_take(PluginOptions* options, const char* verb, int argc, char** argv, int* i);
/// Loads a plug-in, as the option does. 0: failed (reported).
int plugin_options_load(PluginOptions* options, const char* verb, const char* spec);
/// Adds a controller in another process; place NULL: one that repeats a recording. 0: failed
/// (reported).
int plugin_options_add_controller(PluginOptions* options, const char* verb, const char* place);
/// Makes the world a node of ROS 2, which waits at first so long for a command [s]. 0: failed
/// (reported).
int plugin_options_add_ros2(PluginOptions* options, const char* verb, double wait);
/// Prints a line for each controller.
void plugin_options_sum_up(const PluginOptions* options);
/// 0: a step in lockstep lacks the answer of its controller.
int plugin_options_answered(const PluginOptions* options);
/// Attaches the plug-ins to a world in its initial state, which they may change. 0: a plug-in
/// refuses it (reported).
int plugin_options_start(const PluginOptions* options, const char* verb, HeftWorld* world);
/// Before a step. 0: a plug-in wrote a wrong number (reported).
int plugin_options_before_step(const PluginOptions* options, const char* verb);
/// After a step.
void plugin_options_after_step(const PluginOptions* options, const HeftStepReport* report);
void plugin_options_release(PluginOptions* options);
/// Releases all plug-ins and loads the command line's again. 0: failed.
int plugin_options_again(PluginOptions* options, const char* verb, HeftError* error);

/// Values of all plug-ins, counted through: their number, and the plug-in and the row of one.
int plugin_options_value_count(const HeftPluginSet* set);
const HeftOption* plugin_options_value(const HeftPluginSet* set, int index, const char** plugin,
                                       double* value);

#endif
