// SPDX-License-Identifier: Apache-2.0
// Options of verbs that load models: folders of files, strictness, progress.
#ifndef HEFT_APPS_MODEL_OPTIONS_H
#define HEFT_APPS_MODEL_OPTIONS_H

#include <heft/io.h>
#include "record/session_log.h"

#include "json_out.h"
#include "overlaps.h"
#include "plugin_options.h"
#include "progress.h"

enum { MODEL_PACKAGES = 64, MODEL_EXCLUDES = 512 };

/// A warning or an error of the last load, for --json.
typedef struct ModelMessage {
  HeftError error;
  int count, is_error;
} ModelMessage;

typedef struct ModelOptions {
  HeftLoadDef def;
  HeftPackage packages[MODEL_PACKAGES];
  char* texts[2 * MODEL_PACKAGES];  ///< memory of the packages' names and folders
  int text_count;
  HeftLinkPair excludes[MODEL_EXCLUDES];
  char* exclude_texts[MODEL_EXCLUDES];  ///< memory of the names
  int report_overlaps;                  ///< 1: report overlaps of MJCF files too
  const char* path;                     ///< of the last load
  const PluginOptions* builder;  ///< plug-ins that build the scene; NULL: a file describes it
  char built[600];               ///< the path by which that scene is loaded
  const char* start;  ///< keyframe at which the last model starts, or NULL: the pose in the file
  HeftError failure;  ///< of the last load
  char notice[256];   ///< for the window: what differs from the file, or ""
  int quiet;          ///< no warnings
  int warning_count;  ///< of the last load; each kind counts once
  Progress progress;
  int messages_wanted;  ///< 1: keep the messages of a load instead of printing them
  ModelMessage* messages;
  int message_count;
  Overlaps* overlaps;  ///< of the last load; NULL: none were looked for
  double share;        ///< of the last load that is done
  int converted;       ///< meshes of other formats that were converted
} ModelOptions;

/// Fills in defaults and reads HEFT_PACKAGE_PATH.
void model_options_init(ModelOptions* options);
void model_options_release(ModelOptions* options);
/// Takes argv[*i] (and its value) if it is one of these options. 1: taken, 0: unknown, -1: wrong
/// (reported).
int model_options_take(ModelOptions* options, int argc, char** argv, int* i);
/// Whether the user gave options that change a model.
int model_options_given(const ModelOptions* options);
/// The options that change a model, for a recording.
void model_options_store(const ModelOptions* options, HeftLoading* out);
/// Takes the options of a recording, which must outlive these; if the user gave some, those hold.
void model_options_use(ModelOptions* options, const HeftLoading* loading);
/// Prints "FILE:LINE:COLUMN: kind: message" to stderr; kind is "error" or "warning".
void model_options_report(const HeftError* error, const char* kind);
/// Prints an error and keeps it, if messages are wanted.
void model_options_fail(ModelOptions* options, const HeftError* error);
/// Writes "warnings", "errors" and "overlaps" of the last load into an object.
void model_options_write_messages(const ModelOptions* options, Json* json);
/// Loads a model without messages about errors and overlaps.
HeftStatus model_options_load_quietly(ModelOptions* options, const char* path, HeftModel** out,
                                      HeftError* error);
/// Loads a model; prints warnings and errors to stderr. NULL on failure.
HeftModel* model_options_load(ModelOptions* options, const char* path);
/// The lines of help about these options.
extern const char model_options_help[];

#endif
