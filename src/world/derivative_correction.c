// SPDX-License-Identifier: Apache-2.0
// Derivative of the position correction (correction.c).
//
// Its velocity v_c obeys M̂ v_c = J_cᵀ p with rows that it holds: J_c v_c + t = 0, t = share (gap +
// h J v⁺) / h for contact points and limits, t = error / h for equalities, where the error is
// measured at the end of the step without the correction. Rows without an impulse have none. The
// smallest error that is corrected (`slop`) is rounding: equalities count as corrected whatever
// their error is.
#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "math/dense.h"
#include "world/derivative.h"

static const double fastest = 1, share = 0.2, closing = 1;  // as in correction.c

void heft_correcting_place(Correcting* x, Arena* arena, const DerivativeInput* in,
                           int constraints) {
  const ConstraintSet* set = &in->constraints->set;
  const int nv = in->model->nv;
  const size_t rows = (size_t)set->row_count * (size_t)nv, few = (size_t)constraints * (size_t)nv;
  heft_active_rows_place(&x->rows, arena, constraints, nv);
  x->of = arena_take(arena, constraints, int);
  x->part = arena_take(arena, constraints, double);
  x->smooth = arena_take(arena, (size_t)nv * (size_t)nv, double);
  x->out = arena_take(arena, (size_t)nv * (size_t)nv, double);
  x->by_parameter = arena_take(arena, (size_t)nv * (size_t)nv, double);
  x->turned = arena_take(arena, rows, double);
  x->end = arena_take(arena, rows, double);
  x->right = arena_take(arena, few, double);
  x->impulse = arena_take(arena, few, double);
  x->p = arena_take(arena, set->row_count, double);
  x->zero = arena_take(arena, nv, double);
  x->q = arena_take(arena, in->model->nq, double);
  heft_tangent_maps_place(&x->rest, arena, nv);
}

static int is_equality(const Constraint* k) { return k->kind == CONSTRAINT_EQUALITY; }

static int is_unilateral(const Constraint* k) {
  return k->kind == CONSTRAINT_CONTACT || heft_constraint_is_limit(k);
}

// Where the gap of a contact point or a limit would be at the end of the step.
static double gap_after(const StepMap* map, const Constraint* k) {
  const DerivativeInput* in = &map->in;
  const Constraints* c = in->constraints;
  const double theta = in->step->def->theta, h = in->step->h;
  const double after = c->solution.velocity[k->row] - c->round.bias[k->row];
  const double before = k->middle ? *heft_constraint_set_start(&c->set, k) : after;
  return k->gap + h * (k->middle ? (1 - theta) * before + theta * after : after);
}

// The share of a gap that is corrected; 0 if it is corrected as fast as it may be.
static double part_of(const StepMap* map, const Constraint* k) {
  const Constraints* c = map->in.constraints;
  const double h = map->in.step->h;
  if (is_equality(k))
    return fabs(c->correction.error[(k - c->set.list) - c->set.contact_point_count]) > h * fastest
               ? 0
               : closing;
  const double gap = gap_after(map, k), part = k->kind == CONSTRAINT_TENDON_LIMIT ? closing : share;
  if (gap >= 0) return 1;
  return part * gap < -h * fastest ? 0 : part;
}

// Rows that hold come first, then those that would close.
static void find_rows(StepMap* map, int corrects) {
  const ConstraintSet* set = &map->in.constraints->set;
  Correcting* x = &map->correcting;
  const size_t nv = (size_t)map->in.model->nv;
  const double* impulse = map->in.constraints->correction.impulse;
  x->rows.count = 0;
  memset(x->p, 0, (size_t)set->row_count * sizeof(double));
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int held = (is_equality(k) && !heft_derivative_is_idle(&map->in, k)) ||
                     (is_unilateral(k) && corrects && impulse[k->row] > 0);
    if (corrects && (held || is_equality(k))) x->p[k->row] = impulse[k->row];
    if (!held) continue;
    const size_t at = (size_t)x->rows.count * nv;
    memcpy(x->rows.along + at, map->middle.jacobian + (size_t)k->row * nv, nv * sizeof(double));
    memcpy(x->rows.push + at, x->rows.along + at, nv * sizeof(double));
    x->rows.compliance[x->rows.count] = 0;
    x->rows.weight[x->rows.count] = 1;
    x->of[x->rows.count] = i;
    x->part[x->rows.count++] = part_of(map, k);
  }
  x->watched = x->rows.count;
  for (int i = 0; i < set->count && corrects; ++i) {
    const Constraint* k = &set->list[i];
    if (!is_unilateral(k) || impulse[k->row] > 0 || map->in.constraints->correction.waiting[i])
      continue;
    x->of[x->watched] = i;
    x->part[x->watched++] = part_of(map, k);
  }
}

