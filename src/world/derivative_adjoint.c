// SPDX-License-Identifier: Apache-2.0
// Products with the transposed derivative of a step: the gradient of a function of (q⁺, v⁺) by the
// start of the step and its joint forces. The maps of derivative.c in reverse order, each
// transposed: the momentum of floating trees, the positions with their correction, the velocities.
// One vector takes the place of nv columns.
#include <string.h>

#include "math/dense.h"
#include "world/derivative.h"

// out (m) += scale aᵀ x, a: n x m.
static void add_transposed(int n, int m, double scale, const double* a, const double* x,
                           double* out) {
  for (int i = 0; i < n; ++i) {
    const double by = scale * x[i];
    for (int k = 0; k < m && by != 0; ++k) out[k] += by * a[(size_t)i * (size_t)m + (size_t)k];
  }
}

// out += scale mapᵀ x for the blocks of tangent coordinates.
static void add_tangent(const HeftModel* m, const double (*map)[9], double scale, const double* x,
                        double* out) {
  const int* group = m->tree->dof_group;
  for (int i = 0; i < m->nv; i += group[i]) {
    for (int r = 0; r < group[i]; ++r) {
      for (int c = 0; c < group[i]; ++c)
        out[i + c] += scale * map[i][group[i] == 3 ? 3 * r + c : 0] * x[i + r];
    }
  }
}

// ---- momentum

static void reverse_momentum(StepMap* map) {
  Adjoint* a = &map->adjoint;
  KeptMomentum* x = &map->kept;
  const int nv = map->in.model->nv;
  for (int f = map->in.keepers->groups.count - 1; f >= 0; --f) {
    const int dof = heft_kept_momentum_due(map, f, BY_FORCE);
    double factor[36], turned[36], due[6], place[3];
    int pivot[6];
    if (dof < 0 || heft_momentum_factor(&x->end, nv, dof, factor, pivot)) continue;
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 6; ++c)
        turned[6 * c + r] = x->end.by_v[(size_t)r * (size_t)nv + (size_t)(dof + c)];
      due[r] = a->velocity[dof + r];
    }
    if (heft_lu_factor(6, turned, 6, pivot) != 0) continue;
    heft_lu_solve(6, turned, 6, pivot, due);
    add_transposed(6, nv, -1, x->end.by_v, due, a->velocity);
    for (int r = 0; r < 6; ++r) a->velocity[dof + r] = 0;
    add_transposed(6, nv, -1, x->end.by_q, due, a->position);
    for (int r = 0; r < 3; ++r) place[r] = a->position[dof + r];
    memcpy(a->kept + 9L * f, due, sizeof due);
    memcpy(a->kept + 9L * f + 6, place, sizeof place);
    add_transposed(3, nv, -1, x->end.com_by_q, place, a->position);
    for (DerivativeBlock block = BY_Q; block <= BY_FORCE; ++block) {
      double* to = block == BY_Q ? a->start : block == BY_V ? a->start + nv : a->force;
      heft_kept_momentum_due(map, f, block);
      add_transposed(6, nv, 1, x->due, due, to);
      add_transposed(3, nv, 1, x->place, place, to);
    }
  }
}

// ---- positions

// x (nv), by v_position, to v⁺ and v.
static void reverse_mean(StepMap* map, const double* x) {
  Adjoint* a = &map->adjoint;
  const int nv = map->in.model->nv;
  for (int i = 0; i < nv; ++i) {
    a->velocity[i] += map->after[i] * x[i];
    a->start[nv + i] += map->before[i] * x[i];
  }
}

// The gradients by the right-hand sides of the equations of motion, into `solved`, and of the rows,
// from that by their answer y.
static void reverse_solution(ActiveRows* rows, int nv, const double* mobility, const double* y,
                             Adjoint* a) {
  double* left = a->solved + nv;
  memcpy(left, y, (size_t)nv * sizeof(double));
  heft_active_rows_reverse(rows, nv, left, a->rows);
  memset(a->solved, 0, (size_t)nv * sizeof(double));
  add_transposed(nv, nv, 1, mobility, left, a->solved);
}

