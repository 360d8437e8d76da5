// SPDX-License-Identifier: Apache-2.0
// Arguments of a verb that reads any number of files: options are before, between or behind them.
#ifndef HEFT_APPS_FILE_ARGUMENTS_H
#define HEFT_APPS_FILE_ARGUMENTS_H

#include "model_names.h"
#include "model_options.h"

/// Takes an option without a value. 1: taken, 0: unknown.
typedef int FileFlag(void* options, const char* name);
/// Takes an option with a value. 1: taken, 0: wrong (reported), -1: unknown.
typedef int FileValue(void* options, const char* name, const char* value);

typedef struct FileArguments {
  const char *verb, *help;
  ModelOptions* model;             ///< NULL: no options of models
  void* options;                   ///< for flag and value
  FileFlag* flag;                  ///< NULL: none
  FileValue* value;                ///< NULL: none
  char (*paths)[MODEL_NAME_PATH];  ///< room for the paths of the first path_count models that are
                                   ///< given by name, or NULL: files only
  int path_count;
} FileArguments;

enum { FILES_WRONG = -1, FILES_HELP = -2 };

/// Moves the files to the front of argv and returns their number; FILES_WRONG (reported), or
/// FILES_HELP (printed). No file at all is wrong; `none_allowed` is read after the options.
int file_arguments_read(const FileArguments* arguments, int argc, char** argv,
                        const int* none_allowed);

#endif
