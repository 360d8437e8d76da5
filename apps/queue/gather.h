// SPDX-License-Identifier: Apache-2.0
// Results that come through the queue: parts are put together, checked and stored in the folder of
// results; then they are removed from the queue. A chunk that came twice must have the same bytes.
//
// Anybody who reaches the queue may have written a part. Its chunk, number and size are compared
// with the plan before memory is taken for the chunk; a result of one part is checked by its hash
// where it is. Chunks whose parts are incomplete have a common room: if it is full, the oldest one
// goes, and is computed again if it was a true one.
#ifndef HEFT_APPS_QUEUE_GATHER_H
#define HEFT_APPS_QUEUE_GATHER_H

#include "queue/bus.h"
#include "sweep/sweep.h"

enum {
  GATHER_OPEN_MAX = 4096,
  GATHER_ROOM = 512 << 20  ///< of incomplete chunks together [bytes]
};

/// A chunk of which some parts are there.
typedef struct GatherChunk {
  int64_t chunk;
  char hash[QUEUE_RESULT_HASH + 1];
  uint64_t first;  ///< sequence of its first part
  int64_t parts, got;
  unsigned char *bytes, *has;
  size_t size;
} GatherChunk;

typedef struct Gather {
  Bus* bus;
  const Sweep* sweep;
  const char* folder;
  char stream[64], subjects[64];
  uint64_t from;           ///< next sequence
  uint64_t purged;         ///< messages before it are removed
  size_t size, last_size;  ///< of the file of a chunk, and of the last one [bytes]
  GatherChunk* open;       ///< the oldest first
  int open_count;
  size_t used;            ///< of GATHER_ROOM
  int64_t stored, wrong;  ///< chunks stored; messages that were no part of a result
  char strange[128];      ///< subject of the last wrong message
  int64_t disputed;       ///< the chunk of the last HEFT_ERR_VALUE
} Gather;

HeftStatus gather_open(Gather* out, Bus* bus, const Sweep* sweep, const char* folder,
                       const char* id, HeftError* error);
void gather_close(Gather* gather);
/// Takes at most `count` messages that are there now. *taken is their number. HEFT_ERR_VALUE: two
/// answers for chunk `disputed` differ; it is in quarantine, and gathering may go on.
HeftStatus gather_step(Gather* gather, int count, int* taken, HeftError* error);
/// Removes all results of a chunk from the queue, so that none is taken later.
HeftStatus gather_forget(Gather* gather, int64_t chunk, HeftError* error);

#endif