// y (nv): by the velocity of the correction.
static void reverse_correction(StepMap* map, const double* y) {
  Adjoint* a = &map->adjoint;
  Correcting* x = &map->correcting;
  const HeftModel* m = map->in.model;
  const int nv = m->nv;
  const double h = map->in.step->h;
  double *end = map->d, *mean = map->a;
  if (x->rows.count == 0) return;
  reverse_solution(&x->rows, nv, map->mobility, y, a);
  memcpy(a->corrected, a->solved, (size_t)nv * sizeof(double));
  add_transposed(nv, nv, 1, x->smooth, a->solved, a->middle);
  memset(end, 0, (size_t)nv * sizeof(double));
  for (int n = 0; n < x->rows.count; ++n) {
    const Constraint* k = &map->in.constraints->set.list[x->of[n]];
    const size_t at = (size_t)k->row * (size_t)nv;
    const double part = x->part[n], theta = k->middle ? map->in.step->def->theta : 1;
    add_transposed(1, nv, 1, x->turned + at, &a->rows[n], a->middle);
    if (k->kind == CONSTRAINT_EQUALITY) {
      add_transposed(1, nv, part / h, x->end + at, &a->rows[n], end);
      continue;
    }
    const double* along = map->middle.jacobian + at;
    add_transposed(1, nv, theta * part, map->turned_end + at, &a->rows[n], a->middle);
    add_transposed(1, nv, theta * part, along, &a->rows[n], a->velocity);
    add_transposed(1, nv, part / h, along, &a->rows[n], a->start);
    add_transposed(1, nv, part * (1 - theta), along, &a->rows[n], a->start + nv);
  }
  if (!x->loops) return;
  add_tangent(m, (const double(*)[9])x->rest.keep, 1, end, a->middle);
  memset(mean, 0, (size_t)nv * sizeof(double));
  add_tangent(m, (const double(*)[9])x->rest.add, h, end, mean);
  reverse_mean(map, mean);
}

static void reverse_positions(StepMap* map) {
  Adjoint* a = &map->adjoint;
  const DerivativeInput* in = &map->in;
  const int nv = in->model->nv;
  double *moved = map->by_q, *lead = map->by_q + nv;  // used up
  memset(moved, 0, 2 * (size_t)nv * sizeof(double));
  memset(a->middle, 0, (size_t)nv * sizeof(double));
  add_tangent(in->model, (const double(*)[9])map->rest.keep, 1, a->position, a->middle);
  add_tangent(in->model, (const double(*)[9])map->rest.add, in->step->h, a->position, moved);
  reverse_mean(map, moved);
  reverse_correction(map, moved);
  add_tangent(in->model, (const double(*)[9])map->lead.keep, 1, a->middle, a->start);
  add_tangent(in->model, (const double(*)[9])map->lead.add, in->step->h, a->middle, lead);
  for (int i = 0; i < nv; ++i) a->start[nv + i] += (1 - in->middle->theta[i]) * lead[i];
}

// ---- all of it

void heft_step_map_adjoint(StepMap* map, const double* end) {
  Adjoint* a = &map->adjoint;
  const int nv = map->in.model->nv, n = map->active.count;
  const size_t size = (size_t)nv * sizeof(double);
  memset(a->start, 0, 2 * size);
  memset(a->kept, 0, 9 * (size_t)map->in.keepers->groups.count * sizeof(double));
  memset(a->corrected, 0, size);
  memset(a->force, 0, size);
  memcpy(a->position, end, size);
  memcpy(a->velocity, end + nv, size);
  heft_kept_energy_reverse(map);
  reverse_momentum(map);
  for (int i = 0; i < nv; ++i) a->velocity[i] += map->energy.change[i];
  reverse_positions(map);
  reverse_solution(&map->active, nv, map->freed, a->velocity, a);
  for (int i = 0; i < nv; ++i) {
    a->start[i] += map->hold_q[i] * a->velocity[i];
    a->start[nv + i] += (1 + map->hold_v[i]) * a->velocity[i];
  }
  add_transposed(nv, nv, 1, map->smooth_q, a->solved, a->start);
  add_transposed(nv, nv, 1, map->smooth_v, a->solved, a->start + nv);
  for (int i = 0; i < nv && !map->has_early; ++i) a->force[i] += map->in.step->h * a->solved[i];
  if (map->has_early) add_transposed(nv, nv, 1, map->smooth_force, a->solved, a->force);
  add_transposed(n, nv, 1, map->rows_q, a->rows, a->start);
  add_transposed(n, nv, 1, map->rows_v, a->rows, a->start + nv);
}
