// SPDX-License-Identifier: Apache-2.0
// How far the state of a constraint is from changing.
//
// Each state has numbers that are positive while it lasts, and the derivative of the step has their
// derivatives: the impulse of a row that holds, the velocity of one that is open, how far friction
// is from its limit, the speed of a point that slips, the distance of a gap from zero, where the
// law of the normal row has a kink, the impulse of a row of the correction, the speed at which free
// bodies count as moving. The smallest ratio of such a number to its derivative by one coordinate
// is the change of that coordinate, to first order, that changes a state.
//
// Where rows depend on each other, the impulses have a choice. As long as one of them lasts, so
// does the motion: the radius is then a lower bound.
#include <math.h>

#include "world/contacts.h"
#include "world/derivative.h"

typedef struct RadiusTask {
  StepMap* map;
  DerivativeBlock block;
  const double *dw, *impulse;  // nv x nv, rank of the active rows x nv
  const double* held;          // nv x nv
  double* row;                 // nv: scratch
  double radius;
} RadiusTask;

void heft_count_radius(const StepMap* map, const double* row, double value, double scale,
                       double* radius) {
  const double most = heft_largest((size_t)map->in.model->nv, row);
  if (most > 1e-12 * scale && fabs(value) < *radius * most) *radius = fabs(value) / most;
}

static void count_row(RadiusTask* t, const double* row, double value, double scale) {
  heft_count_radius(t->map, row, value, scale, &t->radius);
}

static void count(RadiusTask* t, double value, double scale) { count_row(t, t->row, value, scale); }

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

static void add_impulse(RadiusTask* t, int active, double scale) {
  const size_t nv = (size_t)t->map->in.model->nv;
  const int at = t->map->active.place[active];
  if (at >= 0) heft_combine_rows(t->impulse, nv, at, scale, at, 0, t->row);
}

// The dof that a row holds, -1: none.
static int held_by(const StepMap* x, const Constraint* k) {
  const int dof = k->kind == CONSTRAINT_CONTACT ? -1 : k->dof[0];
  return dof >= 0 && x->held[dof] && x->held_row[dof] == k->row ? dof : -1;
}

static void count_held(RadiusTask* t, int dof, double value) {
  count_row(t, t->held + (size_t)dof * (size_t)t->map->in.model->nv, value, 1);
}

static void count_impulse(RadiusTask* t, int active, double value) {
  const int at = t->map->active.place[active];
  if (at >= 0) count_row(t, t->impulse + (size_t)at * (size_t)t->map->in.model->nv, value, 1);
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
  const int holds = t->map->active_at[row];
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
  if (t->block == BY_Q) count_row(t, x->middle.jacobian + (size_t)k->row * nv, k->gap, 1);
}

static void count_constraint(RadiusTask* t, const Constraint* k) {
  const IslandSolution* s = &t->map->in.constraints->solution;
  const int active = t->map->active_at[k->row], dof = held_by(t->map, k);
  if (k->kind == CONSTRAINT_EQUALITY) return;
  if (k->kind == CONSTRAINT_DRY || k->kind == CONSTRAINT_TENDON_DRY) {
    const double r = s->impulse[k->row];
    const double left = fmin(k->upper - r, r - k->lower);
    if (active >= 0) count_impulse(t, active, left);
    if (dof >= 0) count_held(t, dof, left);
    if (active < 0 && dof < 0) count_velocity(t, k);
    return;
  }
  if (dof >= 0) {
    count_held(t, dof, s->impulse[k->row]);
    count_gap(t, k);
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
                              const double* impulse, const double* held) {
  const ConstraintSet* set = &x->in.constraints->set;
  RadiusTask t = {x, block, dw, impulse, held, x->d, HUGE_VAL};
  for (int i = 0; i < set->count; ++i) count_constraint(&t, &set->list[i]);
  return block == BY_V ? fmin(t.radius, heft_lasting_left(x->in.constraints, x->in.step))
                       : t.radius;
}
