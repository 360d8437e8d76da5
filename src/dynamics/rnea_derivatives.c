// SPDX-License-Identifier: Apache-2.0
// Derivatives of inverse dynamics ([Carpentier 2018]; [Singh 2022]), in world axes at the origin O
// of the tree.
//
// A change of q_k moves all that follows dof k by the twist S_k: links and axes, S_j -> S_j + S_k ×
// S_j. Seen from there, only what is before k changes. With its velocity V and acceleration A (less
// gravity), ψ = V × S_k and χ = A × S_k + V × ψ,
//
//     ∂V_i/∂q_k = S_k × V_i + ψ,      ∂A_i/∂q_k = S_k × A_i + χ - V_i × ψ.
//
// The force of a particle of mass m at r with velocity u then changes, beside the twist, by
// m (χ_lin + χ_ang × r) + 2 m ψ_ang × u. So with sums over the links from j on, inertia I_j, linear
// momentum p_j and U_j = Σ m u rᵀ,
//
//     B_j ψ = 2 ( (tr U_j - U_j) ψ_ang ; ψ_ang × p_j ),
//     ∂τ_j/∂q_k = S_j · (I_j χ_k + B_j ψ_k) - (S_k × S_j) · E_j       if k moves j,
//     ∂τ_j/∂q_k = S_j · (I_k χ_k + B_k ψ_k + S_k ×* F_k)               if j is before k,
//     ∂τ_j/∂v_k = S_j · (I χ' + B S_k),   χ' = ψ_k + (V + S v) × S_k,  sums of the later of both,
//
// F: forces of the motion, E: wrenches that stay where they are. The three axes of a ball move
// together: each moves the others.
#include "dynamics/rnea_derivatives.h"

#include <string.h>

#include "dynamics/composite.h"
#include "dynamics/newton_euler.h"

void heft_rnea_derivatives_place(RneaDerivatives* x, Arena* arena, const HeftModel* m) {
  x->rates = arena_take(arena, m->nv, AxisRates);
  x->sums = arena_take(arena, m->tree->nlink, LinkSums);
  x->tau = arena_take(arena, m->nv, double);
}

// ---- axes

static void find_rates(const HeftDynamics* d, const Link* link, const double* v, const double* a,
                       AxisRates* rates) {
  const int* group = d->tree->dof_group;
  Pair velocity = d->velocity[link->parent], acceleration = d->acceleration[link->parent];
  for (int i = link->dof; i < link->dof + link->dof_count; i += group[i]) {
    Pair step = pair_zero(), push = pair_zero();
    for (int n = i; n < i + group[i]; ++n) {
      step = pair_add_scaled(step, d->axis[n], v[n]);
      push = pair_add_scaled(push, d->axis[n], a[n]);
    }
    for (int n = i; n < i + group[i]; ++n) {
      AxisRates* x = &rates[n];
      x->turn = pair_cross(velocity, d->axis[n]);
      x->second = pair_add(pair_cross(acceleration, d->axis[n]), pair_cross(velocity, x->turn));
      x->both = pair_add(x->turn, pair_cross(pair_add(velocity, step), d->axis[n]));
    }
    acceleration = pair_add(acceleration, pair_add(pair_cross(velocity, step), push));
    velocity = pair_add(velocity, step);
  }
}

void heft_axis_turns(const HeftDynamics* d, const double* v, Pair* turn) {
  const HeftTree* t = d->tree;
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    Pair velocity = d->velocity[link->parent];
    for (int i = link->dof; i < link->dof + link->dof_count; i += t->dof_group[i]) {
      Pair step = pair_zero();
      for (int n = i; n < i + t->dof_group[i]; ++n) {
        turn[n] = pair_cross(velocity, d->axis[n]);
        step = pair_add_scaled(step, d->axis[n], v[n]);
      }
      velocity = pair_add(velocity, step);
    }
  }
}

// ---- sums over links

// Σ m r rᵀ = tr(I) / 2 - I.
static void find_flow(LinkSums* x, Pair velocity) {
  const Composite* c = &x->inertia;
  const double half = 0.5 * (c->inertia[0][0] + c->inertia[1][1] + c->inertia[2][2]);
  x->momentum = velocity.lin * c->mass + v4_cross(velocity.ang, c->first);
  for (int j = 0; j < 3; ++j) {
    V4 second = c->inertia[j] * -1.0;
    second[j] += half;
    x->flow[j] = velocity.lin * c->first[j] + v4_cross(velocity.ang, second);
  }
}

HEFT_INLINE Pair pull_of(const HeftDynamics* d) {
  const double* g = d->model->physics.gravity;
  return (Pair){v4_all(0), (V4){g[0], g[1], g[2], 0}};
}

