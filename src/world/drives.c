// SPDX-License-Identifier: Apache-2.0
// What drives the joints: the order of things. The forces themselves are made in actuators.c and
// tendons.c.
#include "world/drives.h"

#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

// A step is repeated as long as force limits come and go, then as long as they come, then taken as
// it is.
enum { PASSES_BOTH_WAYS = 3, PASSES_MAX = 8 };

// ---- memory

static void place(Drives* d, Arena* arena, const HeftModel* m) {
  d->tau = arena_take(arena, m->nv, double);
  d->extra = arena_take(arena, m->nv, double);
  d->base = arena_take(arena, m->nv, double);
  d->more = arena_take(arena, m->ntendon + m->nactuator + COUPLING_STIFFENINGS, Stiffening);
}

static HeftStatus create_own(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Drives measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Drives);
  place(&measured, &sizes, m);
  Drives* d = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!d)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for drives of %zu bytes", sizes.used);
  memset(d, 0, sizes.used);
  Arena arena = arena_make(d, sizes.used, NULL);
  arena_take(&arena, 1, Drives);
  place(d, &arena, m);
  d->memory_size = sizes.used;
  d->bare = d->idle = m->nactuator == 0 && !w->tendons->any;
  w->drives = d;
  w->given = d->idle ? w->joint_force : d->tau;
  return HEFT_OK;
}

HeftStatus heft_drives_create(HeftWorld* w, HeftError* error) {
  HeftStatus status = heft_lines_create(w, error);
  if (status == HEFT_OK) status = heft_actuators_create(w, error);
  if (status == HEFT_OK) status = heft_tendons_create(w, error);
  if (status == HEFT_OK) status = heft_wires_create(w, error);
  if (status == HEFT_OK) status = heft_couplings_create(w, error);
  if (status == HEFT_OK) status = create_own(w, error);
  if (status == HEFT_OK) heft_lines_settle(w);
  return status;
}

void heft_drives_destroy(HeftWorld* w) {
  if (w->drives) w->def.allocator.release(w->def.allocator.user, w->drives, w->drives->memory_size);
  w->drives = NULL;
  heft_couplings_destroy(w);
  heft_wires_destroy(w);
  heft_tendons_destroy(w);
  heft_actuators_destroy(w);
  heft_lines_destroy(w);
}

void heft_drives_reset(HeftWorld* w) {
  heft_actuators_reset(w);
  heft_couplings_clear(w);
}

// ---- every step

int heft_drives_begin(HeftWorld* w) {
  Drives* d = w->drives;
  d->idle = d->bare && w->couplings->count == 0;
  w->given = d->idle ? w->joint_force : d->tau;
  return d->bare || heft_actuators_begin(w);
}

void heft_drives_end(HeftWorld* w) {
  if (w->model->nact > 0)
    memcpy(w->state->act, w->actuators->act_end, (size_t)w->model->nact * sizeof(double));
}

// ---- theta scheme

static void gather(HeftWorld* w) {
  Drives* d = w->drives;
  const size_t size = (size_t)w->model->nv * sizeof(double);
  memcpy(d->tau, w->joint_force, size);
  memset(d->extra, 0, size);
  d->more_count = heft_tendons_act(w, d->tau, d->extra, d->more);
  d->more_count += heft_actuators_act(w, d->tau, d->extra, d->more + d->more_count);
  d->more_count += heft_couplings_act(w, d->tau, d->more + d->more_count);
}

void heft_drives_middle(HeftWorld* w) {
  if (w->drives->idle) return;
  heft_lines_update(w, w->q_stage);
  heft_actuators_prepare(w, w->q_stage);
  gather(w);
}

int heft_drives_factor(HeftWorld* w) {
  Drives* d = w->drives;
  if (d->idle) return heft_dynamics_factor(w->dynamics, w->extra);
  for (int i = 0; i < w->model->nv; ++i) d->extra[i] += w->extra[i];
  return heft_factor_stiffened(w->dynamics, d->extra, d->more_count, d->more);
}

void heft_drives_note(HeftWorld* w, const double* right) {
  Drives* d = w->drives;
  if (d->idle || !w->actuators->may_saturate) return;
  for (int i = 0; i < w->model->nv; ++i) d->base[i] = right[i] - d->tau[i];
}

int heft_drives_repeat(HeftWorld* w, const double* v, int pass) {
  Drives* d = w->drives;
  if (d->idle || pass >= PASSES_MAX) return 0;
  if (!heft_actuators_judge(w, v, pass >= PASSES_BOTH_WAYS)) return 0;
  gather(w);
  return 1;
}

void heft_drives_right(const HeftWorld* w, double* right) {
  const Drives* d = w->drives;
  for (int i = 0; i < w->model->nv; ++i) right[i] = d->base[i] + d->tau[i];
}

void heft_drives_finish(HeftWorld* w, const double* v, const double* middle,
                        HeftStepReport* report) {
  if (w->drives->idle) return;
  heft_actuators_finish(w, v);
  for (int i = 0; i < w->model->nv; ++i)
    report->work += w->def.time_step * w->actuators->tau[i] * middle[i];
  report->damping += heft_tendons_damping(w, middle);
  heft_couplings_finish(w, v, middle, report);
}

// ---- Runge-Kutta

void heft_drives_stage(HeftWorld* w, const double* q, const double* v, double time, double share,
                       double* work, double* damping) {
  Drives* d = w->drives;
  Actuators* a = w->actuators;
  const HeftModel* m = w->model;
  if (d->idle) return;
  if (time == 0) {  // the first stage
    memset(a->force, 0, (size_t)m->nactuator * sizeof(double));
    memset(a->tau, 0, (size_t)m->nv * sizeof(double));
  }
  heft_lines_update(w, q);
  heft_actuators_stage(w, q, v, time, share, d->tau);
  for (int i = 0; i < m->nv; ++i) {
    *work += d->tau[i] * v[i];
    d->tau[i] += w->joint_force[i];
  }
  *damping += heft_tendons_stage(w, v, d->tau);
  *work += heft_couplings_stage(w, v, share, d->tau);
}
