// SPDX-License-Identifier: Apache-2.0
// Derivative of the projection on the momentum of a floating tree (momentum.c).
//
// After a step the base is shifted until the centre of mass is at its place, c(q⁺) = c + (h P + h²
// F / 2) / m, and the tree gets a rigid motion until it has the momentum that it must have, (L, P)
// = (L₀ + h T, P₀ + h F). The joints keep their velocities. So with H = (L, P) and its matrix A, H
// = A v,
//
//     dq⁺_base += dc - ∂c/∂q dq⁺,      A_base dv⁺_base = dH - ∂H/∂q⁺ dq⁺ - A_joints dv⁺_joints.
#include <string.h>

#include "dynamics/links.h"
#include "math/dense.h"
#include "world/derivative.h"

void heft_kept_momentum_place(KeptMomentum* x, Arena* arena, const HeftModel* m) {
  heft_momentum_derivatives_place(&x->start, arena, m);
  heft_momentum_derivatives_place(&x->middle, arena, m);
  heft_momentum_derivatives_place(&x->end, arena, m);
  x->due = arena_take(arena, 6L * m->nv, double);
  x->place = arena_take(arena, 3L * m->nv, double);
  x->left = arena_take(arena, 6L * m->nv, double);
}

// The places of the base and its axes at q_m.
typedef struct Base {
  int dof;          // first of the six
  HeftVec3 arm;     // from the centre of mass to the base
  HeftMat3 rot;     // its axes
  HeftVec3 force;   // of the joint forces there
  HeftVec3 torque;  // in the world
} Base;

static void add_column(double* out, long nv, int column, double scale, HeftVec3 v) {
  out[column] += scale * v.x;
  out[nv + column] += scale * v.y;
  out[2 * nv + column] += scale * v.z;
}

static Base base_of(const StepMap* map, int root) {
  const DerivativeInput* in = &map->in;
  const int dof = heft_link_dof(in->model, root);
  const HeftPose pose = heft_dynamics_body_pose(in->dynamics, heft_link_body(in->model, root));
  const double* f = in->drives->force + dof;
  return (Base){.dof = dof,
                .arm = heft_vec3_sub(pose.pos, map->kept.middle.com),
                .rot = pose.rot,
                .force = heft_vec3_from(f),
                .torque = heft_mat3_mul_vec(pose.rot, heft_vec3_from(f + 3))};
}

// h ∂T/∂q_m into `left`, mapped to q or v and added to the momentum that is due.
static void add_torque(StepMap* map, const Base* base, DerivativeBlock block) {
  KeptMomentum* x = &map->kept;
  const long nv = map->in.model->nv;
  double *by_q = x->left, *by_v = x->left + 3 * nv;
  memset(x->left, 0, 6 * (size_t)nv * sizeof(double));
  for (int i = 0; i < nv; ++i) {
    const int axis = i - base->dof;
    const double* com = x->middle.com_by_q + i;
    HeftVec3 moved = heft_vec3(-com[0], -com[nv], -com[2 * nv]);
    if (axis >= 0 && axis < 3)
      moved = heft_vec3_add(moved, heft_vec3(axis == 0, axis == 1, axis == 2));
    HeftVec3 change = heft_vec3_cross(moved, base->force);
    if (axis >= 3 && axis < 6)
      change = heft_vec3_add(change,
                             heft_vec3_cross(heft_mat3_column(base->rot, axis - 3), base->torque));
    add_column(by_q, nv, i, map->in.step->h, change);
  }
  heft_derivative_lead(map, 3, by_q, by_v);
  const double* from = block == BY_Q ? by_q : by_v;
  for (long i = 0; i < 3 * nv; ++i) x->due[i] += from[i];
}

// The momentum and the place of the centre of mass that the tree must have.
static void find_due(StepMap* map, const Base* base, DerivativeBlock block) {
  KeptMomentum* x = &map->kept;
  const long nv = map->in.model->nv;
  const double h = map->in.step->h, mass = x->start.mass;
  memset(x->due, 0, 6 * (size_t)nv * sizeof(double));
  memset(x->place, 0, 3 * (size_t)nv * sizeof(double));
  if (block == BY_PARAMETER) return;  // add_inertias()
  if (block == BY_FORCE) {
    for (int i = 0; i < 3; ++i) {
      const HeftVec3 e = {i == 0, i == 1, i == 2};
      add_column(x->due, nv, base->dof + i, h, heft_vec3_cross(base->arm, e));
      add_column(x->due + 3 * nv, nv, base->dof + i, h, e);
      add_column(x->due, nv, base->dof + 3 + i, h, heft_mat3_column(base->rot, i));
      add_column(x->place, nv, base->dof + i, 0.5 * h * h / mass, e);
    }
    return;
  }
  memcpy(x->due, block == BY_Q ? x->start.by_q : x->start.by_v, 6 * (size_t)nv * sizeof(double));
  for (long i = 0; i < 3 * nv; ++i)
    x->place[i] = (block == BY_Q ? x->start.com_by_q[i] : 0) + h / mass * x->due[3 * nv + i];
  add_torque(map, base, block);
}

static HeftVec3 linear_of(const MomentumDerivatives* x, int nv, const double* v) {
  double out[3] = {0, 0, 0};
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < nv; ++i) out[r] += x->by_v[(3 + r) * nv + i] * v[i];
  }
  return heft_vec3_from(out);
}

