// SPDX-License-Identifier: Apache-2.0
#include "queue/overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "queue/offer.h"

enum { NOTES_MAX = 100000 };

int overview_alive(const Overview* o, const OverviewNote* n) {
  return strcmp(n->kind, "worker") == 0 && o->now - n->time < 3 * queue_presence(&o->job) &&
         strncmp(n->note.text, "has ended", 9) != 0 &&
         strncmp(n->note.text, "was stopped", 11) != 0;
}

static HeftStatus read_job(Overview* o, Bus* bus, const char* stream, HeftError* error) {
  char subject[64];
  natsMsg* m = NULL;
  snprintf(subject, sizeof subject, "heft.%s.info.job", o->id);
  const HeftStatus status = bus_last(bus, stream, subject, &m, error);
  if (status != HEFT_OK) return status;
  HeftError why = {0};
  if (queue_job_read(&o->job, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), &why) !=
      HEFT_OK) {
    o->job = (QueueJob){.ack_wait = 30};
    snprintf(o->wrong, sizeof o->wrong, "%.500s", why.message);
  }
  natsMsg_Destroy(m);
  return HEFT_OK;
}

// The kind is in the subject: heft.ID.info.KIND..., events have heft.ID.info.event.KIND...
static void read_kind(const char* subject, char* out, size_t size) {
  const char* at = strstr(subject, ".info.");
  at = at ? at + 6 : subject;
  if (strncmp(at, "event.", 6) == 0) at += 6;
  snprintf(out, size, "%.*s", (int)strcspn(at, "."), at);
}

static HeftStatus read_notes(Overview* o, Bus* bus, const char* stream, const char* kind,
                             HeftError* error) {
  char subjects[64];
  uint64_t from = 1;
  snprintf(subjects, sizeof subjects, "heft.%s.info.%s.>", o->id, kind);
  for (int i = 0; i < NOTES_MAX; ++i) {
    natsMsg* m = NULL;
    const HeftStatus status = bus_next(bus, stream, subjects, from, &m, error);
    if (status == HEFT_ERR_NAME) return HEFT_OK;
    if (status != HEFT_OK) return status;
    OverviewNote* n = &o->note[o->note_count];
    HeftError ignored = {0};
    *n = (OverviewNote){.time = 1e-9 * (double)natsMsg_GetTime(m)};
    read_kind(natsMsg_GetSubject(m), n->kind, sizeof n->kind);
    if (queue_note_read(&n->note, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), &ignored) ==
        HEFT_OK) {
      if ((o->note_count & (o->note_count + 1)) == 0) {  // 1, 3, 7, ...: make room for as many more
        OverviewNote* more = realloc(o->note, 2 * (size_t)(o->note_count + 1) * sizeof *more);
        if (!more) {
          natsMsg_Destroy(m);
          return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for notes");
        }
        o->note = more;
        n = &o->note[o->note_count];
      }
      if (n->time > o->now) o->now = n->time;
      ++o->note_count;
    } else {
      ++o->strange;
    }
    from = natsMsg_GetSequence(m) + 1;
    natsMsg_Destroy(m);
  }
  return HEFT_OK;
}

static int by_time(const void* a, const void* b) {
  const OverviewNote *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

static void summarise(Overview* o) {
  qsort(o->note, (size_t)o->note_count, sizeof *o->note, by_time);
  // The clock of this machine may be wrong; if it is not, workers that all fell silent show.
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  const double here = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
  if (here > o->now && here - o->now < 1800) o->now = here;
  for (int i = 0; i < o->note_count; ++i) {
    const OverviewNote* n = &o->note[i];
    o->quarantined += strcmp(n->kind, "quarantine") == 0;
    if (!overview_alive(o, n)) continue;
    ++o->workers;
    if (n->note.seconds > 0) o->rate += (double)n->note.done / n->note.seconds;
  }
  o->done -= o->quarantined;
  if (o->done < 0) o->done = 0;
  o->left = o->rate > 0 ? (double)(o->job.chunks - o->done - o->quarantined) / o->rate : -1;
}

HeftStatus overview_read(Overview* o, Bus* bus, const char* id, HeftError* error) {
  char chunks[64], results[64], info[64];
  jsStreamState state;
  *o = (Overview){0};
  snprintf(o->id, sizeof o->id, "%s", id);
  offer_names(id, chunks, results, info);
  HeftStatus status = bus_state(bus, chunks, &state, error);
  if (status != HEFT_OK) return status;
  o->published = (int64_t)state.LastSeq;
  o->queue_bytes = state.Bytes;
  status = read_job(o, bus, info, error);
  if (status != HEFT_OK) return status;
  o->repeated = o->published > o->job.chunks ? o->published - o->job.chunks : 0;
  if (o->published > o->job.chunks) o->published = o->job.chunks;
  // The numbers of the consumer count work; the stream's numbers may lag behind.
  status = bus_pending(bus, chunks, &o->waiting, &o->running, error);
  if (status != HEFT_OK) return status;
  o->done = o->published + o->repeated - o->waiting - o->running;
  if (o->done > o->job.chunks) o->done = o->job.chunks;
  if (!o->job.shared && bus_state(bus, results, &state, error) == HEFT_OK) {
    o->result_messages = state.Msgs;
    o->result_bytes = state.Bytes;
  }
  o->note = calloc(1, sizeof *o->note);
  if (!o->note) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for notes");
  static const char* const kinds[] = {"worker", "event", "quarantine"};
  for (int i = 0; i < 3 && status == HEFT_OK; ++i)
    status = read_notes(o, bus, info, kinds[i], error);
  if (status == HEFT_OK)
    summarise(o);
  else
    overview_release(o);
  return status;
}

void overview_release(Overview* o) {
  free(o->note);
  o->note = NULL;
  o->note_count = 0;
}
