// SPDX-License-Identifier: Apache-2.0
// Derivative of the projection on the energy of mechanisms with loops (restore.c).
//
// After a step the velocities v of an island become s v + (1 - s) U, U its motion as one rigid body
// if it floats, else zero, with
//
//     s² = 1 + E / K,   E = (T + V)(q, v₀) + G · v̄ - (T + V)(q⁺, v),   K = T(q⁺, v) - T(q⁺, U),
//
// v̄ = (v₀ + v⁺) / 2 and G the impulses of all forces and rows but weight and rows that do no work.
// The equation of the scheme has their change, dG = h dF - (M̂ - M) (dv⁺ - dv₀), so that no
// derivative of an impulse is needed. U has the momentum H = A v, so A_base U = H and
//
//     A_base dU = (∂(A v)/∂q - ∂(A U)/∂q) dq⁺ + A dv.
//
// Islands share no dof: a vector of nv numbers holds the gradients of the scales s of all of them.
#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "math/dense.h"
#include "world/contacts.h"
#include "world/derivative.h"

void heft_kept_energy_place(KeptEnergy* x, Arena* arena, const HeftModel* m) {
  double** vectors[] = {&x->scale,  &x->before, &x->rigid,   &x->by_q,    &x->by_v,   &x->by_force,
                        &x->solved, &x->end_q,  &x->end_v,   &x->mean,    &x->weight, &x->at_q,
                        &x->at_v,   &x->change, &x->rigid_q, &x->rigid_v, &x->turned};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    *vectors[i] = arena_take(arena, m->nv, double);
  x->island = arena_take(arena, m->nv, int);
  x->base = arena_take(arena, heft_link_count(m), int);
  x->kinetic = arena_take(arena, heft_link_count(m), double);
  x->turn_q = arena_take(arena, 6L * m->nv, double);
  x->turn_v = arena_take(arena, 6L * m->nv, double);
  heft_momentum_derivatives_place(&x->all, arena, m);
  heft_momentum_derivatives_place(&x->of_rigid, arena, m);
}

// ---- the islands

// The velocity by which a constraint does work, if its impulse changes with the state.
static double working_speed(const StepMap* map, const Constraint* k) {
  const DerivativeInput* in = &map->in;
  const Constraints* c = in->constraints;
  const int nv = in->model->nv, dof = k->dof[0];
  const int holds =
      map->active_at[k->row] >= 0 || (dof >= 0 && map->held[dof] && map->held_row[dof] == k->row);
  if (heft_constraint_is_workless(k) || !holds || c->solution.impulse[k->row] == 0) return 0;
  return fabs(heft_dot(nv, map->middle.jacobian + (size_t)k->row * (size_t)nv, map->energy.mean));
}

// 1 if the balance determines the scale of an island, and no row of it starts or ends its work.
static int is_balanced(const StepMap* map, int index) {
  const Constraints* c = map->in.constraints;
  const Island* island = &c->islands.list[index];
  if (!map->in.keepers->restore.balanced[index]) return 0;
  for (int i = 0; i < island->count; ++i) {
    if (working_speed(map, &c->set.list[island->order[i]]) > heft_slip_limit(map->in.step))
      return 0;
  }
  return 1;
}

// The islands that are projected, their scales, and the first dofs of those that float.
static void find_islands(StepMap* map) {
  const DerivativeInput* in = &map->in;
  const HeftModel* m = in->model;
  const Restore* r = &in->keepers->restore;
  const IslandSet* islands = &in->constraints->islands;
  const FloatingGroups* g = &in->keepers->groups;
  KeptEnergy* x = &map->energy;
  for (int i = 0; i < m->nv; ++i) {
    x->island[i] = -1;
    x->scale[i] = 1;
    x->mean[i] = 0.5 * (in->step->start->v[i] + in->output->v_solved[i]);
  }
  x->count = r->any ? islands->count : 0;
  x->any = 0;
  for (int n = 0; n < x->count; ++n) {
    const Island* island = &islands->list[n];
    if (r->chosen[n] == RESTORE_NONE) continue;
    if (r->chosen[n] == RESTORE_BOUNDED && r->scale[n] == 1) continue;
    if (!is_balanced(map, n)) {
      map->flags |= flag_bit(HEFT_DERIVATIVE_SCHEME);
      continue;
    }
    const int group = heft_momentum_group_of(g, heft_link_root(m, island->links[0]));
    x->base[n] = group < 0 ? -1 : heft_link_dof(m, g->member[g->first[group]]);
    x->any = 1;
    for (int i = 0; i < island->link_count; ++i) {
      const int dof = heft_link_dof(m, island->links[i]);
      for (int d = dof; d < dof + heft_link_dof_count(m, island->links[i]); ++d) {
        x->island[d] = n;
        x->scale[d] = r->scale[n];
      }
    }
  }
}

