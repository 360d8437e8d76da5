// SPDX-License-Identifier: Apache-2.0
// At rest, the derivatives of rnea_derivatives.c are short: V = 0 and A = -g. If k moves j, with
// the mass and the momentum P_j = m v of the links from j on, moved by S_j, and wrenches E_j that
// stay where they are,
//
//     ∂τ_j/∂q_k = P_j · (A × ω_k) - (S_k × S_j) · E_j = ω_k · (P_j × A) - S_k · (S_j ×* E_j).
//
// ∂τ_k/∂q_j has the same first term and no second one. The axes of a ball move each other, and
// there the second terms cancel.
#include "dynamics/static_stiffness.h"

#include "dynamics/workspace.h"

// Of the links from one on: mass, mass x centre of mass, less what does not feel gravity; wrenches.
struct StaticSums {
  V4 first;
  double mass;
  Pair fixed;
};

StaticSums* heft_static_stiffness_place(Arena* arena, const HeftModel* m) {
  return arena_take(arena, m->tree->nlink, StaticSums);
}

HEFT_INLINE StaticSums sums_of_link(const HeftDynamics* d, int k) {
  const Link* link = &d->tree->link[k];
  StaticSums x = {.first = v4_all(0), .fixed = pair_zero()};
  if (link->kind == LINK_MOVED) return x;
  x.mass = link->mass;
  x.first = d->pose[k].pos * link->mass;
  if (d->wrenches) x.fixed = d->external[k];
  if (!(link->lift_mass > 0)) return x;
  x.mass -= link->lift_mass;
  x.first -= (d->pose[k].pos + v4_mul_mat(d->pose[k].rot, link->lift)) * link->lift_mass;
  return x;
}

// P_j × A.
HEFT_INLINE V4 weight_of(const StaticSums* x, Pair axis, V4 a) {
  return v4_cross(axis.lin * x->mass + v4_cross(axis.ang, x->first), a);
}

// The first dof of the ball of a dof, or the dof.
HEFT_INLINE int ball_of(const HeftTree* t, int j) {
  if (j >= 1 && t->dof_group[j - 1] == 3) return j - 1;
  return j >= 2 && t->dof_group[j - 2] == 3 ? j - 2 : j;
}

HEFT_CLONES static void static_stiffness_kernel(StaticSums* sums, const HeftDynamics* d,
                                                const int* place, size_t stride, double* out) {
  const HeftTree* t = d->tree;
  const double* g = d->model->physics.gravity;
  const V4 a = {-g[0], -g[1], -g[2], 0};
  for (int k = 1; k < t->nlink; ++k) sums[k] = sums_of_link(d, k);
  for (int n = t->nlink - 1; n > 0; --n) {
    const int k = t->breadth[n], parent = t->link[k].parent;
    if (parent <= 0) continue;
    sums[parent].first += sums[k].first;
    sums[parent].mass += sums[k].mass;
    sums[parent].fixed = pair_add(sums[parent].fixed, sums[k].fixed);
  }
  for (int j = 0; j < d->model->nv; ++j) {
    if (place[j] < 0) continue;
    const StaticSums* x = &sums[t->dof_link[j]];
    const Pair axis = d->axis[j], fixed = pair_cross_force(axis, x->fixed);
    const V4 weight = weight_of(x, axis, a), ang = weight - 0.5 * fixed.ang, lin = -0.5 * fixed.lin;
    double* column = out + place[j];
    int i = j;
    for (const int ball = ball_of(t, j); i >= ball; i = t->dof_parent[i]) {
      const Pair other = d->axis[i];
      const V4 all = 0.5 * (other.ang * weight + axis.ang * weight_of(x, other, a));
      column[(size_t)place[i] * stride] += all[0] + all[1] + all[2];
    }
    for (; i >= 0; i = t->dof_parent[i]) {
      const V4 all = d->axis[i].ang * ang + d->axis[i].lin * lin;
      column[(size_t)place[i] * stride] += all[0] + all[1] + all[2];
    }
  }
}

void heft_static_stiffness(StaticSums* sums, const HeftDynamics* d, const int* place, int stride,
                           double* out) {
  static_stiffness_kernel(sums, d, place, (size_t)stride, out);
}
