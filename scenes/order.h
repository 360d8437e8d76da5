// SPDX-License-Identifier: Apache-2.0
// The measured order of the time-stepping scheme on a mechanism: its motion at steps of 1 ms that
// are halved again and again. The order is log2 of the quotient of the differences between
// neighbouring steps.
#ifndef HEFT_SCENES_ORDER_H
#define HEFT_SCENES_ORDER_H

#include <heft/io.h>
#include <heft/world.h>
#include <math.h>
#include <string.h>

#include "scenes/linkages.h"

enum { LINKAGE_NUMBERS = 40, LINKAGE_STEPS_MAX = 8 };

/// A world on the text of a mechanism.
typedef struct Linkage {
  HeftModel* model;
  HeftWorld* world;
} Linkage;

static inline void linkage_close(Linkage* x) {
  heft_world_destroy(x->world);
  heft_model_destroy(x->model);
  *x = (Linkage){NULL, NULL};
}

/// Opens a mechanism with `count` initial velocities. Returns 0 on failure; close it in any case.
static inline int linkage_open(Linkage* x, const char* text, double h, const double* v, int count) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = h;
  def.tolerance = 1e-11;  // the error of the solver must not hide that of the scheme
  *x = (Linkage){NULL, NULL};
  return heft_model_load_bytes(&x->model, text, strlen(text), "text", NULL, NULL) == HEFT_OK &&
         heft_world_create(&x->world, x->model, &def, NULL) == HEFT_OK &&
         heft_world_set_v(x->world, 0, v, count, NULL) == HEFT_OK;
}

/// Coordinates and velocities after a time; returns their number, 0 on failure.
static inline int linkage_end(const LinkageMotion* motion, double h, double time, double* out) {
  Linkage x;
  int count = 0;
  if (linkage_open(&x, motion->text, h, motion->v, motion->count) &&
      x.model->nq + x.model->nv <= LINKAGE_NUMBERS) {
    for (int i = (int)(time / h + 0.5); i > 0; --i) heft_world_step(x.world);
    const HeftState* s = heft_world_state(x.world);
    memcpy(out, s->q, (size_t)s->nq * sizeof(double));
    memcpy(out + s->nq, s->v, (size_t)s->nv * sizeof(double));
    count = s->nq + s->nv;
  }
  linkage_close(&x);
  return count;
}

/// The order after a time, by `steps` steps of 1 ms, 0.5 ms and so on (3 to LINKAGE_STEPS_MAX).
/// apart[i] is the largest difference between the steps i and i - 1. NaN on failure.
static inline double linkage_order(const LinkageMotion* motion, double time, int steps,
                                   double* apart) {
  double end[LINKAGE_STEPS_MAX][LINKAGE_NUMBERS] = {{0}};
  int count = 1;
  for (int i = 0; i < steps; ++i) apart[i] = 0;
  for (int i = 0; i < steps && count > 0; ++i) {
    count = linkage_end(motion, 0.001 / (1 << i), time, end[i]);
    for (int k = 0; i > 0 && k < count; ++k)
      apart[i] = fmax(apart[i], fabs(end[i][k] - end[i - 1][k]));
  }
  if (count == 0 || steps < 3) return (double)NAN;
  return heft_log(apart[steps - 2] / apart[steps - 1]) / heft_log(2);
}

#endif
