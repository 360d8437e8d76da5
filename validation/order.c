// SPDX-License-Identifier: Apache-2.0
// The order of the time-stepping scheme with constraints: the motion of mechanisms with loops, dry
// friction, limits and contact, at steps that are halved again and again. The order is log2 of the
// quotient of the differences between neighbouring steps. And the energy of a linkage over 5 s.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "scenes/linkages.h"
#include "validation/cases.h"

enum { NUMBERS = 40, STEPS = 5 };

typedef struct Mechanism {
  HeftModel* model;
  HeftWorld* world;
} Mechanism;

static int open_mechanism(Mechanism* m, const char* text, double h, const double* v, int count) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = h;
  def.tolerance = 1e-11;  // the error of the solver must not hide that of the scheme
  *m = (Mechanism){NULL, NULL};
  return heft_model_load_bytes(&m->model, text, strlen(text), "text", NULL, NULL) == HEFT_OK &&
         heft_world_create(&m->world, m->model, &def, NULL) == HEFT_OK &&
         heft_world_set_v(m->world, 0, v, count, NULL) == HEFT_OK;
}

static void close_mechanism(Mechanism* m) {
  heft_world_destroy(m->world);
  heft_model_destroy(m->model);
}

// Coordinates and velocities after 0.256 s; returns their number.
static int end_of(const LinkageMotion* motion, double h, double* out) {
  Mechanism m;
  int count = 0;
  if (open_mechanism(&m, motion->text, h, motion->v, motion->count) &&
      m.model->nq + m.model->nv <= NUMBERS) {
    for (int i = (int)(0.256 / h + 0.5); i > 0; --i) heft_world_step(m.world);
    const HeftState* s = heft_world_state(m.world);
    memcpy(out, s->q, (size_t)s->nq * sizeof(double));
    memcpy(out + s->nq, s->v, (size_t)s->nv * sizeof(double));
    count = s->nq + s->nv;
  }
  close_mechanism(&m);
  return count;
}

static void report_order(Run* run, const LinkageMotion* motion) {
  double end[STEPS][NUMBERS] = {{0}}, apart[STEPS] = {0};
  char what[ROW_TEXT];
  for (int i = 0; i < STEPS; ++i) {
    const double h = 0.001 / (1 << i);
    const int count = end_of(motion, h, end[i]);
    for (int k = 0; i > 0 && k < count; ++k)
      apart[i] = fmax(apart[i], fabs(end[i][k] - end[i - 1][k]));
    if (i == 0) continue;
    snprintf(what, sizeof what, "%s: change from steps of %g ms to %g ms", motion->name, 2e3 * h,
             1e3 * h);
    run_report_error(run, what, 0, apart[i], 0, 1);
  }
  const double order = heft_log(apart[STEPS - 2] / apart[STEPS - 1]) / heft_log(2);
  snprintf(what, sizeof what, "%s: order", motion->name);
  run_report_error(run, what, motion->order, order, fmax(0, motion->order - order), 0.1);
}

static void report_energy(Run* run, double h) {
  static const double v[3] = {20, -20, 8};
  Mechanism m;
  char what[ROW_TEXT];
  double first = 0, worst = (double)NAN;
  if (open_mechanism(&m, linkage_four_bar, h, v, 3)) {
    for (int i = 0; i < (int)(5 / h + 0.5); ++i) {
      const HeftStepReport r = heft_world_step(m.world);
      if (i == 0) first = r.kinetic + r.potential, worst = 0;
      worst = fmax(worst, fabs(r.kinetic + r.potential - first) / first);
    }
  }
  close_mechanism(&m);
  snprintf(what, sizeof what, "four-bar at 20 rad/s, %g ms: change of energy in 5 s", 1e3 * h);
  run_report(run, what, 0, worst, 1e-3);
}

void case_order(Run* run) {
  report_energy(run, 0.001);
  if (run->full) report_energy(run, 0.0005);
  if (run->full) report_energy(run, 0.002);
  for (size_t i = 0; i < sizeof linkage_motions / sizeof *linkage_motions; ++i)
    report_order(run, &linkage_motions[i]);
}