// ---- the motion as one rigid body

static int is_first(const KeptEnergy* x, int dof) {
  const int n = x->island[dof];
  return n >= 0 && x->base[n] == dof;
}

// out (6 numbers, `stride` apart) = A_base⁻¹ of them.
static void solve_base(const double factor[36], const int pivot[6], size_t stride, double* out) {
  double column[6];
  for (size_t r = 0; r < 6; ++r) column[r] = out[r * stride];
  heft_lu_solve(6, factor, 6, pivot, column);
  for (size_t r = 0; r < 6; ++r) out[r * stride] = column[r];
}

// U of the floating tree with the first dof `base`, what was before the projection, and how U
// changes. Needs the kinematics of q⁺.
static void find_rigid(StepMap* map, int base) {
  const DerivativeInput* in = &map->in;
  KeptEnergy* x = &map->energy;
  const int nv = in->model->nv, root = heft_dof_root(in->model, base);
  const size_t wide = (size_t)nv;
  double factor[36], momentum[6] = {0};
  int pivot[6];
  heft_momentum_derivatives(&map->rnea, in->dynamics, root, in->v_end, &x->all);
  for (int r = 0; r < 6; ++r) momentum[r] = heft_dot(nv, x->all.by_v + (size_t)r * wide, in->v_end);
  if (heft_momentum_factor(&x->all, nv, base, factor, pivot)) return;
  heft_lu_solve(6, factor, 6, pivot, momentum);
  memcpy(x->rigid + base, momentum, sizeof momentum);
  for (int i = 0; i < nv; ++i) {
    if (heft_dof_root(in->model, i) != root) continue;
    x->before[i] = (in->v_end[i] - (1 - x->scale[i]) * x->rigid[i]) / x->scale[i];
  }
  heft_momentum_derivatives(&map->rnea, in->dynamics, root, x->before, &x->all);
  heft_momentum_derivatives(&map->rnea, in->dynamics, root, x->rigid, &x->of_rigid);
  for (size_t i = 0; i < wide; ++i) {
    if (heft_dof_root(in->model, (int)i) != root) continue;
    for (size_t r = 0; r < 6; ++r) {
      x->turn_q[r * wide + i] = x->all.by_q[r * wide + i] - x->of_rigid.by_q[r * wide + i];
      x->turn_v[r * wide + i] = x->all.by_v[r * wide + i];
    }
    solve_base(factor, pivot, wide, x->turn_q + i);
    solve_base(factor, pivot, wide, x->turn_v + i);
  }
}

// ---- gradients of the scales

// Of (T + V)(q⁺, v) and of K.
static void find_end(StepMap* map) {
  const DerivativeInput* in = &map->in;
  KeptEnergy* x = &map->energy;
  const int nv = in->model->nv;
  heft_dynamics_kinematics(in->dynamics, in->q_end);
  for (int i = 0; i < nv; ++i) {
    x->rigid[i] = 0;
    x->before[i] = in->v_end[i] / x->scale[i];
  }
  for (int i = 0; i < nv; ++i)
    if (is_first(x, i)) find_rigid(map, i);
  heft_energy_derivatives(&map->rnea, in->dynamics, x->rigid, x->rigid_q, x->rigid_v);
  heft_energy_derivatives(&map->rnea, in->dynamics, x->before, x->at_q, x->at_v);
  heft_dynamics_rnea(in->dynamics, x->zero, NULL, x->weight);
  memset(x->kinetic, 0, (size_t)heft_link_count(in->model) * sizeof *x->kinetic);
  for (int i = 0; i < nv; ++i) {
    if (x->island[i] < 0) continue;
    x->kinetic[x->island[i]] += 0.5 * (x->before[i] * x->at_v[i] - x->rigid[i] * x->rigid_v[i]);
  }
  for (int i = 0; i < nv; ++i) {
    const int n = x->island[i];
    double rigid_q = x->rigid_q[i], rigid_v = 0;
    for (int r = 0; r < 6 && n >= 0 && x->base[n] >= 0; ++r) {
      const double share = x->rigid_v[x->base[n] + r];
      rigid_q += share * x->turn_q[(size_t)r * (size_t)nv + (size_t)i];
      rigid_v += share * x->turn_v[(size_t)r * (size_t)nv + (size_t)i];
    }
    const double more = x->scale[i] * x->scale[i] - 1;
    x->end_q[i] = -x->weight[i] - x->at_q[i] - more * (x->at_q[i] - rigid_q);
    x->end_v[i] = -x->at_v[i] - more * (x->at_v[i] - rigid_v);
  }
}

