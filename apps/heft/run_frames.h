// SPDX-License-Identifier: Apache-2.0
// The rows of an MCAP log one after the other, with the memory of a frame.
#ifndef HEFT_APPS_RUN_FRAMES_H
#define HEFT_APPS_RUN_FRAMES_H

#include "run_read.h"

typedef struct RunFrames {
  RunRead* run;
  HeftModel* model;  ///< a copy of the log's
  long rows;
  int contact_capacity;
  HeftViewFrame frame;
} RunFrames;

/// 0 on failure, with error.
int run_frames_open(RunFrames* out, const char* path, int contact_capacity, HeftError* error);
void run_frames_close(RunFrames* frames);
/// Reads a row into the frame. 0: damaged, with error.
int run_frames_read(RunFrames* frames, long row, HeftError* error);

#endif
