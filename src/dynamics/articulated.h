// SPDX-License-Identifier: Apache-2.0
// Intermediate results of ABA on each link, and two recursions: a force from a link to the root,
// and a motion from the root to a link. The Delassus methods of [Chardonnet 2012] and
// [Chardonnet 2008] consist of these two.
#ifndef HEFT_SRC_DYNAMICS_ARTICULATED_H
#define HEFT_SRC_DYNAMICS_ARTICULATED_H

#include "dynamics/workspace.h"

/// out = D⁻¹ in, for the dofs of one link.
HEFT_INLINE void solve_link(const double* inverse, int count, const double* in, double* out) {
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (int j = 0; j < count; ++j) sum += inverse[i * count + j] * in[j];
    out[i] = sum;
  }
}

/// A force f on a link: u = Sᵀ f at its dofs, and the remainder for the parent, f - U D⁻¹ u, unless
/// that is the world.
HEFT_INLINE Pair force_inwards(const HeftDynamics* d, int k, Pair force, double* u) {
  const Link* link = &d->tree->link[k];
  double share[6];
  for (int i = 0; i < link->dof_count; ++i) u[i] = pair_dot(d->axis[link->dof + i], force);
  if (link->parent == 0) return force;
  solve_link(d->inverse + 36L * k, link->dof_count, u, share);
  for (int i = 0; i < link->dof_count; ++i) {
    force = pair_add_scaled(force, d->reach[link->dof + i], -share[i]);
  }
  return force;
}

/// The parent's acceleration and u at the dofs give q̈ = D⁻¹ (u - Uᵀ a) and the link's
/// acceleration.
HEFT_INLINE Pair motion_outwards(const HeftDynamics* d, int k, Pair above, const double* u,
                                 double* a) {
  const Link* link = &d->tree->link[k];
  double rest[6];
  for (int i = 0; i < link->dof_count; ++i)
    rest[i] = u[i] - pair_dot(d->reach[link->dof + i], above);
  solve_link(d->inverse + 36L * k, link->dof_count, rest, a);
  for (int i = 0; i < link->dof_count; ++i)
    above = pair_add_scaled(above, d->axis[link->dof + i], a[i]);
  return above;
}

#endif
