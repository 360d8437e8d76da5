// SPDX-License-Identifier: Apache-2.0
// One process that takes chunks from the queue, computes and stores them. While it computes, it
// reports to the queue that it lives; the chunk of a process that dies, hangs or loses its network
// goes to another one.
#ifndef HEFT_APPS_QUEUE_LABOUR_H
#define HEFT_APPS_QUEUE_LABOUR_H

#include "queue/bus.h"

/// Work of a process, in memory that it shares with its parent: if it is killed, its successor
/// reports the chunk that it had.
typedef struct LabourSlot {
  int64_t chunk;
  int delivery;
  char id[QUEUE_ID + 1];
  char reply[256];  ///< where the chunk is acknowledged; "": there is none
  char note[400];   ///< of the parent: how the process before ended; "": it did not
  int64_t done;     ///< by all processes of the slot
  uint64_t began;   ///< when the first of them began, by heft_clock_ns(); 0: none did
} LabourSlot;

typedef struct LabourDef {
  BusDef bus;
  const char* folder;  ///< shared folder of results, or NULL
  const char* only;    ///< ID of the sweep to work for, or NULL: any
  const char* name;    ///< host and number
  double idle;         ///< ends after so long without chunks [s]; below 0: never
  int trust;           ///< 1: run plug-ins and policies that come with a plan
  int quiet;
} LabourDef;

enum { LABOUR_DONE = 0, LABOUR_FAILED = 1, LABOUR_REFUSED = 3, LABOUR_STOPPED = 130 };

/// Works until there is nothing to do. Returns one of the above.
int labour_run(const LabourDef* def, LabourSlot* slot);

#endif
