// SPDX-License-Identifier: Apache-2.0
// Options of verbs that load models: folders of files, strictness, progress.
#ifndef HEFT_APPS_MODEL_OPTIONS_H
#define HEFT_APPS_MODEL_OPTIONS_H

#include <heft/io.h>

enum { MODEL_PACKAGES = 64 };

typedef struct ModelOptions {
  HeftLoadDef def;
  HeftPackage packages[MODEL_PACKAGES];
  char* texts[2 * MODEL_PACKAGES];  ///< memory of the packages' names and folders
  int text_count;
  int quiet;          ///< no warnings
  int warning_count;  ///< of the last load; each kind counts once
  uint64_t started;   ///< when the last load began
  int progress_shown;
} ModelOptions;

/// Fills in defaults and reads HEFT_PACKAGE_PATH.
void model_options_init(ModelOptions* options);
void model_options_release(ModelOptions* options);
/// Takes argv[*i] (and its value) if it is one of these options. 1: taken, 0: unknown, -1: wrong
/// (reported).
int model_options_take(ModelOptions* options, int argc, char** argv, int* i);
/// Prints "FILE:LINE:COLUMN: kind: message" to stderr; kind is "error" or "warning".
void model_options_report(const HeftError* error, const char* kind);
/// Loads a model; prints warnings and errors to stderr. NULL on failure.
HeftModel* model_options_load(ModelOptions* options, const char* path);
/// The lines of help about these options.
extern const char model_options_help[];

#endif
