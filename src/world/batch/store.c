// SPDX-License-Identifier: Apache-2.0
// Worlds of a batch as snapshots: loaded into the world of a thread, and stored from it.
#include <string.h>

#include "base/error.h"
#include "world/batch/batch_internal.h"

static HeftStatus set_up(HeftBatch* b, int worker, int index, HeftError* error) {
  return b->def.setup ? b->def.setup(b->def.user, index, b->world[worker], error) : HEFT_OK;
}

HeftStatus batch_take_up_fresh(HeftBatch* b, int worker, int index, HeftError* error) {
  const HeftStatus status = set_up(b, worker, index, error);
  if (status == HEFT_OK) heft_world_reset(b->world[worker]);
  return status;
}

HeftStatus batch_take_up(HeftBatch* b, int worker, int index, HeftError* error) {
  HeftWorld* w = b->world[worker];
  const size_t i = (size_t)index, n = (size_t)b->model->nactuator;
  HeftStatus status = set_up(b, worker, index, error);
  if (status != HEFT_OK) return status;
  status = heft_world_restore(w, b->snapshot + i * b->snapshot_max, b->snapshot_size[i]);
  if (status != HEFT_OK)
    return heft_error_set(error, status,
                          "world %d has other parameters than before: its setup must give it the "
                          "same ones each time",
                          index);
  if (n > 0) memcpy(heft_world_controls(w), b->controls + i * n, n * sizeof(double));
  return HEFT_OK;
}

static void write_row(double* rows, size_t at, size_t n, const double* from) {
  if (rows && n > 0) memcpy(rows + at * n, from, n * sizeof(double));
}

void batch_write_rows(const HeftRollout* rows, HeftWorld* w, size_t at) {
  const HeftModel* m = heft_world_model(w);
  const HeftState* s = heft_world_state(w);
  write_row(rows->q, at, (size_t)m->nq, s->q);
  write_row(rows->v, at, (size_t)m->nv, s->v);
  if (rows->sensors && m->nsensordata > 0)
    write_row(rows->sensors, at, (size_t)m->nsensordata, heft_world_sensors(w));
}

void batch_put_down(HeftBatch* b, int worker, int index) {
  HeftWorld* w = b->world[worker];
  const HeftRollout rows = {.q = b->q, .v = b->v, .sensors = b->sensors};
  const size_t i = (size_t)index;
  b->time[i] = *heft_world_state(w)->time;
  batch_write_rows(&rows, w, i);
  write_row(b->controls, i, (size_t)b->model->nactuator, heft_world_controls(w));
  b->snapshot_size[i] = heft_world_snapshot_size(w);
  heft_world_snapshot(w, b->snapshot + i * b->snapshot_max);
}
