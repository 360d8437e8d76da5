// SPDX-License-Identifier: Apache-2.0
// Measured files for experiments: C3D and BVH, or CSV with the same names of columns.
#ifndef HEFT_APPS_MEASURED_FILE_H
#define HEFT_APPS_MEASURED_FILE_H

#include "experiments/measured.h"
#include "sweep/csv.h"

typedef struct MeasuredFile {
  HeftC3d c3d;
  Csv csv;
  LabMeasured measured;  ///< of one of them
} MeasuredFile;

/// Reads a file by its content; out has to stay where it is. On failure *out is empty.
HeftStatus measured_file_read(MeasuredFile* out, const char* path, HeftError* error);
/// Reads the text of a CSV file; name: for messages.
HeftStatus measured_file_parse(MeasuredFile* out, const char* text, size_t size, const char* name,
                               HeftError* error);
void measured_file_release(MeasuredFile* file);

#endif
