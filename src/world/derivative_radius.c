// SPDX-License-Identifier: Apache-2.0
// How far the state of a constraint is from changing.
//
// Each state has numbers that are positive while it lasts, and the derivative of the step has their
// derivatives: the impulse of a row that holds, the velocity of one that is open, how far friction
// is from its limit, the speed of a point that slips, the distance of a gap from zero, where the
// law of the normal row has a kink. The smallest ratio of such a number to its derivative by one
// coordinate is the change of that coordinate, to first order, that changes a state.
//
// Where rows depend on each other, the impulses have a choice. As long as one of them lasts, so
// does the motion: the radius is then a lower bound.
#include <math.h>

#include "world/contacts.h"
#include "world/derivative.h"

typedef struct RadiusTask {
  StepMap* map;
  DerivativeBlock block;
  const double *dw, *impulse;  // nv x nv, active rows x nv
  double* row;                 // nv: scratch
  double radius;
} RadiusTask;

// The number `value` has the derivative task->row.
static void count(RadiusTask* t, double value, double scale) {
  double most = 0;
  for (int i = 0; i < t->map->in.model->nv; ++i) most = fmax(most, fabs(t->row[i]));
  if (most > 1e-12 * scale) t->radius = fmin(t->radius, fabs(value) / most);
}

static void clear(RadiusTask* t) {
  for (int i = 0; i < t->map->in.model->nv; ++i) t->row[i] = 0;
}

// row += scale times the derivative of the velocity of a row.
static void add_velocity(RadiusTask* t, const Constraint* k, int row, double scale) {
  const StepMap* x = t->map;
  const size_t nv = (size_t)x->in.model->nv;
  const double* along = x->middle.jacobian + (size_t)row * nv;
  const int closes = row == k->row && x->in.constraints->round.bias[row] > 0;
  heft_add_product(1, (int)nv, (int)nv, scale, along, t->dw, t->row);
  for (size_t i = 0; i < nv; ++i) {
    if (t->block == BY_V) t->row[i] += scale * along[i];
    if (t->block == BY_Q)
      t->row[i] +=
          scale * (x->turned_end[(size_t)row * nv + i] + (closes ? along[i] / x->in.step->h : 0));
  }
}

static int active_of(const StepMap* x, int row) {
  for (int n = 0; n < x->active.count; ++n) {
    if (x->of_row[n] == row) return n;
  }
  return -1;
}

static void add_impulse(RadiusTask* t, int active, double scale) {
  const size_t nv = (size_t)t->map->in.model->nv;
  for (size_t i = 0; i < nv; ++i) t->row[i] += scale * t->impulse[(size_t)active * nv + i];
}

static void count_impulse(RadiusTask* t, int active, double value) {
  clear(t);
  add_impulse(t, active, 1);
  count(t, value, 1);
}

static void count_velocity(RadiusTask* t, const Constraint* k) {
  clear(t);
  add_velocity(t, k, k->row, 1);
  count(t, t->map->in.constraints->solution.velocity[k->row], t->block == BY_FORCE ? 1e3 : 1e6);
}

// Friction in a disk; normal: active row of the pressure.
static void count_disk(RadiusTask* t, const Constraint* k, int row, int rows, double mu,
                       int normal) {
  const IslandSolution* s = &t->map->in.constraints->solution;
  const double *r = s->impulse + row, *u = s->velocity + row;
  const int holds = active_of(t->map, row);
  const double force = rows == 2 ? sqrt(r[0] * r[0] + r[1] * r[1]) : fabs(r[0]);
  const double slip = rows == 2 ? sqrt(u[0] * u[0] + u[1] * u[1]) : fabs(u[0]);
  clear(t);
  if (holds >= 0) {
    add_impulse(t, normal, mu);
    for (int i = 0; i < rows && force > 0; ++i) add_impulse(t, holds + i, -r[i] / force);
    count(t, mu * s->impulse[k->row] - force, 1);
  } else if (slip > 0) {
    for (int i = 0; i < rows; ++i) add_velocity(t, k, row + i, u[i] / slip);
    count(t, slip, 1);
  }
}

static void count_gap(RadiusTask* t, const Constraint* k) {
  const StepMap* x = t->map;
  const size_t nv = (size_t)x->in.model->nv;
  if (t->block != BY_Q) return;
  clear(t);
  heft_combine_rows(x->middle.jacobian, nv, k->row, 1, k->row, 0, t->row);
  count(t, k->gap, 1);
}

static void count_constraint(RadiusTask* t, const Constraint* k) {
  const IslandSolution* s = &t->map->in.constraints->solution;
  const int active = active_of(t->map, k->row);
  if (k->kind == CONSTRAINT_EQUALITY) return;
  if (k->kind == CONSTRAINT_DRY || k->kind == CONSTRAINT_TENDON_DRY) {
    const double r = s->impulse[k->row];
    if (active >= 0) count_impulse(t, active, fmin(k->upper - r, r - k->lower));
    if (active < 0) count_velocity(t, k);
    return;
  }
  if (active < 0) {
    count_velocity(t, k);
    return;
  }
  count_impulse(t, active, s->impulse[k->row]);
  count_gap(t, k);
  if (k->rows >= 3 && k->mu > 0) count_disk(t, k, k->row + 1, 2, k->mu, active);
  if (k->rows == 4 && k->mu_spin > 0) count_disk(t, k, k->row + 3, 1, k->mu_spin, active);
  if (k->rows < 6) return;
  if (k->mu_roll > 0) count_disk(t, k, k->row + 3, 2, k->mu_roll, active);
  if (k->mu_spin > 0) count_disk(t, k, k->row + 5, 1, k->mu_spin, active);
}

double heft_derivative_radius(StepMap* x, DerivativeBlock block, const double* dw,
                              const double* impulse) {
  const ConstraintSet* set = &x->in.constraints->set;
  RadiusTask t = {x, block, dw, impulse, x->d, HUGE_VAL};
  for (int i = 0; i < set->count; ++i) count_constraint(&t, &set->list[i]);
  return t.radius;
}
