// SPDX-License-Identifier: Apache-2.0
// Arguments of a verb that works on one file: its own options, those of models, those of people.
#ifndef HEFT_APPS_ARGUMENTS_H
#define HEFT_APPS_ARGUMENTS_H

#include <heft/heft.h>

#include "model_options.h"
#include "users.h"

typedef struct Arguments {
  const char* verb;
  ModelOptions* model;
  Users* users;                                  ///< NULL: no devices
  void* options;                                 ///< of the verb, for the two functions
  int (*flag)(void* options, const char* name);  ///< 1: taken, 0: not ours; NULL: there are none
  /// 1: taken, 0: wrong, and said so, -1: not ours.
  int (*value)(void* options, const char* name, const char* value);
  const char** path;  ///< the file
} Arguments;

/// 1: go on, 0: wrong, and said so, 2: help was asked for.
int arguments_read(const Arguments* arguments, int argc, char** argv);
/// The same where there must be a file.
int arguments_read_file(const Arguments* arguments, int argc, char** argv);
/// Says what is wrong with a value, and returns 0.
int arguments_wrong(const char* verb, const char* what, const char* value);
/// A positive number. 0: it is none, and said so.
int arguments_positive(const char* verb, const char* text, double* out);
/// Starts a world from a keyframe of its model; NULL: stays as it is. 0: cannot, and said so.
int arguments_start(const char* verb, HeftWorld* world, const char* key);

#endif
