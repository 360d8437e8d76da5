// SPDX-License-Identifier: Apache-2.0
// Threads that compute chunks of a sweep on this machine and store them.
#ifndef HEFT_APPS_SWEEP_ENGINE_H
#define HEFT_APPS_SWEEP_ENGINE_H

#include <stdatomic.h>

#include "sweep/sweep.h"

typedef struct SweepJob {
  const Sweep* sweep;
  const char* folder;  ///< of results
  const int64_t* chunks;
  int64_t chunk_count;
  int workers;
  int quiet;  ///< 1: no progress
  int bare;   ///< 1: only step the worlds, for comparison: nothing is measured or stored
} SweepJob;

typedef struct SweepTally {
  int64_t chunks, runs, steps;
  int64_t status[SWEEP_STATUS_COUNT];
  int64_t event[PLAN_EVENT_MAX];
  double seconds, processor;  ///< time that passed, and that all processors spent [s]
  char message[512];          ///< of a broken run, or ""
} SweepTally;

/// Computes chunks. Ctrl-C ends it soon: HEFT_ERR_STOPPED. Finished chunks are stored.
HeftStatus sweep_engine_run(const SweepJob* job, SweepTally* tally, HeftError* error);
/// Adds the states and events of the runs of a chunk.
void sweep_tally_add(SweepTally* tally, const Sweep* sweep, const Hdf5File* file, int64_t runs);
/// Adds the runs of another tally, and copies its message.
void sweep_tally_join(SweepTally* tally, const SweepTally* other);
void sweep_tally_print(const SweepTally* tally, const Sweep* sweep);

#endif
