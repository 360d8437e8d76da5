// SPDX-License-Identifier: Apache-2.0
// One person's copy of a shared world: it runs ahead of the inputs of the others, and goes back
// when they come.
#ifndef HEFT_SRC_SERVE_SHARED_H
#define HEFT_SRC_SERVE_SHARED_H

#include "serve/frame.h"

/// Settings of a copy.
typedef struct SharedDef {
  HeftWorld* world;      ///< of the session, in the state before step `step`; not owned
  HeftSession* session;  ///< a probe for each user; not owned
  int self;              ///< probe of the person here, -1: none, the copy only watches
  int depth;             ///< steps that it may run ahead, and go back
  uint64_t step;
} SharedDef;

/// Counts since the start.
typedef struct SharedReport {
  long corrections;  ///< that went back
  long repeated;     ///< steps that were computed again
  long waits;        ///< calls of shared_step() that did nothing: `depth` was reached
  int deepest;       ///< steps, of the deepest correction
  double given;      ///< work of corrections that the ledger of the hand got, never above 0 [J]
  double refused;    ///< work of corrections that it did not get [J]
} SharedReport;

typedef struct Shared Shared;

/// *out is NULL on failure. allocator may be NULL.
HeftStatus shared_create(Shared** out, const SharedDef* def, const HeftAllocator* allocator,
                         HeftError* error);
/// NULL is allowed.
void shared_destroy(Shared* shared);

/// Final inputs of all users, as frame_read() leaves them. They may come twice or in any order; a
/// gap waits until its steps come.
void shared_take(Shared* shared, uint64_t first, int count, const FrameInput* ring);
/// The first step whose final inputs are not here.
uint64_t shared_known(const Shared* shared);
/// Goes back if final inputs have come, and computes the present again. felt: changes if the copy
/// has a person, who feels it; may be NULL. Returns the steps that it went back.
int shared_correct(Shared* shared, HeftLocalModel* felt);
/// The next step, with the input of the person here, and the inputs that the others are expected to
/// have. input: NULL without a person. felt: receives what the person feels, may be NULL. 0: the
/// copy waits for final inputs.
int shared_step(Shared* shared, const HeftProbeInput* input, HeftLocalModel* felt);
/// Where a body is shown: its origin, without the jumps of corrections.
HeftVec3 shared_shown(const Shared* shared, int body);
/// The number of steps that the world has taken.
uint64_t shared_present(const Shared* shared);

/// The inputs of the person here from a step on, at most `count`, as frame_write() does.
size_t shared_inputs(const Shared* shared, uint64_t first, int count, unsigned char* out,
                     size_t room);
/// The state (heft_session_snapshot()) with only final inputs, before step *step.
const void* shared_moment(const Shared* shared, uint64_t* step, size_t* size);
/// Hash of the last such state whose step is a multiple of 1000; *step 0: there is none yet.
uint64_t shared_hash(const Shared* shared, uint64_t* step);
SharedReport shared_report(const Shared* shared);
/// Report of the last step that the world has taken.
const HeftStepReport* shared_step_report(const Shared* shared);

#endif
