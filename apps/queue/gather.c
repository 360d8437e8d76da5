// SPDX-License-Identifier: Apache-2.0
#include "queue/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "queue/offer.h"
#include "sweep/results.h"

enum { PURGE_AFTER = 256 };

HeftStatus gather_open(Gather* g, Bus* bus, const Sweep* sweep, const char* folder, const char* id,
                       HeftError* error) {
  char chunks[64], info[64];
  *g = (Gather){.bus = bus, .sweep = sweep, .folder = folder, .from = 1};
  offer_names(id, chunks, g->stream, info);
  snprintf(g->subjects, sizeof g->subjects, "heft.%s.result.>", id);
  g->open = calloc(GATHER_OPEN_MAX, sizeof *g->open);
  return g->open ? HEFT_OK : heft_error_set(error, HEFT_ERR_MEMORY, "no memory for results");
}

static void close_chunk(Gather* g, GatherChunk* c) {
  free(c->bytes);
  free(c->has);
  *c = g->open[--g->open_count];
}

void gather_close(Gather* g) {
  for (int i = 0; i < g->open_count; ++i) {
    free(g->open[i].bytes);
    free(g->open[i].has);
  }
  free(g->open);
  g->open = NULL;
}

// ---- the bytes of a chunk

// An empty file of the right size: what comes in front of the numbers is known.
static int make_expected(const Gather* g, int64_t chunk, Hdf5File* out) {
  SweepTable t;
  sweep_table(g->sweep, plan_chunk_first(g->sweep->plan, chunk),
              plan_chunk_runs(g->sweep->plan, chunk), &t);
  return hdf5_make(out, &t.table);
}

static HeftStatus store(Gather* g, const GatherChunk* c, HeftError* error) {
  Hdf5File f = {0};
  if (!make_expected(g, c->chunk, &f))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk");
  char hash[QUEUE_RESULT_HASH + 1];
  queue_result_hash(c->bytes, c->size, hash);
  const int right = memcmp(f.bytes, c->bytes, f.data) == 0 && strcmp(hash, c->hash) == 0;
  hdf5_release(&f);
  if (!right) {
    ++g->wrong;
    return HEFT_OK;
  }
  const HeftStatus status = results_store(g->folder, c->chunk, c->bytes, c->size, error);
  g->stored += status == HEFT_OK;
  if (status == HEFT_ERR_VALUE) g->disputed = c->chunk;
  return status;
}

// ---- parts

static GatherChunk* find_open(Gather* g, int64_t chunk, const char* hash) {
  for (int i = 0; i < g->open_count; ++i)
    if (g->open[i].chunk == chunk && strcmp(g->open[i].hash, hash) == 0) return &g->open[i];
  return NULL;
}

static HeftStatus open_chunk(Gather* g, int64_t chunk, const char* hash, uint64_t sequence,
                             GatherChunk** out, HeftError* error) {
  *out = NULL;
  Hdf5File f = {0};
  if (g->open_count == GATHER_OPEN_MAX)
    return heft_error_set(error, HEFT_ERR_LIMIT, "more than %d chunks are incomplete in the queue",
                          GATHER_OPEN_MAX);
  if (!make_expected(g, chunk, &f))
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk");
  GatherChunk c = {.chunk = chunk, .first = sequence, .size = f.size};
  hdf5_release(&f);
  memcpy(c.hash, hash, sizeof c.hash);
  c.parts = queue_part_count(c.size);
  c.bytes = calloc(1, c.size);
  c.has = calloc(1, (size_t)c.parts);
  if (!c.bytes || !c.has) {
    free(c.bytes);
    free(c.has);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a chunk of %zu bytes", c.size);
  }
  g->open[g->open_count] = c;
  *out = &g->open[g->open_count++];
  return HEFT_OK;
}

static HeftStatus add_part(Gather* g, GatherChunk* c, int64_t part, const void* bytes, size_t size,
                           HeftError* error) {
  const size_t at = (size_t)part * QUEUE_PART;
  if (size != (c->size - at < QUEUE_PART ? c->size - at : QUEUE_PART)) {
    ++g->wrong;
    return HEFT_OK;
  }
  memcpy(c->bytes + at, bytes, size);
  c->got += !c->has[part];
  c->has[part] = 1;
  if (c->got < c->parts) return HEFT_OK;
  const HeftStatus status = store(g, c, error);
  close_chunk(g, c);
  return status;
}

static HeftStatus take(Gather* g, natsMsg* m, HeftError* error) {
  int64_t chunk, part, parts;
  char hash[QUEUE_RESULT_HASH + 1];
  GatherChunk* c;
  if (!queue_result_read(natsMsg_GetSubject(m), hash, &chunk, &part, &parts) ||
      chunk >= plan_chunk_count(g->sweep->plan)) {
    ++g->wrong;
    return HEFT_OK;
  }
  c = find_open(g, chunk, hash);
  if (!c) {
    const HeftStatus status = open_chunk(g, chunk, hash, natsMsg_GetSequence(m), &c, error);
    if (!c) return status;
  }
  if (parts != c->parts) {
    ++g->wrong;
    return HEFT_OK;
  }
  return add_part(g, c, part, natsMsg_GetData(m), (size_t)natsMsg_GetDataLength(m), error);
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
