// SPDX-License-Identifier: Apache-2.0
// Arguments of a verb that reads one file: its own options, and options of models and of users.
#ifndef HEFT_APPS_ARGUMENTS_H
#define HEFT_APPS_ARGUMENTS_H

#include <heft/heft.h>

#include "model_options.h"
#include "plugin_options.h"
#include "users.h"

typedef struct Arguments {
  const char* verb;
  const char* help;  ///< names of the options of the verb; NULL: none
  ModelOptions* model;
  Users* users;                                  ///< NULL: no devices
  PluginOptions* plugins;                        ///< NULL: no plug-ins
  void* options;                                 ///< of the verb, for the two functions
  int (*flag)(void* options, const char* name);  ///< 1: taken, 0: unknown; NULL: no flags
  /// 1: taken, 0: wrong (reported), -1: unknown.
  int (*value)(void* options, const char* name, const char* value);
  const char** path;   ///< the file
  const char** other;  ///< a second file; NULL: only one is possible
  /// Takes a further file. 1: taken, 0: wrong (reported). NULL: none.
  int (*more)(void* options, const char* path);
  char* builtin;  ///< room for the file of a built-in name (BUILTIN_PATH); NULL: files only
} Arguments;

/// 1: continue, 0: wrong (reported), 2: help requested.
int arguments_read(const Arguments* arguments, int argc, char** argv);
/// arguments_read() for verbs that need a file.
int arguments_read_file(const Arguments* arguments, int argc, char** argv);
/// Reports a wrong value, and returns 0.
int arguments_wrong(const char* verb, const char* what, const char* value);
/// Checks the ending of an output file, which chooses its format. 0: wrong (reported).
int arguments_ending(const char* verb, const char* path, const char* ending);
/// Reads a positive number. 0: wrong (reported).
int arguments_positive(const char* verb, const char* text, double* out);
/// Reads three numbers that are separated by commas. 0: wrong (reported).
int arguments_vector(const char* verb, const char* text, HeftVec3* out);
/// Sets a world to a keyframe of its model; NULL: no change. 0: failed (reported).
int arguments_start(const char* verb, HeftWorld* world, const char* key);

#endif
