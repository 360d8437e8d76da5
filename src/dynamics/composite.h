// SPDX-License-Identifier: Apache-2.0
// Inertias of links, and of links with everything beyond them, about the origin of the tree.
#ifndef HEFT_SRC_DYNAMICS_COMPOSITE_H
#define HEFT_SRC_DYNAMICS_COMPOSITE_H

#include "base/assert.h"
#include "dynamics/workspace.h"

/// A link's own inertia about O: I + m (|c|² 1 - c cᵀ).
HEFT_INLINE Composite composite_of_link(double mass, const V4 spin[3], V4 com) {
  Composite out;
  out.first = com * mass;
  out.mass = mass;
  const double square = mass * v4_dot3(com, com);
  HEFT_ASSERT(!(mass < 0) && !(square < 0));
  out.inertia[0] = spin[0] + ((V4){square, 0, 0, 0} - out.first * com[0]);
  out.inertia[1] = spin[1] + ((V4){0, square, 0, 0} - out.first * com[1]);
  out.inertia[2] = spin[2] + ((V4){0, 0, square, 0} - out.first * com[2]);
  return out;
}

HEFT_INLINE void composite_add(Composite* to, const Composite* from) {
  for (int i = 0; i < 3; ++i) to->inertia[i] = to->inertia[i] + from->inertia[i];
  to->first = to->first + from->first;
  to->mass += from->mass;
  HEFT_ASSERT(to->mass >= from->mass || to->mass != to->mass);
}

/// Momentum of a motion.
HEFT_INLINE Pair composite_mul(const Composite* c, Pair motion) {
  return (Pair){v4_mul_mat_v4(c->inertia, motion.ang) + v4_cross(c->first, motion.lin),
                motion.lin * c->mass + v4_cross(motion.ang, c->first)};
}

#endif
