// SPDX-License-Identifier: Apache-2.0
// Reads the MCAP log of a run (run_mcap.c) for the window. Any bytes may arrive as a log.
#ifndef HEFT_APPS_RUN_READ_H
#define HEFT_APPS_RUN_READ_H

#include <heft/view.h>
#include <stdio.h>

typedef struct RunRead RunRead;

/// Opens a log. Takes over the file, and the model, of which the rows are read; NULL: the model
/// that the log contains. NULL on failure, with a message in error.
RunRead* run_read_open(FILE* file, HeftModel* model, HeftError* error);
/// run_read_open() by the name of the file.
RunRead* run_read_open_path(const char* path, HeftError* error);
/// NULL is allowed.
void run_read_close(RunRead* log);
/// A copy of the model of the run. NULL on failure, with a message in error.
HeftModel* run_read_copy_model(const RunRead* log, HeftError* error);
/// The rows of the log. They live as long as the log.
const HeftRecording* run_read_recording(const RunRead* log);
/// Whether two runs can be compared: their bodies and joints must be the same. Returns 0 if not,
/// with a message in error.
int run_read_comparable(const RunRead* a, const RunRead* b, HeftError* error);
/// 1 if the name of a file ends as the name of a log.
int run_read_is_log(const char* path);

#endif
