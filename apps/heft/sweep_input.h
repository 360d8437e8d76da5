// SPDX-License-Identifier: Apache-2.0
// Plan, model and sweep of a command line, for the verbs that compute or read results.
#ifndef HEFT_APPS_SWEEP_INPUT_H
#define HEFT_APPS_SWEEP_INPUT_H

#include "model_options.h"
#include "sweep/sweep.h"

typedef struct SweepInput {
  ModelOptions options;
  Plan* plan;
  HeftModel* model;
  Sweep* sweep;
} SweepInput;

/// Reads a plan and loads its model with the plan's options. 0: failed (reported).
int sweep_input_open(SweepInput* input, const char* plan_path);
/// Reads a folder of results. 0: failed (reported).
int sweep_input_open_results(SweepInput* input, const char* folder);
void sweep_input_close(SweepInput* input);
/// Prints "heft sweep: error: FILE:LINE:COLUMN: message". Returns 1, the exit code.
int sweep_report(const HeftError* error);
/// Names and removes the damaged chunks of a folder, so that they are computed again. Returns their
/// number, -1 if one cannot be read or removed.
int64_t sweep_remove_damaged(const Sweep* sweep, const char* folder);
/// Which chunks a process computes: those k with k % count == index.
typedef struct SweepShard {
  int64_t index, count;
} SweepShard;
/// Reads "i/n"; "auto": the variables of Slurm, Kubernetes or GNU parallel; NULL: 0/1. 0: wrong
/// (reported).
int sweep_shard_read(SweepShard* out, const char* text);

#endif
