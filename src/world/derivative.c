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

// out (nv x nv) = dw by a block, without the held dofs; x->turned_v: the impulses. rows may be NULL
// (zero).
static void solve(StepMap* x, DerivativeBlock block, const double* smooth, const double* rows,
                  double* out) {
  const int nv = x->in.model->nv;
  if (block == BY_FORCE && !x->has_early) {
    for (size_t i = 0; i < square_of(nv); ++i) out[i] = x->in.step->h * x->freed[i];
  } else {
    heft_set_product(nv, nv, nv, 1, x->freed, smooth, out);
  }
  heft_active_rows_respond(&x->active, nv, rows, out, x->turned_v);
}

// The impulses at held dofs by a block, into x->square: M̂ dw - smooth - Nᵀ dλ.
static void find_held(StepMap* x, const double* smooth, const double* dw) {
  const int nv = x->in.model->nv, n = x->active.count;
  if (x->held_count == 0) return;
  heft_set_product(nv, nv, nv, 1, x->mass, dw, x->square);
  for (size_t i = 0; i < square_of(nv); ++i) x->square[i] -= smooth[i];
  for (int r = 0; r < n; ++r) {
    const int at = x->active.place[r];
    const double* push = x->active.push + (size_t)r * (size_t)nv;
    for (int i = 0; i < nv && at >= 0; ++i) {
      if (x->held[i] && push[i] != 0)
        heft_combine_rows(x->turned_v, (size_t)nv, at, -push[i], at, 0,
                          x->square + (size_t)i * (size_t)nv);
    }
  }
}

static void store(const double* from, int nv, double* to, size_t wide) {
  for (int i = 0; i < nv; ++i)
    memcpy(to + (size_t)i * wide, from + (size_t)i * (size_t)nv, (size_t)nv * sizeof(double));
}

// dq⁺ = keep dq_m + h add (after dv⁺ + before dv). dv (nv x nv): dv⁺ by a block of columns.
static void find_positions(StepMap* x, DerivativeBlock block, const double* dv, double* out) {
  const DerivativeInput* in = &x->in;
  const HeftModel* m = in->model;
  const int nv = m->nv;
  const double h = in->step->h;
  double* velocity = x->by_v;
  for (int i = 0; i < nv; ++i) {
    const size_t row = (size_t)i * (size_t)nv;
    const double share = x->after[i];
    for (size_t k = 0; k < (size_t)nv; ++k) {
      velocity[row + k] = share * dv[row + k];
      out[row + k] = 0;
    }
    if (block == BY_V) velocity[row + (size_t)i] += x->before[i];
    x->d[i] = h * (1 - in->middle->theta[i]);
  }
  heft_correcting_add(x, block, dv, velocity);
  heft_tangent_apply(m, (const double(*)[9])x->rest.add, nv, h, velocity, out);
  if (block >= BY_FORCE) return;
  heft_tangent_chain(m, (const double(*)[9])x->rest.keep,
                     (const double(*)[9])(block == BY_Q ? x->lead.keep : x->lead.add),
                     block == BY_Q ? NULL : x->d, out);
}

// Rows that depend on each other may ask for different motions: the state is then about to change.
// A redundant contact point that slips shares its pressure in a way that the rows do not determine.
static void judge_redundant(StepMap* x, const double* rows, const double* dw) {
  const int nv = x->in.model->nv, rank = x->active.rank, more = x->active.count - rank;
  const size_t wide = (size_t)nv, all = (size_t)more * wide;
  double *left = x->turned, *along = x->active.turned;
  if (more == 0) return;
  for (int i = 0; i < x->active.count; ++i) {
    if (x->of_row[i] < 0) x->flags |= flag_bit(HEFT_DERIVATIVE_REDUNDANT);
  }
  for (int i = 0; i < more; ++i) {
    const int row = x->active.order[rank + i], at = x->active.place[row];
    memcpy(along + (size_t)i * wide, x->active.along + (size_t)row * wide, wide * sizeof(double));
    for (size_t k = 0; k < wide; ++k)
      left[(size_t)i * wide + k] = rows ? rows[(size_t)row * wide + k] : 0;
    if (at >= 0)
      heft_combine_rows(x->turned_v, wide, at, x->active.compliance[row], at, 0,
                        left + (size_t)i * wide);
  }
  const double most = rows ? fmax(1, heft_largest((size_t)x->active.count * wide, rows)) : 1;
  heft_add_product(more, nv, nv, 1, along, dw, left);
  if (!(heft_largest(all, left) <= inconsistent * most))
    x->flags |= flag_bit(HEFT_DERIVATIVE_REDUNDANT);
}

