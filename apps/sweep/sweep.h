// SPDX-License-Identifier: Apache-2.0
// A sweep: a plan and its model. Runs are computed in chunks; a chunk is the bytes of one HDF5
// file, which depend only on plan, model and version of Heft (with its bits).
//
//     Sweep* sweep;            shared by all threads, const
//     SweepWorker* worker;     one for each thread
//     for each chunk: sweep_worker_chunk(worker, chunk, &file, &error)  ->  results_store()
#ifndef HEFT_APPS_SWEEP_SWEEP_H
#define HEFT_APPS_SWEEP_SWEEP_H

#include <heft/batch.h>
#include <heft/control.h>

#include "sweep/bits.h"
#include "sweep/hdf5.h"
#include "sweep/plan.h"

enum { SWEEP_COLUMNS_MAX = 600 };

/// How a run ended: X(name, text, meaning).
#define SWEEP_STATUS_LIST(X)                                                         \
  X(SWEEP_DONE, "done", "it went on to its end")                                     \
  X(SWEEP_ENDED, "ended", "an event ended it")                                       \
  X(SWEEP_FAILED, "failed", "a step was rolled back: the state would not be finite") \
  X(SWEEP_REFUSED, "refused", "the model does not take the numbers of this run")     \
  X(SWEEP_BROKEN, "broken", "the plug-in or the policy failed")
#define SWEEP_STATUS_ENUM(name, text, meaning) name,
typedef enum SweepStatus { SWEEP_STATUS_LIST(SWEEP_STATUS_ENUM) SWEEP_STATUS_COUNT } SweepStatus;
#undef SWEEP_STATUS_ENUM
const char* sweep_status_name(int status);

/// An object of the model that a part of the plan names.
typedef struct SweepPlace {
  int index;      ///< of the shape, body, actuator, sensor, push or option; first coordinate of q
  int dof;        ///< of a joint: the degree of freedom
  int component;  ///< added to index
} SweepPlace;

typedef struct Sweep {
  const Plan* plan;
  const HeftModel* model;
  char model_sha256[65], bits[SWEEP_BITS + 1];
  SweepPlace* vary[PLAN_VARY_MAX];  ///< objects of each variation (vary_places)
  int vary_places[PLAN_VARY_MAX];
  SweepPlace measure[PLAN_MEASURE_MAX], event[PLAN_EVENT_MAX];
  int* vary_key[PLAN_VARY_MAX];  ///< keyframes of a grid of keyframes
  int push_body[PLAN_PUSH_MAX], event_other[PLAN_EVENT_MAX];
  int key, hold;                        ///< keyframes, or -1
  int control_column[CSV_COLUMNS_MAX];  ///< actuator of each column of the control file; -1: time
  int control_time;                     ///< the column "time"
  Hdf5Column column[SWEEP_COLUMNS_MAX];
  char column_name[SWEEP_COLUMNS_MAX][72];
  int column_count, first_result;  ///< columns before first_result are the inputs
  int width_sum;                   ///< numbers of a run
} Sweep;

/// Connects a plan and a model, which must outlive the sweep. *out is NULL on failure; error has
/// the place in the plan.
HeftStatus sweep_create(Sweep** out, const Plan* plan, const HeftModel* model, HeftError* error);
void sweep_destroy(Sweep* sweep);

/// The table of some runs: columns, and attributes that state what they belong to.
typedef struct SweepTable {
  Hdf5Table table;
  Hdf5Attribute attribute[6];
  char first[32];
} SweepTable;
void sweep_table(const Sweep* sweep, int64_t first_run, int64_t runs, SweepTable* out);
/// Index of a column by its name, or by "inputs/name"; -1: there is none.
int sweep_find_column(const Sweep* sweep, const char* name);

// ---- computing

typedef struct SweepWorker SweepWorker;

/// A worker is used by one thread at a time. *out is NULL on failure.
HeftStatus sweep_worker_create(SweepWorker** out, const Sweep* sweep, HeftError* error);
void sweep_worker_destroy(SweepWorker* worker);
/// Computes a chunk. HEFT_ERR_STOPPED: sweep_worker_stop() was called. out is released by
/// hdf5_release(); it is empty on failure.
HeftStatus sweep_worker_chunk(SweepWorker* worker, int64_t chunk, Hdf5File* out, HeftError* error);
/// Steps the worlds of a chunk in the same way, but measures and writes nothing: the bare loop of
/// the batch, for comparison. Runs do not end before their time.
HeftStatus sweep_worker_bare(SweepWorker* worker, int64_t chunk, HeftError* error);
/// Computes any runs in the same way.
HeftStatus sweep_worker_runs(SweepWorker* worker, int64_t first, int64_t count, Hdf5File* out,
                             HeftError* error);
/// Ends the computation soon, and all later ones at once; from any thread or signal handler.
void sweep_worker_stop(SweepWorker* worker);
/// Steps that the worker has taken so far; from any thread.
int64_t sweep_worker_steps(const SweepWorker* worker);

/// Sees a run: at its start (report NULL) and after each step.
typedef void SweepHook(void* user, HeftWorld* world, const HeftStepReport* report);
/// Repeats a run as its chunk computed it. Its results are row *row of out. hook may be NULL.
HeftStatus sweep_worker_replay(SweepWorker* worker, int64_t run, SweepHook* hook, void* user,
                               Hdf5File* out, int64_t* row, HeftError* error);
/// Message of the last broken run; "": none.
const char* sweep_worker_message(const SweepWorker* worker);

#endif
