// SPDX-License-Identifier: Apache-2.0
// Papers: R69.
// Creation of a batch, its arrays, and single worlds of it.
//
// A world of a robot needs megabytes, mostly for the steps themselves; what it carries from step to
// step is a snapshot of a few kilobytes. A batch therefore keeps snapshots, and as many worlds as
// it has threads. To load a world costs some microseconds (docs/decisions/063-batch.md).
#include <stdint.h>
#include <string.h>

#include "base/allocator.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "world/batch/batch_internal.h"

void heft_batch_def_init(HeftBatchDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftBatchDef, def, cookie)) return;
  *def =
      (HeftBatchDef){.cookie = cookie, .world = heft_world_def_default(), .count = 1, .threads = 1};
}

// ---- creation

// Sizes and places of all arrays; the same calls measure and place.
static void lay_out(HeftBatch* b, Arena* arena) {
  const HeftModel* m = b->model;
  const size_t n = (size_t)b->def.count;
  b->snapshot = arena_take(arena, n * b->snapshot_max, unsigned char);
  b->snapshot_size = arena_take(arena, n, size_t);
  b->q = arena_take(arena, n * (size_t)m->nq, double);
  b->v = arena_take(arena, n * (size_t)m->nv, double);
  b->time = arena_take(arena, n, double);
  b->sensors = arena_take(arena, n * (size_t)m->nsensordata, double);
  b->controls = arena_take(arena, n * (size_t)m->nactuator, double);
  b->report = arena_take(arena, n, HeftStepReport);
  b->ended = arena_take(arena, n, bool);
  b->steps = arena_take(arena, n, int64_t);
}

static HeftStatus check_def(const HeftBatchDef* def, HeftError* error) {
  if (def->count < 1 || def->count > INT32_MAX / 2)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "a batch of %d worlds, expected 1 or more",
                          def->count);
  if (def->threads < 1 || def->threads > BATCH_THREADS)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d threads, expected 1 to %d", def->threads,
                          (int)BATCH_THREADS);
  return HEFT_OK;
}

static HeftStatus make_worlds(HeftBatch* b, HeftError* error) {
  const HeftWorldDef def = b->def.world;
  HeftStatus status = heft_pool_create(&b->pool, b->def.threads, &def.allocator, error);
  for (int i = 0; status == HEFT_OK && i < b->def.threads; ++i)
    status = heft_world_create(&b->world[i], b->model, &def, error);
  return status;
}

// The arrays are a block of their own, because snapshots have a size only once there is a world.
static HeftStatus make_arrays(HeftBatch* b, HeftError* error) {
  const HeftAllocator* from = &b->def.world.allocator;
  Arena sizes = arena_measure();
  b->snapshot_max = (heft_world_snapshot_size_max(b->world[0]) + 63) / 64 * 64;
  if (b->snapshot_max > SIZE_MAX / 4 / (size_t)b->def.count) sizes.overflow = 1;
  lay_out(b, &sizes);
  void* memory =
      sizes.overflow ? NULL : from->allocate(from->user, sizes.used, (size_t)ARENA_ALIGNMENT);
  if (!memory)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d worlds of %zu bytes each",
                          b->def.count, b->snapshot_max);
  memset(memory, 0, sizes.used);
  Arena arena = arena_make(memory, sizes.used, NULL);
  lay_out(b, &arena);
  b->memory_size = sizes.used;
  return HEFT_OK;
}

HeftStatus heft_batch_create(HeftBatch** out, const HeftModel* model, const HeftBatchDef* def,
                             HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftBatchDef, heft_batch_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftBatchDef used = def ? *def : heft_batch_def_default();
  status = check_def(&used, error);
  if (status != HEFT_OK) return status;
  const HeftAllocator from = used.world.allocator;
  HeftBatch* b = from.allocate(from.user, sizeof *b, (size_t)ARENA_ALIGNMENT);
  if (!b) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a batch");
  memset(b, 0, sizeof *b);
  b->def = used;
  b->def.world.threads = 1;
  b->model = model;
  b->open = -1;
  atomic_init(&b->stop, 0);
  status = make_worlds(b, error);
  if (status == HEFT_OK) status = make_arrays(b, error);
  if (status == HEFT_OK) status = heft_batch_reset(b, NULL, -1, error);
  if (status == HEFT_OK) {
    *out = b;
  } else {
    heft_batch_destroy(b);
  }
  return status;
}

void heft_batch_destroy(HeftBatch* b) {
  if (!b) return;
  const HeftAllocator from = b->def.world.allocator;
  heft_pool_destroy(b->pool);
  for (int i = 0; i < b->def.threads; ++i) heft_world_destroy(b->world[i]);
  if (b->snapshot) from.release(from.user, b->snapshot, b->memory_size);
  from.release(from.user, b, sizeof *b);
}

// ---- what a batch holds

int heft_batch_count(const HeftBatch* b) {
  HEFT_REQUIRE(b, 0);
  return b->def.count;
}

const HeftModel* heft_batch_model(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->model;
}

size_t heft_batch_memory(const HeftBatch* b) {
  HEFT_REQUIRE(b, 0);
  size_t sum = sizeof *b + b->memory_size;
  for (int i = 0; i < b->def.threads; ++i) sum += heft_world_memory(b->world[i]);
  return sum;
}

const double* heft_batch_q(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->q;
}

const double* heft_batch_v(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->v;
}

const double* heft_batch_time(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->time;
}

const double* heft_batch_sensors(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->sensors;
}

double* heft_batch_controls(HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->controls;
}

const HeftStepReport* heft_batch_reports(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->report;
}

const bool* heft_batch_ended(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->ended;
}

const int64_t* heft_batch_steps(const HeftBatch* b) {
  HEFT_REQUIRE(b, NULL);
  return b->steps;
}

// ---- one world

HeftWorld* heft_batch_world(HeftBatch* b, int index, HeftError* error) {
  HEFT_REQUIRE(b && index >= 0 && index < b->def.count, NULL);
  b->open = -1;
  if (batch_take_up(b, 0, index, error) != HEFT_OK) return NULL;
  b->open = index;
  return b->world[0];
}

void heft_batch_store(HeftBatch* b) {
  HEFT_REQUIRE_VOID(b);
  if (b->open >= 0) batch_put_down(b, 0, b->open);
  b->open = -1;
}

uint64_t heft_batch_hash(HeftBatch* b, int index) {
  HEFT_REQUIRE(b && index >= 0 && index < b->def.count, 0);
  b->open = -1;
  return batch_take_up(b, 0, index, NULL) == HEFT_OK ? heft_world_hash(b->world[0]) : 0;
}

HeftStatus heft_batch_set_state(HeftBatch* b, int index, const double* q, const double* v,
                                HeftError* error) {
  HEFT_REQUIRE(b && index >= 0 && index < b->def.count, HEFT_ERR_ARGUMENT);
  HeftWorld* w = heft_batch_world(b, index, error);
  HeftStatus status = w ? HEFT_OK : HEFT_ERR_VALUE;
  if (status == HEFT_OK && q) status = heft_world_set_q(w, 0, q, b->model->nq, error);
  if (status == HEFT_OK && v) status = heft_world_set_v(w, 0, v, b->model->nv, error);
  if (status == HEFT_OK) heft_batch_store(b);
  b->open = -1;
  return status;
}
