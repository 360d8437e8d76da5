// SPDX-License-Identifier: Apache-2.0
#include "queue/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "queue/offer.h"
#include "sweep/results.h"

enum { PURGE_AFTER = 256 };

// An empty file of the right size: what comes in front of the numbers is known.
static int make_expected(const Gather* g, int64_t chunk, Hdf5File* out) {
  SweepTable t;
  sweep_table(g->sweep, plan_chunk_first(g->sweep->plan, chunk),
              plan_chunk_runs(g->sweep->plan, chunk), &t);
  return hdf5_make(out, &t.table);
}

static int find_size(const Gather* g, int64_t chunk, size_t* out) {
  Hdf5File f = {0};
  if (!make_expected(g, chunk, &f)) return 0;
  *out = f.size;
  hdf5_release(&f);
  return 1;
}

HeftStatus gather_open(Gather* g, Bus* bus, const Sweep* sweep, const char* folder, const char* id,
                       HeftError* error) {
  char chunks[64], info[64];
  *g = (Gather){.bus = bus, .sweep = sweep, .folder = folder, .from = 1};
  offer_names(id, chunks, g->stream, info);
  snprintf(g->subjects, sizeof g->subjects, "heft.%s.result.>", id);
  g->open = calloc(GATHER_OPEN_MAX, sizeof *g->open);
  const int known =
      find_size(g, 0, &g->size) && find_size(g, plan_chunk_count(sweep->plan) - 1, &g->last_size);
  return g->open && known ? HEFT_OK
                          : heft_error_set(error, HEFT_ERR_MEMORY, "no memory for results");
}

static void close_chunk(Gather* g, GatherChunk* c) {
  free(c->bytes);
  free(c->has);
  g->used -= c->size;
  const int at = (int)(c - g->open);
  --g->open_count;
  memmove(c, c + 1, (size_t)(g->open_count - at) * sizeof *c);
}

void gather_close(Gather* g) {
  while (g->open && g->open_count > 0) close_chunk(g, &g->open[g->open_count - 1]);
  free(g->open);
  g->open = NULL;
}

static HeftStatus count_wrong(Gather* g, const char* subject) {
  ++g->wrong;
  snprintf(g->strange, sizeof g->strange, "%s", subject);
  return HEFT_OK;
}

// ---- the bytes of a chunk

typedef struct Part {
  const char* subject;
  int64_t chunk, part, parts;
  char hash[QUEUE_RESULT_HASH + 1];
  const unsigned char* bytes;
  size_t size;
} Part;

// Bytes of the whole file of the part's chunk.
static size_t size_of(const Gather* g, const Part* p) {
  return p->chunk == plan_chunk_count(g->sweep->plan) - 1 ? g->last_size : g->size;
}

static HeftStatus store(Gather* g, const Part* p, const unsigned char* bytes, HeftError* error) {
  const size_t size = size_of(g, p);
  char hash[QUEUE_RESULT_HASH + 1];
  queue_result_hash(bytes, size, hash);
  if (strcmp(hash, p->hash) != 0) return count_wrong(g, p->subject);
  Hdf5File f = {0};
  if (!make_expected(g, p->chunk, &f))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk");
  const int right = memcmp(f.bytes, bytes, f.data) == 0 && hdf5_is_sealed(bytes, size);
  hdf5_release(&f);
  if (!right) return count_wrong(g, p->subject);
  const HeftStatus status = results_store(g->folder, p->chunk, bytes, size, error);
  g->stored += status == HEFT_OK;
  if (status == HEFT_ERR_VALUE) g->disputed = p->chunk;
  return status;
}

// ---- parts

static GatherChunk* find_open(Gather* g, const Part* p) {
  for (int i = 0; i < g->open_count; ++i)
    if (g->open[i].chunk == p->chunk && strcmp(g->open[i].hash, p->hash) == 0) return &g->open[i];
  return NULL;
}