// smooth = -∂(M̂ v_c - Jᵀ p)/∂q_m.
static void find_smooth(StepMap* map) {
  const DerivativeInput* in = &map->in;
  Correcting* x = &map->correcting;
  const size_t size = (size_t)in->model->nv * (size_t)in->model->nv;
  heft_derivative_wrenches(map, x->p, 1);
  heft_rnea_derivatives(&map->rnea, in->dynamics, x->zero, in->motion->v_correction,
                        (const double(*)[8])map->wrench, x->smooth, map->fixed_v);
  heft_derivative_rows_push(&map->middle, x->p, 1, x->smooth);
  heft_rnea_derivatives(&map->rnea, in->dynamics, x->zero, x->zero, NULL, map->fixed_q,
                        map->fixed_v);  // of the weight
  for (size_t i = 0; i < size; ++i) x->smooth[i] = map->fixed_q[i] - x->smooth[i];
}

// J of equalities where the step would end without the correction.
static void find_end(StepMap* map) {
  const DerivativeInput* in = &map->in;
  const ConstraintSet* set = &in->constraints->set;
  Correcting* x = &map->correcting;
  for (int i = 0; i < in->model->nv; ++i) map->d[i] = in->step->h * in->motion->v_position[i];
  heft_tangent_maps_find(&x->rest, in->model, map->d);
  heft_q_integrate(in->model, in->middle->q, in->motion->v_position, in->step->h, x->q);
  heft_derivative_pose(map, &map->start, x->q);
  memcpy(x->end, map->start.jacobian,
         (size_t)set->row_count * (size_t)in->model->nv * sizeof(double));
  heft_dynamics_kinematics(in->dynamics, in->middle->q);
}

void heft_correcting_find(StepMap* map) {
  const DerivativeInput* in = &map->in;
  Correcting* x = &map->correcting;
  int corrects = 0;
  x->loops = 0;
  for (int i = 0; i < in->model->nv; ++i) corrects |= in->motion->v_correction[i] != 0;
  find_rows(map, corrects);
  if (x->rows.count == 0) return;
  memset(x->zero, 0, (size_t)in->model->nv * sizeof(double));
  heft_step_map_find_mobility(map);
  find_smooth(map);
  heft_derivative_rows_turn(&map->middle, in->motion->v_correction, x->turned);
  heft_active_rows_solve(&x->rows, in->model->nv, map->mobility);
  for (int n = 0; n < x->rows.count; ++n)
    x->loops |= is_equality(&in->constraints->set.list[x->of[n]]);
  if (x->loops) find_end(map);
}

// ---- blocks

// c of all rows, by q_m: ∂(J v_c)/∂q and what t has; into right, mapped to the block.
static void add_middle(StepMap* map, DerivativeBlock block) {
  const DerivativeInput* in = &map->in;
  Correcting* x = &map->correcting;
  const size_t nv = (size_t)in->model->nv;
  double *by_q = x->impulse, *by_v = x->out;
  if (block >= BY_FORCE) return;
  heft_clear_rows(x->watched, (int)nv, by_q);
  for (int n = 0; n < x->watched; ++n) {
    const Constraint* k = &in->constraints->set.list[x->of[n]];
    heft_combine_rows(x->turned, nv, k->row, 1, k->row, 0, by_q + (size_t)n * nv);
    if (is_equality(k)) continue;
    const double theta = k->middle ? in->step->def->theta : 1;
    heft_combine_rows(map->turned_end, nv, k->row, theta * x->part[n], k->row, 0,
                      by_q + (size_t)n * nv);
  }
  for (int n = 0; n < x->watched; ++n) {
    memset(by_v, 0, nv * sizeof(double));
    heft_derivative_lead(map, 1, by_q + (size_t)n * nv, by_v);
    const double* from = block == BY_Q ? by_q + (size_t)n * nv : by_v;
    for (size_t i = 0; i < nv; ++i) x->right[(size_t)n * nv + i] += from[i];
  }
}

