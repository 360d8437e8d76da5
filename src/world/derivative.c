// SPDX-License-Identifier: Apache-2.0
// Derivatives of the last step, from its linear map (derivative_map.c): forward, block by block of
// columns, and as products with the transposed matrix (derivative_adjoint.c).
#include "world/derivative.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "world/world_internal.h"

static const double near_change = 2e-6;   // of a coordinate: a state is about to change
static const double inconsistent = 1e-7;  // velocity of dependent rows, relative to the largest

static const char* const flag_names[] = {
#define NAME(id, name) name,
    HEFT_DERIVATIVE_FLAG_LIST(NAME)
#undef NAME
};

const char* heft_derivative_flag_name(HeftDerivativeFlag flag) {
  return (int)flag >= 0 && flag < HEFT_DERIVATIVE_FLAG_COUNT ? flag_names[flag] : "unknown";
}

// ---- blocks of columns

// out (nv x nv) = M̂⁻¹ (smooth + Nᵀ dλ), dλ = -W⁺ (rows + J M̂⁻¹ smooth). rows may be NULL (zero).
static void solve(StepMap* x, const double* smooth, const double* rows, double* out) {
  const int nv = x->in.model->nv, n = x->active.count;
  const size_t wide = (size_t)n * (size_t)nv;
  double *right = x->turned, *impulse = x->turned_v;
  memcpy(x->square, smooth, square_of(nv) * sizeof(double));
  if (rows) memcpy(right, rows, wide * sizeof(double));
  if (!rows) memset(right, 0, wide * sizeof(double));
  memset(impulse, 0, wide * sizeof(double));
  heft_add_product(n, nv, nv, 1, x->active.reach, smooth, right);
  heft_add_product(n, n, nv, -1, x->active.inverse, right, impulse);
  heft_add_transposed(n, nv, nv, x->active.push, impulse, x->square);
  memset(out, 0, square_of(nv) * sizeof(double));
  heft_add_product(nv, nv, nv, 1, x->mobility, x->square, out);
}

static void store(const double* from, int nv, double* to, size_t wide) {
  for (int i = 0; i < nv; ++i)
    memcpy(to + (size_t)i * wide, from + (size_t)i * (size_t)nv, (size_t)nv * sizeof(double));
}

// dq⁺ = keep dq_m + h add (after dv⁺ + before dv). dv (nv x nv): dv⁺ by a block of columns; block:
// 0 by q, 1 by v, 2 by joint forces.
static void find_positions(StepMap* x, DerivativeBlock block, const double* dv, double* out) {
  const DerivativeInput* in = &x->in;
  const HeftModel* m = in->model;
  const int nv = m->nv;
  const double h = in->step->h;
  double *velocity = x->by_v, *middle = x->by_q;
  memset(out, 0, square_of(nv) * sizeof(double));
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < nv; ++k) {
      const size_t at = (size_t)i * (size_t)nv + (size_t)k;
      velocity[at] = x->after[i] * dv[at] + (block == BY_V && i == k ? x->before[i] : 0);
    }
  }
  heft_correcting_add(x, block, dv, velocity);
  heft_tangent_apply(m, (const double(*)[9])x->rest.add, nv, h, velocity, out);
  if (block == BY_FORCE) return;
  memset(middle, 0, square_of(nv) * sizeof(double));
  memset(velocity, 0, square_of(nv) * sizeof(double));
  for (int i = 0; i < nv; ++i)
    velocity[(size_t)i * (size_t)nv + (size_t)i] =
        block == BY_Q ? 1 : h * (1 - in->middle->theta[i]);
  heft_tangent_apply(m, (const double(*)[9])(block == BY_Q ? x->lead.keep : x->lead.add), nv, 1,
                     velocity, middle);
  heft_tangent_apply(m, (const double(*)[9])x->rest.keep, nv, 1, middle, out);
}

// Rows that depend on each other may ask for different motions: the state is then about to change.
// A redundant contact point that slips shares its pressure in a way that the rows do not determine.
static void judge_redundant(StepMap* x, const double* rows, const double* dw) {
  const int nv = x->in.model->nv, n = x->active.count;
  const size_t wide = (size_t)n * (size_t)nv;
  double *left = x->turned, most = 1, worst = 0;
  if (x->active.redundant == 0) return;
  for (int i = 0; i < n; ++i) {
    if (x->of_row[i] < 0) x->flags |= flag_bit(HEFT_DERIVATIVE_REDUNDANT);
  }
  if (rows) memcpy(left, rows, wide * sizeof(double));
  if (!rows) memset(left, 0, wide * sizeof(double));
  for (size_t i = 0; i < wide; ++i) most = fmax(most, fabs(left[i]));
  heft_add_product(n, nv, nv, 1, x->active.along, dw, left);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < nv; ++k) {
      const size_t at = (size_t)i * (size_t)nv + (size_t)k;
      worst = fmax(worst, fabs(left[at] + x->active.compliance[i] * x->turned_v[at]));
    }
  }
  if (!(worst <= inconsistent * most)) x->flags |= flag_bit(HEFT_DERIVATIVE_REDUNDANT);
}

static void find_block(StepMap* x, DerivativeBlock block, double* out, size_t wide) {
  const int nv = x->in.model->nv;
  const double* smooth = block == BY_Q   ? x->smooth_q
                         : block == BY_V ? x->smooth_v
                                         : x->smooth_force;
  const double* rows = block == BY_Q ? x->rows_q : block == BY_V ? x->rows_v : NULL;
  double *dv = x->early_q, *dq = x->early_v;
  solve(x, smooth, rows, dv);
  judge_redundant(x, rows, dv);
  x->radius[block] = heft_derivative_radius(x, block, dv, x->turned_v);
  for (int i = 0; i < nv && block == BY_V; ++i) dv[(size_t)i * (size_t)nv + (size_t)i] += 1;
  find_positions(x, block, dv, dq);
  heft_kept_momentum_correct(x, block, dq, dv);
  store(dq, nv, out, wide);
  store(dv, nv, out + (size_t)nv * wide, wide);
}

