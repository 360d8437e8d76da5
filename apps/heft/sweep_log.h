// SPDX-License-Identifier: Apache-2.0
// The whole log of one run of a sweep, by computing it again.
#ifndef HEFT_APPS_SWEEP_LOG_H
#define HEFT_APPS_SWEEP_LOG_H

#include "sweep/sweep.h"

/// Writes the log of a run to a file (.mcap, .csv, .npy), and its evidence for heft-check; NULL:
/// none. row, if not NULL, gets its results as a table of one row, to be released. 0: failed
/// (reported).
int sweep_log_run(const Sweep* sweep, int64_t run, const char* path, const char* evidence,
                  Hdf5File* row);

#endif
