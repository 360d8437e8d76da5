// SPDX-License-Identifier: Apache-2.0
// Moving apart what would end a step inside of something else, and closing loops that have drifted.
//
// This happens to positions alone, with a velocity of its own that is forgotten after the step, so
// that it never becomes kinetic energy. It is the same problem as that of the impulses, without
// friction: rows that would end inside are pushed out by a share of their depth, loops close by a
// share of their error, all others may close as far as they are open.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/world_internal.h"

enum { CORRECTION_WORK = 40 };

static const double share = 0.2;       // of a depth or an error is taken back in a step
static const double fastest = 1;       // and no faster than this [m/s, rad/s]
static const double tolerance = 1e-3;  // a share is taken back in every step anyway
static const double slop = 1e-8;       // errors below this are left alone [m, rad]

// What the distance of a touch or a limit, or the error of a loop, will be after the step.
static double gap_after(const HeftWorld* w, const Constraint* k) {
  const Constraints* c = w->constraints;
  return k->gap + w->def.time_step * (c->velocity[k->row] - c->push[k->row]);
}

// What has a gap, and may end inside.
static int has_gap(const Constraint* k) {
  return k->kind == CONSTRAINT_CONTACT || k->kind == CONSTRAINT_LIMIT ||
         k->kind == CONSTRAINT_TENDON_LIMIT;
}

// Contact models that let things sink into each other want them left there.
static int is_left(const Constraints* c, const Constraint* k) {
  return k->kind == CONSTRAINT_CONTACT && c->model && !c->model->corrects;
}

static int is_wrong(const Constraint* k, double gap) {
  if (k->kind == CONSTRAINT_EQUALITY) return fabs(gap) > slop;
  return has_gap(k) && gap < -slop;
}

static double limited(double speed) { return fmax(-fastest, fmin(speed, fastest)); }

static void pose_problem(HeftWorld* w) {
  Constraints* c = w->constraints;
  const double h = w->def.time_step;
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    const double gap = gap_after(w, k);
    c->warm[k->row] = 0;
    k->waiting |= is_left(c, k);
    if (has_gap(k)) {
      k->type = HEFT_CONSTRAINT_FRICTIONLESS;
      k->rows = 1;
      c->velocity[k->row] = gap < 0 ? limited(share * gap / h) : gap / h;
    } else if (k->kind == CONSTRAINT_EQUALITY) {
      c->velocity[k->row] = limited(share * gap / h);
    } else {
      k->lower = k->upper = 0;
      c->velocity[k->row] = 0;
    }
  }
}

void heft_constraints_correct(HeftWorld* w, double* shift, HeftStepReport* report) {
  Constraints* c = w->constraints;
  memset(shift, 0, (size_t)w->model->nv * sizeof(double));
  int wrong = 0;
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    wrong |= !is_left(c, k) && is_wrong(k, gap_after(w, k));
    if (k->kind == CONSTRAINT_CONTACT) report->penetration = fmax(report->penetration, -k->gap);
  }
  if (!wrong) return;
  memcpy(c->kept, c->velocity, (size_t)c->row_count * sizeof(double));
  pose_problem(w);
  const HeftContactTermination stop = {.tolerance = tolerance, .effort_max = CORRECTION_WORK};
  heft_islands_solve(w, &stop, BUDGET_CORRECTION, c->correction, NULL);
  memcpy(c->velocity, c->kept, (size_t)c->row_count * sizeof(double));
  heft_constraints_apply(w, c->correction, shift);
}