// ---- public functions

static DerivativeInput input_of(HeftWorld* w) {
  return (DerivativeInput){.model = w->model,
                           .step = &w->input,
                           .dynamics = w->dynamics,
                           .constraints = w->constraints,
                           .drives = w->drives,
                           .middle = &w->middle,
                           .prediction = &w->prediction,
                           .motion = &w->motion,
                           .keepers = &w->keepers,
                           .output = &w->output,
                           .q_end = w->state->q,
                           .v_end = w->state->v,
                           .allocator = &w->def.allocator};
}

// The map of a step; NULL if there is none. hidden: flags that its stages do not show.
static StepMap* open_map(const DerivativeInput* in, int has_step, unsigned hidden,
                         HeftStatus* status, HeftError* error) {
  StepMap start = {.in = *in};
  if (!has_step || (hidden & flag_bit(HEFT_DERIVATIVE_PARTS)) != 0) {
    *status = heft_error_set(error, HEFT_ERR_UNSUPPORTED,
                             "there was no step since the world changed, or it had several parts");
    return NULL;
  }
  *status = HEFT_ERR_MEMORY;
  StepMap* x = heft_block_create(&start, sizeof start, heft_step_map_place, &start.in,
                                 in->allocator, "the derivative of a step", error);
  if (!x) return NULL;
  x->flags = hidden;
  for (int i = 0; i < 3; ++i) x->radius[i] = HUGE_VAL;
  *status = HEFT_OK;
  if (heft_step_map_find(x))
    *status = heft_error_set(error, HEFT_ERR_UNSUPPORTED, "the mass matrix is singular");
  return x;
}

static HeftDerivative close_map(StepMap* x) {
  if (fmin(x->radius[BY_Q], x->radius[BY_V]) < near_change)
    x->flags |= flag_bit(HEFT_DERIVATIVE_CHANGE);
  const HeftDerivative out = {.flags = x->flags,
                              .redundant = x->active.redundant,
                              .radius_q = x->radius[BY_Q],
                              .radius_v = x->radius[BY_V],
                              .radius_force = x->radius[BY_FORCE]};
  heft_block_destroy(x, x->in.allocator);
  return out;
}

// control (2 nv x nactuator) from the derivative by joint forces (2 nv x nv).
static void find_control(const StepMap* x, const double* force, double* control) {
  const HeftModel* m = x->in.model;
  const Transmissions* l = x->in.drives->transmissions;
  for (int i = 0; i < m->nactuator; ++i) {
    const Transmission* t = &l->list[l->of_actuator[i]];
    const double rate = heft_derivative_control(x, i);
    for (int r = 0; r < 2 * m->nv; ++r) {
      double sum = 0;
      for (int k = t->first; k < t->first + t->count; ++k)
        sum += force[(size_t)r * (size_t)m->nv + (size_t)l->dof[k]] * l->arm[k];
      control[(size_t)r * (size_t)m->nactuator + (size_t)i] = rate * sum;
    }
  }
}

HeftStatus heft_world_derivative(HeftWorld* w, double* state, double* force, double* control,
                                 HeftDerivative* out, HeftError* error) {
  HEFT_REQUIRE(w && out, HEFT_ERR_ARGUMENT);
  *out = (HeftDerivative){.flags = 0};
  HeftStatus status = HEFT_OK;
  const DerivativeInput in = input_of(w);
  StepMap* x = open_map(&in, w->has_step, w->last_flags, &status, error);
  if (!x) return status;
  const size_t nv = (size_t)w->model->nv;
  if (status == HEFT_OK && state) {
    find_block(x, BY_Q, state, 2 * nv);
    find_block(x, BY_V, state + nv, 2 * nv);
  }
  if (status == HEFT_OK && (force || control)) {
    double* by_force = force ? force : x->by_force;
    find_block(x, BY_FORCE, by_force, nv);
    if (control) find_control(x, by_force, control);
  }
  *out = close_map(x);
  w->fresh = STATE_STALE;
  heft_world_refresh(w);
  return status;
}

HeftStatus heft_world_derivative_transposed(HeftWorld* w, const double* end, double* start,
                                            double* force, double* control, HeftDerivative* out,
                                            HeftError* error) {
  HEFT_REQUIRE(w && end && out, HEFT_ERR_ARGUMENT);
  *out = (HeftDerivative){.flags = 0};
  HeftStatus status = HEFT_OK;
  const DerivativeInput in = input_of(w);
  StepMap* x = open_map(&in, w->has_step, w->last_flags, &status, error);
  if (!x) return status;
  const HeftModel* m = w->model;
  if (status == HEFT_OK) {
    heft_step_map_adjoint(x, end);
    if (start) memcpy(start, x->adjoint.start, 2 * (size_t)m->nv * sizeof(double));
    if (force) memcpy(force, x->adjoint.force, (size_t)m->nv * sizeof(double));
    const Transmissions* l = w->drives->transmissions;
    for (int i = 0; i < m->nactuator && control; ++i) {
      const Transmission* t = &l->list[l->of_actuator[i]];
      control[i] = 0;
      for (int k = t->first; k < t->first + t->count; ++k)
        control[i] += heft_derivative_control(x, i) * l->arm[k] * x->adjoint.force[l->dof[k]];
    }
  }
  *out = close_map(x);
  w->fresh = STATE_STALE;
  heft_world_refresh(w);
  return status;
}