// Of (T + V)(q, v₀).
static void find_start(StepMap* map) {
  const DerivativeInput* in = &map->in;
  KeptEnergy* x = &map->energy;
  heft_dynamics_kinematics(in->dynamics, in->step->start->q);
  heft_energy_derivatives(&map->rnea, in->dynamics, in->step->start->v, x->by_q, x->by_v);
  heft_dynamics_rnea(in->dynamics, x->zero, NULL, x->weight);
  for (int i = 0; i < in->model->nv; ++i) x->by_q[i] += x->weight[i];
}

// out (nv) += mean · matrix.
static void add_power(const KeptEnergy* x, int nv, const double* matrix, double* out) {
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < nv && x->mean[i] != 0; ++k)
      out[k] += x->mean[i] * matrix[(size_t)i * (size_t)nv + (size_t)k];
  }
}

// The impulse of a constraint along the direction of its row.
static double impulse_along(const DerivativeInput* in, const Constraint* k) {
  const double* r = in->constraints->solution.impulse + k->row;
  if (!heft_equality_is_turned(k)) return *r;
  const int direction = k->source % 3;
  return heft_vec3_dot(heft_mat3_column(in->constraints->problem.turn[k->source / 3], direction),
                       heft_vec3_from(r - direction));
}

// Of G · v̄. Needs the kinematics of q_m.
static void find_work(StepMap* map) {
  const DerivativeInput* in = &map->in;
  const ConstraintSet* set = &in->constraints->set;
  KeptEnergy* x = &map->energy;
  const int nv = in->model->nv;
  const size_t wide = (size_t)nv;
  const double h = in->step->h;
  double *work = x->at_q, *resists = x->at_v, *by_q = x->turned;
  for (int i = 0; i < nv; ++i) map->a[i] = (in->output->v_solved[i] - in->step->start->v[i]) / h;
  heft_dynamics_rnea(in->dynamics, in->prediction->v_bias, map->a, work);
  for (int i = 0; i < nv; ++i) work[i] *= h;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (!k->middle || !heft_constraint_is_workless(k)) continue;
    heft_combine_rows(map->middle.jacobian, wide, k->row, -impulse_along(in, k), k->row, 0, work);
  }
  memset(resists, 0, wide * sizeof(double));
  memset(by_q, 0, wide * sizeof(double));
  heft_drives_resist(in->drives, in->middle->implicit, x->mean, resists);
  heft_clear_rows(nv, nv, map->early_q);
  heft_clear_rows(nv, nv, map->early_v);
  heft_derivative_drives(map, h, map->early_q, map->early_v);
  add_power(x, nv, map->early_q, by_q);
  add_power(x, nv, map->early_v, x->by_v);
  heft_derivative_lead(map, 1, by_q, x->by_v);
  for (int i = 0; i < nv; ++i) {
    x->by_q[i] += by_q[i];
    x->by_v[i] += 0.5 * work[i] + resists[i];
    x->solved[i] = 0.5 * work[i] - resists[i];
    x->by_force[i] = h * x->mean[i];
  }
}

// dE / 2 s K of each island.
static void divide(StepMap* map) {
  KeptEnergy* x = &map->energy;
  for (int i = 0; i < map->in.model->nv; ++i) {
    const int n = x->island[i];
    const double share = n >= 0 && x->kinetic[n] > 0 ? 0.5 / (x->scale[i] * x->kinetic[n]) : 0;
    double* all[] = {&x->by_q[i],   &x->by_v[i],  &x->by_force[i],
                     &x->solved[i], &x->end_q[i], &x->end_v[i]};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) *all[k] *= share;
  }
}

