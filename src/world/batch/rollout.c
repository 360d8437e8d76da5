// SPDX-License-Identifier: Apache-2.0
// Steps and rays of all worlds of a batch, shared by its threads. A task is one world with all its
// steps: it is taken up once, and writes nothing but the rows of that world. So the result does not
// depend on who does what.
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "world/batch/batch_internal.h"

typedef struct RolloutJob {
  HeftBatch* batch;
  const HeftRollout* rollout;
} RolloutJob;

typedef struct ResetJob {
  HeftBatch* batch;
  const bool* which;
  int key;
} ResetJob;

typedef struct RaysJob {
  HeftBatch* batch;
  const HeftRays* rays;
  double* distance;
  int* shape;
  double* normal;
} RaysJob;

// Notes that a world failed in a thread.
static void fail(HeftBatch* b, int worker, int index, const HeftError* error) {
  BatchFailure* f = &b->failure[worker];
  if (f->index >= 0 && f->index < index) return;
  *f = (BatchFailure){index, *error};
}

// Calls task for all worlds, in threads. Returns the failure of the lowest index.
static HeftStatus run(HeftBatch* b, HeftTask* task, void* arg, HeftError* error) {
  const BatchFailure* first = NULL;
  for (int i = 0; i < b->def.threads; ++i) b->failure[i].index = -1;
  b->open = -1;
  atomic_store(&b->stop, 0);
  heft_pool_run(b->pool, b->def.count, task, arg);
  for (int i = 0; i < b->def.threads; ++i) {
    const BatchFailure* f = &b->failure[i];
    if (f->index >= 0 && (!first || f->index < first->index)) first = f;
  }
  if (first && error) *error = first->error;
  if (first) return first->error.status;
  if (atomic_load(&b->stop))
    return heft_error_set(error, HEFT_ERR_STOPPED, "the batch was stopped before its end");
  return HEFT_OK;
}

void heft_batch_stop(HeftBatch* b) {
  HEFT_REQUIRE_VOID(b);
  atomic_store(&b->stop, 1);
}

// ---- reset

static void reset_world(void* arg, int worker, int index) {
  const ResetJob* j = arg;
  HeftBatch* b = j->batch;
  HeftError error = {0};
  if (j->which && !j->which[index]) return;
  HeftStatus status = batch_take_up_fresh(b, worker, index, &error);
  if (status == HEFT_OK && j->key >= 0) status = heft_world_set_key(b->world[worker], j->key);
  if (status == HEFT_OK && b->def.start)
    status = b->def.start(b->def.user, index, b->world[worker], &error);
  if (status != HEFT_OK) {
    if (error.status == HEFT_OK) heft_error_set(&error, status, "world %d was not reset", index);
    fail(b, worker, index, &error);
    return;
  }
  batch_put_down(b, worker, index);
  b->ended[index] = false;
  b->steps[index] = 0;
  b->report[index] = (HeftStepReport){0};
}

HeftStatus heft_batch_reset(HeftBatch* b, const bool* which, int key, HeftError* error) {
  HEFT_REQUIRE(b && key >= -1, HEFT_ERR_ARGUMENT);
  if (key >= b->model->nkey)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "keyframe %d, but the model has %d", key,
                          b->model->nkey);
  ResetJob job = {b, which, key};
  return run(b, reset_world, &job, error);
}

// ---- steps

static void step_world(HeftBatch* b, HeftWorld* w, int index) {
  const HeftBatchDef* def = &b->def;
  if (def->before) def->before(def->user, index, w);
  const HeftStepReport report = heft_world_step(w);
  const bool taken = heft_step_taken(report.status);
  b->report[index] = report;
  b->steps[index] += taken;
  b->ended[index] = !taken || (def->after && def->after(def->user, index, w, &report));
}

static void run_world(void* arg, int worker, int index) {
  const RolloutJob* j = arg;
  const HeftRollout* r = j->rollout;
  HeftBatch* b = j->batch;
  HeftError error = {0};
  const size_t n = (size_t)b->model->nactuator, first = (size_t)index * (size_t)r->steps;
  const bool rows = r->q || r->v || r->sensors;
  if ((b->ended[index] && !rows) || atomic_load(&b->stop)) return;
  if (batch_take_up(b, worker, index, &error) != HEFT_OK) {
    fail(b, worker, index, &error);
    return;
  }
  HeftWorld* w = b->world[worker];
  for (int64_t k = 0; k < r->steps && (rows || !b->ended[index]); ++k) {
    if (atomic_load_explicit(&b->stop, memory_order_relaxed)) break;
    if (!b->ended[index]) {
      if (r->controls && n > 0)
        memcpy(heft_world_controls(w), r->controls + (first + (size_t)k) * n, n * sizeof(double));
      step_world(b, w, index);
    }
    batch_write_rows(r, w, first + (size_t)k);
  }
  batch_put_down(b, worker, index);
}

HeftStatus heft_batch_rollout(HeftBatch* b, const HeftRollout* rollout, HeftError* error) {
  HEFT_REQUIRE(b && rollout && rollout->steps >= 0, HEFT_ERR_ARGUMENT);
  RolloutJob job = {b, rollout};
  return run(b, run_world, &job, error);
}

HeftStatus heft_batch_step(HeftBatch* b, int64_t steps, HeftError* error) {
  HEFT_REQUIRE(b && steps >= 0, HEFT_ERR_ARGUMENT);
  const HeftRollout rollout = {.steps = steps};
  return heft_batch_rollout(b, &rollout, error);
}

// ---- rays

static void cast_in_world(void* arg, int worker, int index) {
  const RaysJob* j = arg;
  HeftBatch* b = j->batch;
  HeftError error = {0};
  const size_t at = (size_t)index * (size_t)j->rays->count;
  if (atomic_load(&b->stop)) return;
  HeftStatus status = batch_take_up(b, worker, index, &error);
  if (status == HEFT_OK)
    status = heft_world_rays(b->world[worker], j->rays, j->distance + at,
                             j->shape ? j->shape + at : NULL, j->normal ? j->normal + 3 * at : NULL,
                             &error);
  if (status != HEFT_OK) fail(b, worker, index, &error);
}

HeftStatus heft_batch_rays(HeftBatch* b, const HeftRays* rays, double* distance, int* shape,
                           double* normal, HeftError* error) {
  HEFT_REQUIRE(b && rays && distance, HEFT_ERR_ARGUMENT);
  RaysJob job = {b, rays, distance, shape, normal};
  return run(b, cast_in_world, &job, error);
}