// The part of t by gaps and velocities. dv (nv x nv): of v⁺; position: of v_position.
static void add_targets(StepMap* map, DerivativeBlock block, const double* dv, const double* end) {
  const DerivativeInput* in = &map->in;
  Correcting* x = &map->correcting;
  const int nv = in->model->nv;
  const size_t wide = (size_t)nv;
  const double h = in->step->h;
  for (int n = 0; n < x->watched; ++n) {
    const Constraint* k = &in->constraints->set.list[x->of[n]];
    const double part = x->part[n];
    double* to = x->right + (size_t)n * wide;
    if (is_equality(k)) {
      heft_add_product(1, nv, nv, part / h, x->end + (size_t)k->row * wide, end, to);
      continue;
    }
    const double theta = k->middle ? in->step->def->theta : 1;
    const double* along = map->middle.jacobian + (size_t)k->row * wide;
    heft_add_product(1, nv, nv, part * theta, along, dv, to);
    for (int i = 0; i < nv; ++i) {
      if (block == BY_Q) to[i] += part / h * along[i];
      if (block == BY_V) to[i] += part * (1 - theta) * along[i];
    }
  }
}

// The end of the step without the correction, by a block: keep dq_m + h add dv_position.
static void find_free_end(StepMap* map, DerivativeBlock block, const double* velocity,
                          double* out) {
  const HeftModel* m = map->in.model;
  const size_t nv = (size_t)m->nv;
  const double h = map->in.step->h;
  heft_clear_rows(m->nv, m->nv, out);
  heft_tangent_apply(m, (const double(*)[9])map->correcting.rest.add, m->nv, h, velocity, out);
  if (block >= BY_FORCE) return;
  for (size_t i = 0; i < nv; ++i) map->d[i] = h * (1 - map->in.middle->theta[i]);
  heft_tangent_chain(m, (const double(*)[9])map->correcting.rest.keep,
                     (const double(*)[9])(block == BY_Q ? map->lead.keep : map->lead.add),
                     block == BY_Q ? NULL : map->d, out);
}

// The smallest change of a coordinate after which a row begins to hold, or ends. z: v_c by the
// block.
static void count_radius(StepMap* map, DerivativeBlock block, const double* z) {
  const DerivativeInput* in = &map->in;
  Correcting* x = &map->correcting;
  const size_t nv = (size_t)in->model->nv;
  const double h = in->step->h;
  double* radius = &map->radius[block];
  for (int n = 0; n < x->watched; ++n) {
    const Constraint* k = &in->constraints->set.list[x->of[n]];
    const double* along = map->middle.jacobian + (size_t)k->row * nv;
    if (is_equality(k)) continue;
    if (n < x->rows.count) {
      const int at = x->rows.place[n];
      if (at >= 0) heft_count_radius(map, x->impulse + (size_t)at * nv, x->p[k->row], 1, radius);
      continue;
    }
    const double gap = gap_after(map, k), aim = gap < 0 ? x->part[n] * gap / h : gap / h;
    heft_add_product(1, (int)nv, (int)nv, 1, along, z, x->right + (size_t)n * nv);
    heft_count_radius(map, x->right + (size_t)n * nv,
                      heft_dot((int)nv, along, in->motion->v_correction) +
                          (gap < 0 && x->part[n] == 0 ? -fastest : aim),
                      1e6, radius);
  }
}

void heft_correcting_add(StepMap* map, DerivativeBlock block, const double* dv, double* velocity) {
  Correcting* x = &map->correcting;
  const int nv = map->in.model->nv, n = x->rows.count;
  const size_t wide = (size_t)nv, size = wide * wide * sizeof(double);
  if (n == 0) return;
  heft_clear_rows(x->watched, nv, x->right);
  add_middle(map, block);
  if (x->loops) find_free_end(map, block, velocity, x->out);
  add_targets(map, block, dv, x->out);
  // smooth by the block
  double *by_q = map->fixed_q, *by_v = map->fixed_v, *z = x->out;
  heft_clear_rows(nv, nv, by_v);
  heft_clear_rows(nv, nv, z);
  if (block == BY_PARAMETER) {
    heft_set_product(nv, nv, nv, 1, map->mobility, x->by_parameter, z);
  } else if (block != BY_FORCE) {
    memcpy(by_q, x->smooth, size);
    heft_derivative_lead(map, nv, by_q, by_v);
    heft_set_product(nv, nv, nv, 1, map->mobility, block == BY_V ? by_v : by_q, z);
  }
  heft_active_rows_respond(&x->rows, nv, x->right, z, x->impulse);
  if (block < BY_PARAMETER) count_radius(map, block, z);
  for (size_t i = 0; i < wide * wide; ++i) velocity[i] += z[i];
}
