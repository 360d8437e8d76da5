// SPDX-License-Identifier: Apache-2.0
// How a simulated motion changes with the parameters of a fit.
//
// With the derivative A of a step by its start and B by the parameters p (heft_world_derivative()),
//
//     S⁺ = A S + B,      S = ∂(q, v)/∂p,
//
// and the sensors change by C S⁺ + D S_v, S_v: velocities at the start of the last step. One
// simulation takes the place of two for each parameter. A step that has no exact derivative ends
// it, but one whose contact is about to change does not: its derivative belongs to its side.
#include "identify/sensitivity.h"

#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/error.h"

// ---- columns

static void list(Sensitivity* s, HeftStepParameterKind kind, int index, int column) {
  s->list[s->listed] = (HeftStepParameter){kind, index};
  s->column[s->listed++] = column;
}

static void list_joint(Sensitivity* s, HeftStepParameterKind kind, int joint, int column) {
  const HeftModel* m = s->model;
  for (int i = 0; i < heft_joint_type_dof_count(m->joint_type[joint]); ++i)
    list(s, kind, m->joint_dof[joint] + i, column);
}

static void list_parameter(Sensitivity* s, HeftParameter p, int column) {
  const HeftStepParameterKind step = heft_parameter_step(p);
  if (step == HEFT_STEP_PARAMETER_COUNT) {
    s->offset[column] = p.index;
  } else if (step == HEFT_STEP_FRICTION) {
    list(s, HEFT_STEP_FRICTION, p.index < 0 ? -1 : s->model->shape_material[p.index], column);
  } else if (step == HEFT_STEP_GEAR) {
    list(s, HEFT_STEP_GEAR, p.index, column);
  } else {
    list_joint(s, step, p.index, column);
  }
}

HeftStatus heft_sensitivity_create(Sensitivity* s, const HeftModel* m,
                                   const HeftParameter* parameter, int count, int states,
                                   HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  const size_t columns = (size_t)count + (size_t)states, nv = (size_t)m->nv;
  const size_t values = (size_t)m->nsensordata;
  memset(s, 0, sizeof *s);
  s->model = m;
  s->count = count + states;
  s->states = states;
  for (int k = 0; k < s->count; ++k) s->offset[k] = -1;
  for (int k = 0; k < count; ++k) list_parameter(s, parameter[k], k);
  const size_t listed = (size_t)s->listed;
  const size_t sizes[] = {2 * nv * columns, 2 * nv * columns, nv * columns, 4 * nv * nv,
                          2 * nv * listed,  2 * nv * values,  nv * values};
  double** arrays[] = {&s->now, &s->next, &s->before, &s->step, &s->by, &s->end, &s->start};
  size_t total = 1;
  for (int i = 0; i < 7; ++i) total += sizes[i];
  s->size = total * sizeof(double);
  double* at = s->memory = a.allocate(a.user, s->size, 64);
  if (!at) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", s->size);
  for (int i = 0; i < 7; at += sizes[i++]) *arrays[i] = at;
  return HEFT_OK;
}

void heft_sensitivity_destroy(Sensitivity* s) {
  const HeftAllocator a = heft_allocator_default();
  if (s->memory) a.release(a.user, s->memory, s->size);
  s->memory = NULL;
}

// ---- along the motion

// A position of the start is q ⊕ x: of a rotation, its derivative is no unit matrix.
static void place_position(Sensitivity* s, const double* x, const double* q, int i, int column) {
  const double eps = 1e-4;
  const HeftModel* m = s->model;
  const size_t nv = (size_t)m->nv, wide = (size_t)s->count;
  double *shifted = s->step, *to[2] = {s->next, s->next + m->nq}, *change = s->before;
  for (int side = 0; side < 2; ++side) {
    memcpy(shifted, x, nv * sizeof(double));
    shifted[i] += side ? eps : -eps;
    heft_q_integrate(m, q, shifted, 1, to[side]);
  }
  heft_q_difference(m, to[0], to[1], change);
  for (size_t k = 0; k < nv; ++k) s->now[k * wide + (size_t)column] = change[k] / (2 * eps);
}

void heft_sensitivity_begin(Sensitivity* s, const double* x, const double* q) {
  const int nv = s->model->nv, first = s->count - s->states;
  const size_t wide = (size_t)s->count;
  memset(s->now, 0, 2 * (size_t)nv * wide * sizeof(double));
  for (int i = 0; i < nv && s->states > 0; ++i) {
    place_position(s, x + first, q, i, first + i);
    s->now[(size_t)(nv + i) * wide + (size_t)(first + nv + i)] = 1;
  }
}

// out (n x p) += a (n x m) b (m x p).
static void add_product(size_t n, size_t m, size_t p, const double* a, const double* b,
                        double* out) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < m; ++k) {
      const double by = a[i * m + k];
      for (size_t j = 0; j < p && by != 0; ++j) out[i * p + j] += by * b[k * p + j];
    }
  }
}

HeftStatus heft_sensitivity_step(Sensitivity* s, HeftWorld* world, HeftError* error) {
  const size_t nv = (size_t)s->model->nv, wide = (size_t)s->count, listed = (size_t)s->listed;
  HeftDerivative by = {0}, info = {0};
  HeftStatus status = HEFT_OK;
  if (s->listed > 0)
    status = heft_world_derivative_by(world, s->list, s->listed, s->by, NULL, NULL, &by, error);
  if (status == HEFT_OK) status = heft_world_derivative(world, s->step, NULL, NULL, &info, error);
  if (status != HEFT_OK) return status;
  if (((by.flags | info.flags) & ~(1u << HEFT_DERIVATIVE_CHANGE)) != 0)
    return heft_error_set(error, HEFT_ERR_UNSUPPORTED, "a step has no exact derivative");
  memcpy(s->before, s->now + nv * wide, nv * wide * sizeof(double));
  memset(s->next, 0, 2 * nv * wide * sizeof(double));
  add_product(2 * nv, 2 * nv, wide, s->step, s->now, s->next);
  for (size_t i = 0; i < 2 * nv; ++i) {
    for (size_t k = 0; k < listed; ++k)
      s->next[i * wide + (size_t)s->column[k]] += s->by[i * listed + k];
  }
  double* kept = s->now;
  s->now = s->next;
  s->next = kept;
  return HEFT_OK;
}

HeftStatus heft_sensitivity_sense(Sensitivity* s, HeftWorld* world, HeftError* error) {
  return heft_world_derivative_sensors(world, s->end, s->start, error);
}

double heft_sensitivity_of(const Sensitivity* s, int value, int column) {
  const size_t nv = (size_t)s->model->nv, wide = (size_t)s->count;
  const double *end = s->end + (size_t)value * 2 * nv, *start = s->start + (size_t)value * nv;
  double sum = s->offset[column] == value ? 1 : 0;
  for (size_t i = 0; i < 2 * nv; ++i) sum += end[i] * s->now[i * wide + (size_t)column];
  for (size_t i = 0; i < nv; ++i) sum += start[i] * s->before[i * wide + (size_t)column];
  return sum;
}