// Momentum and place that are due, by inertias, less their change at the end at fixed q⁺ and v⁺.
// Joints and drives change neither. With P = m ċ and the force f on the base beside the weight,
// c(q⁺) = c + h P / m + h² (f / m + g) / 2.
static void add_inertias(StepMap* map, const Base* base, int root) {
  const DerivativeInput* in = &map->in;
  KeptMomentum* x = &map->kept;
  const long nv = in->model->nv;
  const double h = in->step->h, mass = x->start.mass;
  const HeftVec3 g = heft_vec3_from(in->model->physics.gravity);
  const double* q[3] = {in->step->start->q, in->middle->q, in->q_end};
  const double* v[3] = {in->step->start->v, in->step->start->v, in->v_end};
  const MomentumDerivatives* at[3] = {&x->start, &x->middle, &x->end};
  int any = 0;
  for (int k = 0; k < map->by_count; ++k) any |= heft_derivative_is_inertia(map->by[k].kind);
  for (int n = 0; n < 3 && any; ++n) {
    const HeftVec3 linear = linear_of(at[n], (int)nv, v[n]);
    heft_dynamics_kinematics(in->dynamics, q[n]);
    heft_dynamics_velocities(in->dynamics, v[n]);
    for (int k = 0; k < map->by_count; ++k) {
      const MomentumRate by =
          heft_derivative_momentum_rate(in->dynamics, map->by[k], root, mass, at[n]->com, linear);
      if (n == 1) {  // the torque about the centre of mass
        add_column(x->due, nv, k, -h, heft_vec3_cross(by.com, base->force));
        continue;
      }
      const double sign = n == 0 ? 1 : -1;
      add_column(x->due, nv, k, sign, by.angular);
      add_column(x->due + 3 * nv, nv, k, sign, by.linear);
      add_column(x->place, nv, k, sign, by.com);
      if (n > 0) continue;
      add_column(x->due + 3 * nv, nv, k, h * by.mass, g);
      add_column(x->place, nv, k, h / mass, by.linear);
      add_column(x->place, nv, k, -h * by.mass / (mass * mass), linear);
      add_column(x->place, nv, k, -0.5 * h * h * by.mass / (mass * mass), base->force);
    }
  }
  if (any) heft_dynamics_kinematics(in->dynamics, in->middle->q);
}

int heft_kept_momentum_due(StepMap* map, int group, DerivativeBlock block) {
  const DerivativeInput* in = &map->in;
  const FloatingGroups* g = &in->keepers->groups;
  KeptMomentum* x = &map->kept;
  if (g->first[group + 1] - g->first[group] > 1) return -1;
  const int root = g->member[g->first[group]];
  if (x->found != root) {
    heft_dynamics_kinematics(in->dynamics, in->step->start->q);
    heft_momentum_derivatives(&map->rnea, in->dynamics, root, in->step->start->v, &x->start);
    heft_dynamics_kinematics(in->dynamics, in->q_end);
    heft_momentum_derivatives(&map->rnea, in->dynamics, root, map->energy.before, &x->end);
    heft_dynamics_kinematics(in->dynamics, in->middle->q);
    heft_momentum_derivatives(&map->rnea, in->dynamics, root, in->step->start->v, &x->middle);
    x->found = root;
  }
  const Base base = base_of(map, root);
  find_due(map, &base, block);
  if (block == BY_PARAMETER) add_inertias(map, &base, root);
  return base.dof;
}

int heft_momentum_factor(const MomentumDerivatives* x, int nv, int dof, double factor[36],
                         int pivot[6]) {
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c)
      factor[6 * r + c] = x->by_v[(size_t)r * (size_t)nv + (size_t)(dof + c)];
  }
  return heft_lu_factor(6, factor, 6, pivot) != 0;
}

static void correct(StepMap* map, int dof, double* dq, double* dv) {
  KeptMomentum* x = &map->kept;
  const int nv = map->in.model->nv;
  const size_t wide = (size_t)nv, base = (size_t)dof * wide;
  double factor[36];
  int pivot[6];
  heft_add_product(3, nv, nv, -1, x->end.com_by_q, dq, x->place);
  for (size_t i = 0; i < 3 * wide; ++i) dq[base + i] += x->place[i];
  heft_add_product(6, nv, nv, -1, x->end.by_q, dq, x->due);
  memset(dv + base, 0, 6 * wide * sizeof(double));
  heft_add_product(6, nv, nv, -1, x->end.by_v, dv, x->due);
  if (heft_momentum_factor(&x->end, nv, dof, factor, pivot)) return;
  for (size_t k = 0; k < wide; ++k) {
    double column[6];
    for (size_t r = 0; r < 6; ++r) column[r] = x->due[r * wide + k];
    heft_lu_solve(6, factor, 6, pivot, column);
    for (size_t r = 0; r < 6; ++r) dv[base + r * wide + k] = column[r];
  }
}

void heft_kept_momentum_correct(StepMap* map, DerivativeBlock block, double* dq, double* dv) {
  for (int f = 0; f < map->in.keepers->groups.count; ++f) {
    const int dof = heft_kept_momentum_due(map, f, block);
    if (dof >= 0) correct(map, dof, dq, dv);
  }
}