static GatherChunk* open_chunk(Gather* g, const Part* p, uint64_t sequence) {
  GatherChunk c = {.chunk = p->chunk, .first = sequence, .size = size_of(g, p), .parts = p->parts};
  while (g->open_count > 0 &&
         (g->open_count == GATHER_OPEN_MAX || g->used + c.size > GATHER_ROOM)) {
    count_wrong(g, p->subject);
    close_chunk(g, &g->open[0]);
  }
  memcpy(c.hash, p->hash, sizeof c.hash);
  c.bytes = calloc(1, c.size);
  c.has = calloc(1, (size_t)c.parts);
  if (!c.bytes || !c.has) {
    free(c.bytes);
    free(c.has);
    return NULL;
  }
  g->used += c.size;
  g->open[g->open_count] = c;
  return &g->open[g->open_count++];
}

static HeftStatus add_part(Gather* g, GatherChunk* c, const Part* p, HeftError* error) {
  memcpy(c->bytes + (size_t)p->part * QUEUE_PART, p->bytes, p->size);
  c->got += !c->has[p->part];
  c->has[p->part] = 1;
  if (c->got < c->parts) return HEFT_OK;
  const HeftStatus status = store(g, p, c->bytes, error);
  close_chunk(g, c);
  return status;
}

// 1: the part has a place in a chunk of the plan, and its size.
static int fits(const Gather* g, const Part* p) {
  if (p->chunk >= plan_chunk_count(g->sweep->plan)) return 0;
  const size_t whole = size_of(g, p), at = (size_t)p->part * QUEUE_PART;
  if (p->parts != queue_part_count(whole)) return 0;
  return p->size == (whole - at < QUEUE_PART ? whole - at : QUEUE_PART);
}

static HeftStatus take(Gather* g, natsMsg* m, HeftError* error) {
  Part p = {.subject = natsMsg_GetSubject(m),
            .bytes = (const unsigned char*)natsMsg_GetData(m),
            .size = (size_t)natsMsg_GetDataLength(m)};
  if (!queue_result_read(p.subject, p.hash, &p.chunk, &p.part, &p.parts) || !fits(g, &p))
    return count_wrong(g, p.subject);
  if (p.parts == 1) return store(g, &p, p.bytes, error);
  GatherChunk* c = find_open(g, &p);
  if (!c) c = open_chunk(g, &p, natsMsg_GetSequence(m));
  return c ? add_part(g, c, &p, error)
           : heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk of %zu bytes",
                            size_of(g, &p));
}

// Removes messages before the first part that is still needed. It is only to save room: failures
// do not matter.
static void purge(Gather* g) {
  uint64_t keep = g->from;
  for (int i = 0; i < g->open_count; ++i)
    if (g->open[i].first < keep) keep = g->open[i].first;
  if (keep <= g->purged + 1) return;
  jsOptions options;
  jsErrCode code = 0;
  jsOptions_Init(&options);
  options.Stream.Purge.Sequence = keep;
  if (js_PurgeStream(g->bus->js, g->stream, &options, &code) == NATS_OK) g->purged = keep;
}

HeftStatus gather_forget(Gather* g, int64_t chunk, HeftError* error) {
  char subjects[128];
  for (int i = g->open_count - 1; i >= 0; --i)
    if (g->open[i].chunk == chunk) close_chunk(g, &g->open[i]);
  snprintf(subjects, sizeof subjects, "%.*s*.%lld.>", (int)strlen(g->subjects) - 1, g->subjects,
           (long long)chunk);
  return bus_purge(g->bus, g->stream, subjects, error);
}

HeftStatus gather_step(Gather* g, int count, int* taken, HeftError* error) {
  HeftStatus status = HEFT_OK;
  for (*taken = 0; *taken < count && status == HEFT_OK; ++*taken) {
    natsMsg* m = NULL;
    status = bus_next(g->bus, g->stream, g->subjects, g->from, &m, error);
    if (status != HEFT_OK) break;
    g->from = natsMsg_GetSequence(m) + 1;
    status = take(g, m, error);
    natsMsg_Destroy(m);
    if (g->from > g->purged + PURGE_AFTER) purge(g);
  }
  if (status == HEFT_ERR_NAME) {
    if (*taken > 0 || g->from > g->purged + PURGE_AFTER) purge(g);
    return HEFT_OK;
  }
  return status;
}