static void find_block(StepMap* x, DerivativeBlock block, double* out, size_t wide) {
  const int nv = x->in.model->nv;
  const double* smooth = block == BY_Q   ? x->smooth_q
                         : block == BY_V ? x->smooth_v
                                         : x->smooth_force;
  const double* rows = block == BY_Q ? x->rows_q : block == BY_V ? x->rows_v : NULL;
  const double* hold = block == BY_Q ? x->hold_q : x->hold_v;
  double *dv = x->early_q, *dq = x->early_v;
  solve(x, block, smooth, rows, dv);
  judge_redundant(x, rows, dv);
  find_held(x, smooth, dv);
  for (int i = 0; i < nv && block != BY_FORCE; ++i) dv[(size_t)i * ((size_t)nv + 1)] += hold[i];
  x->radius[block] = heft_derivative_radius(x, block, dv, x->turned_v, x->square);
  for (int i = 0; i < nv && block == BY_V; ++i) dv[(size_t)i * ((size_t)nv + 1)] += 1;
  heft_kept_energy_begin(x, block, dv);
  find_positions(x, block, dv, dq);
  heft_kept_momentum_correct(x, block, dq, dv);
  heft_kept_energy_correct(x, block, dq, dv);
  store(dq, nv, out, wide);
  store(dv, nv, out + (size_t)nv * wide, wide);
}

// The right-hand sides of parameters, at most nv of them: of the equations of motion into fixed_q,
// the scratch of the correction, which comes later; of the correction; of the rows into rows_by.
static void find_sides(StepMap* x, const HeftStepParameter* list, int count) {
  const int nv = x->in.model->nv;
  double *smooth = x->fixed_q, *fixed = x->correcting.by_parameter;
  x->by = list;
  x->by_count = count;
  if (x->energy.any) x->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
  heft_clear_rows(nv, nv, smooth);
  heft_clear_rows(nv, nv, fixed);
  heft_clear_rows(x->active.count, nv, x->rows_by);
  for (int k = 0; k < count; ++k)
    heft_derivative_parameter(x, list[k], (size_t)nv, smooth + k, fixed + k, x->rows_by + k);
  heft_derivative_inertia(x, list, count, (size_t)nv, smooth, fixed);
}

// Columns of parameters, at most nv of them, into dq and dv (nv x nv).
static void find_parameters(StepMap* x, const HeftStepParameter* list, int count, double* dq,
                            double* dv) {
  find_sides(x, list, count);
  solve(x, BY_PARAMETER, x->fixed_q, x->rows_by, dv);
  judge_redundant(x, x->rows_by, dv);
  find_positions(x, BY_PARAMETER, dv, dq);
  heft_kept_momentum_correct(x, BY_PARAMETER, dq, dv);
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
  StepMap* x = heft_block_create_raw(&start, sizeof start, heft_step_map_place, &start.in,
                                     in->allocator, "the derivative of a step", error);
  if (!x) return NULL;
  x->flags = hidden;
  for (int i = 0; i <= BY_PARAMETER; ++i) x->radius[i] = HUGE_VAL;
  *status = HEFT_OK;
  if (heft_step_map_find(x))
    *status = heft_error_set(error, HEFT_ERR_UNSUPPORTED, "the mass matrix is singular");
  return x;
}

