// SPDX-License-Identifier: Apache-2.0
// The state of a sweep in the queue, in numbers.
#ifndef HEFT_APPS_QUEUE_OVERVIEW_H
#define HEFT_APPS_QUEUE_OVERVIEW_H

#include "queue/bus.h"

/// A note with the time at which a server stored it [s since 1970].
typedef struct OverviewNote {
  QueueNote note;
  char kind[24];  ///< worker, quarantine, or what happened: killed, failed, again
  double time;
} OverviewNote;

typedef struct Overview {
  QueueJob job;
  char id[QUEUE_ID + 1];
  int64_t published, done, waiting, running, quarantined, repeated;
  uint64_t queue_bytes, result_messages, result_bytes;
  int workers;         ///< that were heard of late
  double rate;         ///< chunks per second of those workers
  double left;         ///< seconds, or below 0: unknown
  OverviewNote* note;  ///< of all kinds, by time
  int note_count;
  int64_t strange;  ///< messages of the stream of notes that are none
  char wrong[512];  ///< why the job cannot be read; "": it can
  double now;       ///< the latest time of a server
} Overview;

/// Reads the state. A damaged job is no error: `wrong` describes it, and the numbers of the job are
/// zero. HEFT_ERR_NAME: the queue has no such sweep.
HeftStatus overview_read(Overview* out, Bus* bus, const char* id, HeftError* error);
void overview_release(Overview* overview);
/// 1: a worker whose last sign of life is recent.
int overview_alive(const Overview* overview, const OverviewNote* note);

#endif
