// SPDX-License-Identifier: Apache-2.0
// Names of a model with a plug-in of the command: `heft view walk:steps=20`.
#ifndef HEFT_APPS_BUILTIN_H
#define HEFT_APPS_BUILTIN_H

#include "plugin_options.h"
#include "users.h"

enum { BUILTIN_PATH = 700 };

/// If *path names no file but an act of the experiments, with options behind a colon: adds its
/// plug-in and replaces *path by the file of its model, in `file`. 0: failed (reported).
int builtin_open(PluginOptions* options, const char* verb, const char** path,
                 char file[BUILTIN_PATH]);
/// Adds the plug-in of the act `name`, with options as behind the colon. 0: failed, with a message.
int builtin_add(PluginOptions* options, const char* name, const char* given, HeftError* error);
/// As builtin_add(), and writes the file of its model. 1: done, 0: failed (reported), -1: there is
/// no such act.
int builtin_model(PluginOptions* options, const char* verb, const char* name, const char* given,
                  char file[BUILTIN_PATH]);
/// If the act of the options is an interactive scene: places its users. emulate: those without a
/// device are emulated. 0: failed (reported).
int builtin_seat(const PluginOptions* options, const char* verb, Users* users, int emulate);
/// How long the emulated users of the act need [s]; 0: it has none.
double builtin_duration(const PluginOptions* options);
/// Prints all names.
void builtin_list(void);

#endif
