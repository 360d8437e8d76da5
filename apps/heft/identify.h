// SPDX-License-Identifier: Apache-2.0
// Options and output that the parts of `heft identify` share.
#ifndef HEFT_APPS_IDENTIFY_H
#define HEFT_APPS_IDENTIFY_H

#include "identify/identify.h"

#include "log_table.h"
#include "model_options.h"

enum { IDENTIFY_NAMES = 64 };

typedef struct Identify {
  ModelOptions model;
  const char *path, *model_path, *key, *plot;
  const char* fit[IDENTIFY_NAMES];  ///< parameters
  int fit_count;
  const char *sensors, *pulls, *calibrate, *wrench, *reading,
      *impacts; /**< lists of names, or NULL */
  int robust, free_start, with_offset, proportional, json;
  double load_noise;
  LogTable log;
  Json out;
} Identify;

/// Prints "heft identify: error: FILE:LINE: message" and returns 0.
int identify_fail(const HeftError* error);
/// identify_fail() for a message of the command.
__attribute__((format(printf, 1, 2))) int identify_wrong(const char* format, ...);
/// Splits a list at its commas into names (max IDENTIFY_NAMES), in room of `size` bytes. Returns
/// the number of names, 0 if it is wrong (reported).
int identify_split(const char* list, char* room, size_t size, const char** names);
/// The model of the command line, or of the log. NULL: none, or failed (reported). It is the
/// caller's.
HeftModel* identify_model(Identify* id);
/// Prints an estimate as a line of a table, or as an object of JSON.
void identify_print(Identify* id, const char* name, const char* unit, const HeftEstimate* estimate);

/// The parts of other files. 0: failed (reported).
int identify_sensor(Identify* id);
int identify_motion(Identify* id);
int identify_impacts(Identify* id);

#endif