static void find_link(const HeftDynamics* d, int k, const double (*wrench)[8], LinkSums* x) {
  const Link* link = &d->tree->link[k];
  const V4 com = d->pose[k].pos;
  *x = (LinkSums){.force = pair_zero(), .fixed = pair_zero()};
  if (link->kind == LINK_MOVED) return;
  x->inertia = composite_of_link(link->mass, d->spin[k], com);
  find_flow(x, d->velocity[k]);
  x->force = newton_euler(link->mass, d->spin[k], com, d->velocity[k], d->acceleration[k]);
  if (d->wrenches) x->fixed = d->external[k];
  if (wrench) x->fixed = pair_add(x->fixed, (Pair){v4_load(wrench[k]), v4_load(wrench[k] + 4)});
  if (!(link->lift_mass > 0)) return;
  static const V4 none[3];
  x->lift = composite_of_link(link->lift_mass, none, com + v4_mul_mat(d->pose[k].rot, link->lift));
  x->force = pair_add(x->force, composite_mul(&x->lift, pull_of(d)));
}

static void sums_add(LinkSums* to, const LinkSums* x) {
  composite_add(&to->inertia, &x->inertia);
  composite_add(&to->lift, &x->lift);
  to->momentum += x->momentum;
  for (int j = 0; j < 3; ++j) to->flow[j] += x->flow[j];
  to->force = pair_add(to->force, x->force);
  to->fixed = pair_add(to->fixed, x->fixed);
}

// ---- the matrices

// B ψ.
HEFT_INLINE Pair coriolis(const LinkSums* x, V4 turn) {
  const double trace = x->flow[0][0] + x->flow[1][1] + x->flow[2][2];
  return (Pair){(turn * trace - v4_mul_mat_v4(x->flow, turn)) * 2.0,
                v4_cross(turn, x->momentum) * 2.0};
}

// Bᵀ S.
HEFT_INLINE V4 coriolis_transposed(const LinkSums* x, Pair s) {
  const double trace = x->flow[0][0] + x->flow[1][1] + x->flow[2][2];
  const V4 turned = {v4_dot3(x->flow[0], s.ang), v4_dot3(x->flow[1], s.ang),
                     v4_dot3(x->flow[2], s.ang), 0};
  return (s.ang * trace - turned + v4_cross(x->momentum, s.lin)) * 2.0;
}

// A dof and the sums from it on, for the dofs that move it. fixed: S ×* E.
typedef struct MovedRow {
  Pair reach, lift, fixed;
  V4 turn;
} MovedRow;

HEFT_INLINE MovedRow moved_row(const LinkSums* x, Pair axis) {
  return (MovedRow){.reach = composite_mul(&x->inertia, axis),
                    .lift = composite_mul(&x->lift, axis),
                    .fixed = pair_cross_force(axis, x->fixed),
                    .turn = coriolis_transposed(x, axis)};
}

// 1 if two dofs, i before j, are of one ball.
HEFT_INLINE int turn_together(const HeftTree* t, int i, int j) {
  const int first = j >= 1 && t->dof_group[j - 1] == 3   ? j - 1
                    : j >= 2 && t->dof_group[j - 2] == 3 ? j - 2
                                                         : j;
  return i >= first;
}

// (S_k × S_j) · E = S_k · (S_j ×* E)
HEFT_INLINE double moved_by(const MovedRow* j, const AxisRates* rates, Pair axis, Pair pull,
                            int lifts) {
  const V4 sum = j->reach.ang * rates->second.ang + j->reach.lin * rates->second.lin +
                 j->turn * rates->turn.ang - axis.ang * j->fixed.ang - axis.lin * j->fixed.lin;
  const double all = sum[0] + sum[1] + sum[2];
  return lifts ? all + pair_dot(j->lift, pair_cross(pull, axis)) : all;
}

HEFT_INLINE void fill(const RneaDerivatives* x, const HeftDynamics* d, int j, double* by_q,
                      double* by_v) {
  const HeftTree* t = d->tree;
  const long nv = d->model->nv;
  const LinkSums* sums = &x->sums[t->dof_link[j]];
  const Pair pull = pull_of(d), axis = d->axis[j];
  const AxisRates* own = &x->rates[j];
  const MovedRow row = moved_row(sums, axis);
  const int lifts = sums->lift.mass > 0;
  Pair change = pair_add(composite_mul(&sums->inertia, own->second), coriolis(sums, own->turn.ang));
  change = pair_add(change, pair_cross_force(axis, sums->force));
  if (lifts) change = pair_add(change, composite_mul(&sums->lift, pair_cross(pull, axis)));
  const Pair rate = pair_add(composite_mul(&sums->inertia, own->both), coriolis(sums, axis.ang));
  for (int i = j; i >= 0; i = t->dof_parent[i]) {
    const AxisRates* other = &x->rates[i];
    const Pair at = d->axis[i];
    const V4 back =
        row.reach.ang * other->both.ang + row.reach.lin * other->both.lin + row.turn * at.ang;
    by_q[j * nv + i] = moved_by(&row, other, at, pull, lifts);
    by_v[j * nv + i] = back[0] + back[1] + back[2];
    if (i == j) continue;
    by_v[i * nv + j] = pair_dot(at, rate);
    if (turn_together(t, i, j)) {
      const MovedRow of_ball = moved_row(sums, at);
      by_q[i * nv + j] = moved_by(&of_ball, own, axis, pull, lifts);
    } else {
      by_q[i * nv + j] = pair_dot(at, change);
    }
  }
}

