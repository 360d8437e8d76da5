// SPDX-License-Identifier: Apache-2.0
#include "sweep_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sweep/results.h"
#include "sweep_input.h"

int sweep_data_ask(SweepData* d, int column) {
  if (d->column[column]) return 1;
  if (d->capacity == 0) d->capacity = d->sweep->plan->runs;
  d->column[column] = malloc((size_t)d->capacity * sizeof(double) + 1);
  if (!d->column[column]) fprintf(stderr, "heft sweep show: error: not enough memory\n");
  return d->column[column] != NULL;
}

int sweep_data_load(SweepData* d, const char* folder, int64_t stride) {
  HeftError error = {0};
  const Sweep* s = d->sweep;
  int64_t present = 0;
  if (d->capacity == 0) d->capacity = s->plan->runs;
  d->runs = d->chunks = 0;
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(folder, k) || present++ % stride != 0) continue;
    if (results_read(folder, s, k, &f, &error) != HEFT_OK) return !sweep_report(&error);
    const int64_t room = d->capacity - d->runs, all = plan_chunk_runs(s->plan, k);
    const int64_t n = all < room ? all : room;
    for (int c = 0; c < s->column_count; ++c)
      for (int64_t i = 0; d->column[c] && i < n; ++i)
        d->column[c][d->runs + i] = hdf5_get_double(&f, s->column, c, i);
    for (int64_t i = 0; d->run && i < n; ++i)
      d->run[d->runs + i] = plan_chunk_first(s->plan, k) + i;
    d->runs += n;
    ++d->chunks;
    hdf5_release(&f);
  }
  return 1;
}

void sweep_data_release(SweepData* d) {
  for (int i = 0; i < SWEEP_COLUMNS_MAX; ++i) free(d->column[i]);
  free(d->run);
  *d = (SweepData){0};
}

SweepRange sweep_range(const SweepData* d, int column) {
  SweepRange r = {(double)INFINITY, -(double)INFINITY, 0};
  const Plan* p = d->sweep->plan;
  for (int64_t i = 0; i < d->runs; ++i) {
    const double x = d->column[column][i];
    if (x < r.low) r.low = x;
    if (x > r.high) r.high = x;
  }
  if (!(r.low < r.high)) {
    r.low = isfinite(r.low) ? r.low - 0.5 : 0;
    r.high = r.low + 1;
  }
  if (column < p->vary_count && p->vary[column].shape == SHAPE_LOG) {
    r.logarithmic = 1;
    r.low = p->vary[column].min;
    r.high = p->vary[column].max;
  } else if (column < p->vary_count && p->vary[column].shape == SHAPE_UNIFORM) {
    r.low = p->vary[column].min;
    r.high = p->vary[column].max;
  }
  return r;
}

double sweep_range_share(const SweepRange* r, double x) {
  return r->logarithmic ? log(x / r->low) / log(r->high / r->low)
                        : (x - r->low) / (r->high - r->low);
}

double sweep_range_value(const SweepRange* r, double share) {
  return r->logarithmic ? r->low * pow(r->high / r->low, share)
                        : r->low + share * (r->high - r->low);
}

int sweep_range_bin(const SweepRange* r, double x, int bins) {
  if (!isfinite(x)) return -1;
  const double at = floor(sweep_range_share(r, x) * bins);
  return at >= bins ? bins - 1 : (at > 0 ? (int)at : 0);
}
