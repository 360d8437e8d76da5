// SPDX-License-Identifier: Apache-2.0
// A batch: worlds as snapshots, and one world per thread, which loads them in turn.
#ifndef HEFT_SRC_BATCH_INTERNAL_H
#define HEFT_SRC_BATCH_INTERNAL_H

#include <heft/batch.h>
#include <stdatomic.h>

#include "base/pool.h"

enum { BATCH_THREADS = 64 };

/// The first failure that a thread met, in the order of worlds.
typedef struct BatchFailure {
  int index;  ///< of the world; -1: none
  HeftError error;
} BatchFailure;

struct HeftBatch {
  HeftBatchDef def;
  const HeftModel* model;
  HeftPool* pool;
  HeftWorld* world[BATCH_THREADS];
  BatchFailure failure[BATCH_THREADS];
  atomic_int stop;
  int open;  ///< world that the user holds, in world[0]; -1: none
  size_t memory_size;

  size_t snapshot_max;
  unsigned char* snapshot;  ///< count x snapshot_max
  size_t* snapshot_size;    ///< count
  double *q, *v, *time, *sensors, *controls;
  HeftStepReport* report;
  bool* ended;
  int64_t* steps;
};

/// Loads world `index` into the world of a thread: parameters, state, controls.
HeftStatus batch_take_up(HeftBatch* batch, int worker, int index, HeftError* error);
/// As batch_take_up(), but at q_default, at rest.
HeftStatus batch_take_up_fresh(HeftBatch* batch, int worker, int index, HeftError* error);
/// Stores the world of a thread as world `index`.
void batch_put_down(HeftBatch* batch, int worker, int index);

/// Writes the state and the sensors of a world as row `at` of the arrays that are there.
void batch_write_rows(const HeftRollout* rows, HeftWorld* world, size_t at);

#endif
