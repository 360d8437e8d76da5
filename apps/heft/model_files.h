// SPDX-License-Identifier: Apache-2.0
// Model files on the disk: what a file is, and all models of a folder.
#ifndef HEFT_APPS_MODEL_FILES_H
#define HEFT_APPS_MODEL_FILES_H

#include <stddef.h>

typedef enum ModelFormat { MODEL_NONE, MODEL_MJCF, MODEL_URDF, MODEL_COMPILED } ModelFormat;

/// The format of a file by its first bytes; MODEL_NONE: no model, or it cannot be read.
ModelFormat model_format(const char* path);

typedef struct ModelFiles {
  char** path;
  int count, capacity;
} ModelFiles;

/// Adds a file, or all models in a folder and its subfolders, sorted by name. 0: no memory, or
/// the folder cannot be read, or it has too many files (reported as "heft VERB").
int model_files_add(ModelFiles* files, const char* verb, const char* path);
void model_files_free(ModelFiles* files);

#endif