void heft_kept_energy_find(StepMap* map) {
  const DerivativeInput* in = &map->in;
  KeptEnergy* x = &map->energy;
  find_islands(map);
  memcpy(x->before, in->v_end, (size_t)in->model->nv * sizeof(double));
  if (!x->any) return;
  x->zero = map->correcting.zero;
  memset(x->zero, 0, (size_t)in->model->nv * sizeof(double));
  find_end(map);
  find_start(map);
  heft_dynamics_kinematics(in->dynamics, in->middle->q);
  find_work(map);
  divide(map);
}

// ---- forward

// x->change (nv) += by · matrix, for each column over the dofs of its own island.
static void add_columns(KeptEnergy* x, int nv, const double* by, const double* matrix) {
  for (int k = 0; k < nv; ++k) {
    const double* row = matrix + (size_t)k * (size_t)nv;
    for (int c = 0; c < nv && x->island[k] >= 0; ++c)
      if (x->island[c] == x->island[k]) x->change[c] += by[k] * row[c];
  }
}

void heft_kept_energy_begin(StepMap* map, DerivativeBlock block, const double* dv) {
  KeptEnergy* x = &map->energy;
  const int nv = map->in.model->nv;
  if (!x->any || block == BY_PARAMETER) return;
  memcpy(x->change,
         block == BY_Q   ? x->by_q
         : block == BY_V ? x->by_v
                         : x->by_force,
         (size_t)nv * sizeof(double));
  add_columns(x, nv, x->solved, dv);
}

void heft_kept_energy_correct(StepMap* map, DerivativeBlock block, const double* dq, double* dv) {
  KeptEnergy* x = &map->energy;
  const int nv = map->in.model->nv;
  const size_t wide = (size_t)nv;
  double* turned = map->fixed_q;  // 6 rows
  if (!x->any || block == BY_PARAMETER) return;
  add_columns(x, nv, x->end_q, dq);
  add_columns(x, nv, x->end_v, dv);
  for (int base = 0; base < nv; ++base) {
    if (!is_first(x, base)) continue;
    heft_set_product(6, nv, nv, 1, x->turn_q, dq, turned);
    heft_add_product(6, nv, nv, 1, x->turn_v, dv, turned);
    break;
  }
  for (int k = 0; k < nv; ++k) {
    const int n = x->island[k], place = n >= 0 && x->base[n] >= 0 ? k - x->base[n] : 6;
    const double scale = x->scale[k], moves = x->before[k] - x->rigid[k];
    double* row = dv + (size_t)k * wide;
    for (size_t c = 0; c < wide && n >= 0; ++c) {
      if (x->island[c] != n) continue;
      row[c] = scale * row[c] + moves * x->change[c];
      if (place < 6) row[c] += (1 - scale) * turned[(size_t)place * wide + c];
    }
  }
}

// ---- transposed

void heft_kept_energy_reverse(StepMap* map) {
  Adjoint* a = &map->adjoint;
  KeptEnergy* x = &map->energy;
  const int nv = map->in.model->nv;
  double* total = x->kinetic;  // used up
  memset(x->change, 0, (size_t)nv * sizeof(double));
  if (!x->any) return;
  memset(total, 0, (size_t)heft_link_count(map->in.model) * sizeof *total);
  for (int k = 0; k < nv; ++k)
    if (x->island[k] >= 0) total[x->island[k]] += a->velocity[k] * (x->before[k] - x->rigid[k]);
  memcpy(x->turned, a->velocity, (size_t)nv * sizeof(double));
  for (int k = 0; k < nv; ++k) {
    const int n = x->island[k];
    if (n < 0) continue;
    a->velocity[k] = x->scale[k] * a->velocity[k] + total[n] * x->end_v[k];
    a->position[k] += total[n] * x->end_q[k];
    a->start[k] += total[n] * x->by_q[k];
    a->start[nv + k] += total[n] * x->by_v[k];
    a->force[k] += total[n] * x->by_force[k];
    x->change[k] = total[n] * x->solved[k];
    for (int r = 0; r < 6 && x->base[n] >= 0; ++r) {
      const double left = (1 - x->scale[k]) * x->turned[x->base[n] + r];
      a->position[k] += left * x->turn_q[(size_t)r * (size_t)nv + (size_t)k];
      a->velocity[k] += left * x->turn_v[(size_t)r * (size_t)nv + (size_t)k];
    }
  }
}