HEFT_CLONES static void fill_kernel(const RneaDerivatives* x, const HeftDynamics* d, double* by_q,
                                    double* by_v) {
  const int nv = d->model->nv;
  for (long i = 0; i < (long)nv * nv; ++i) by_q[i] = by_v[i] = 0;
  for (int j = 0; j < nv; ++j) fill(x, d, j, by_q, by_v);
}

static void find_sums(RneaDerivatives* x, HeftDynamics* d, const double* v, const double* a,
                      const double (*wrench)[8]) {
  const HeftTree* t = d->tree;
  heft_dynamics_rnea(d, v, a, x->tau);
  for (int k = 1; k < t->nlink; ++k) {
    find_rates(d, &t->link[k], v, a, x->rates);
    find_link(d, k, wrench, &x->sums[k]);
  }
  for (int n = t->nlink - 1; n > 0; --n) {
    const int k = t->breadth[n], parent = t->link[k].parent;
    if (parent > 0) sums_add(&x->sums[parent], &x->sums[k]);
  }
}

void heft_rnea_derivatives(RneaDerivatives* x, HeftDynamics* d, const double* v, const double* a,
                           const double (*wrench)[8], double* by_q, double* by_v) {
  find_sums(x, d, v, a, wrench);
  fill_kernel(x, d, by_q, by_v);
}

// ---- momentum
//
// The momentum H = (L, p) of the links from k on, at O, changes by S_k ×* H + I ψ with q_k and by I
// S_k with v_k; m c by the linear part of I S_k. About the centre of mass, L_c = L - c × p.

void heft_momentum_derivatives_place(MomentumDerivatives* x, Arena* arena, const HeftModel* m) {
  x->by_q = arena_take(arena, 6L * m->nv, double);
  x->by_v = arena_take(arena, 6L * m->nv, double);
  x->com_by_q = arena_take(arena, 3L * m->nv, double);
}

// Σ m r × u is the axial part of Σ m u rᵀ.
static Pair momentum_of(const LinkSums* x) {
  const V4* u = x->flow;
  return (Pair){(V4){u[1][2] - u[2][1], u[2][0] - u[0][2], u[0][1] - u[1][0], 0}, x->momentum};
}

static void put_momentum(double* out, long nv, int column, V4 angular, V4 linear) {
  for (int r = 0; r < 3; ++r) {
    out[r * nv + column] = angular[r];
    out[(3 + r) * nv + column] = linear[r];
  }
}

void heft_momentum_derivatives(RneaDerivatives* x, HeftDynamics* d, int root, const double* v,
                               MomentumDerivatives* out) {
  const HeftTree* t = d->tree;
  const long nv = d->model->nv;
  find_sums(x, d, v, v, NULL);
  const LinkSums* all = &x->sums[root];
  const V4 com = all->inertia.first * (1 / all->inertia.mass);
  out->mass = all->inertia.mass;
  out->com = heft_vec3_add(vec3_from_v4(com), vec3_from_v4(d->origin[root]));
  memset(out->by_q, 0, 6 * (size_t)nv * sizeof(double));
  memset(out->by_v, 0, 6 * (size_t)nv * sizeof(double));
  memset(out->com_by_q, 0, 3 * (size_t)nv * sizeof(double));
  for (int i = 0; i < nv; ++i) {
    const int k = t->dof_link[i];
    if (t->link[k].root != root) continue;
    const LinkSums* sums = &x->sums[k];
    const Pair push = composite_mul(&sums->inertia, d->axis[i]);
    const V4 moved = push.lin * (1 / out->mass);
    const Pair change = pair_add(pair_cross_force(d->axis[i], momentum_of(sums)),
                                 composite_mul(&sums->inertia, x->rates[i].turn));
    const V4 turned = v4_cross(moved, all->momentum) + v4_cross(com, change.lin);
    put_momentum(out->by_q, nv, i, change.ang - turned, change.lin);
    put_momentum(out->by_v, nv, i, push.ang - v4_cross(com, push.lin), push.lin);
    for (int r = 0; r < 3; ++r) out->com_by_q[r * nv + i] = moved[r];
  }
}

// The kinetic energy of the links from k on changes by ψ · H with q_k and by S_k · H with v_k.
void heft_energy_derivatives(RneaDerivatives* x, HeftDynamics* d, const double* v, double* by_q,
                             double* by_v) {
  find_sums(x, d, v, v, NULL);
  for (int i = 0; i < d->model->nv; ++i) {
    const Pair momentum = momentum_of(&x->sums[d->tree->dof_link[i]]);
    by_q[i] = pair_dot(x->rates[i].turn, momentum);
    by_v[i] = pair_dot(d->axis[i], momentum) + d->model->dof_armature[i] * v[i];
  }
}