static HeftDerivative close_map(StepMap* x) {
  if (fmin(x->radius[BY_Q], x->radius[BY_V]) < near_change)
    x->flags |= flag_bit(HEFT_DERIVATIVE_CHANGE);
  const HeftDerivative out = {.flags = x->flags,
                              .redundant = x->active.count - x->active.rank,
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

// 1 if the parameters are in the model, and differentiated in this step.
static int parameters_fit(const HeftModel* m, const HeftStepParameter* list, int count) {
  const int most_of[HEFT_STEP_PARAMETER_COUNT] = {
      [HEFT_STEP_FRICTION] = m->nmaterial, [HEFT_STEP_DAMPING] = m->nv,
      [HEFT_STEP_STIFFNESS] = m->nv,       [HEFT_STEP_ARMATURE] = m->nv,
      [HEFT_STEP_DRY_FRICTION] = m->nv,    [HEFT_STEP_GAIN] = m->nactuator,
      [HEFT_STEP_BIAS] = 3 * m->nactuator, [HEFT_STEP_GEAR] = m->nactuator,
      [HEFT_STEP_MASS] = m->nbody,         [HEFT_STEP_COM] = 3 * m->nbody,
      [HEFT_STEP_INERTIA] = 6 * m->nbody,  [HEFT_STEP_SOFTNESS] = 2 * m->nmaterial};
  for (int i = 0; i < count; ++i) {
    const int least = list[i].kind == HEFT_STEP_FRICTION ? -1 : 0;
    if ((int)list[i].kind < 0 || list[i].kind >= HEFT_STEP_PARAMETER_COUNT ||
        list[i].index < least || list[i].index >= most_of[list[i].kind])
      return 0;
  }
  return 1;
}

static void store_parameters(StepMap* x, const HeftStepParameter* list, int count, double* matrix) {
  const int nv = x->in.model->nv;
  for (int first = 0; first < count; first += nv) {
    const int some = count - first < nv ? count - first : nv;
    find_parameters(x, list + first, some, x->early_v, x->early_q);
    for (int i = 0; i < nv; ++i) {
      for (int k = 0; k < some; ++k) {
        const size_t from = (size_t)i * (size_t)nv + (size_t)k;
        double* to = matrix + (size_t)i * (size_t)count + (size_t)(first + k);
        *to = x->early_v[from];
        to[(size_t)nv * (size_t)count] = x->early_q[from];
      }
    }
  }
}

// out (count) += xᵀ a, a: rows x nv.
static void add_gradient(int rows, int nv, int count, const double* a, const double* x,
                         double* out) {
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < count; ++k) out[k] += x[i] * a[(size_t)i * (size_t)nv + (size_t)k];
  }
}

static void find_gradient(StepMap* x, const double* end, const HeftStepParameter* list, int count,
                          double* gradient) {
  const int nv = x->in.model->nv;
  const double* fixed = x->correcting.by_parameter;
  heft_step_map_adjoint(x, end);
  for (int first = 0; first < count; first += nv) {
    const int some = count - first < nv ? count - first : nv;
    double* out = gradient + first;
    find_sides(x, list + first, some);
    memset(out, 0, (size_t)some * sizeof(double));
    add_gradient(nv, nv, some, x->fixed_q, x->adjoint.solved, out);
    add_gradient(nv, nv, some, fixed, x->adjoint.corrected, out);
    add_gradient(x->active.count, nv, some, x->rows_by, x->adjoint.rows, out);
    for (int f = 0; f < x->in.keepers->groups.count; ++f) {
      if (heft_kept_momentum_due(x, f, BY_PARAMETER) < 0) continue;
      add_gradient(6, nv, some, x->kept.due, x->adjoint.kept + 9L * f, out);
      add_gradient(3, nv, some, x->kept.place, x->adjoint.kept + 9L * f + 6, out);
    }
  }
}

HeftStatus heft_world_derivative_by(HeftWorld* w, const HeftStepParameter* list, int count,
                                    double* matrix, const double* end, double* gradient,
                                    HeftDerivative* out, HeftError* error) {
  HEFT_REQUIRE(w && out && (count == 0 || list) && (!gradient || end), HEFT_ERR_ARGUMENT);
  *out = (HeftDerivative){.flags = 0};
  if (!parameters_fit(w->model, list, count))
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "a parameter is out of range");
  HeftStatus status = HEFT_OK;
  const DerivativeInput in = input_of(w);
  StepMap* x = open_map(&in, w->has_step, w->last_flags, &status, error);
  if (!x) return status;
  if (w->model->nv == 0) count = 0;
  if (status == HEFT_OK && matrix) store_parameters(x, list, count, matrix);
  if (status == HEFT_OK && gradient) find_gradient(x, end, list, count, gradient);
  *out = close_map(x);
  w->fresh = STATE_STALE;
  heft_world_refresh(w);
  return status;
}
