// SPDX-License-Identifier: Apache-2.0
// The dofs between a body and one of its ancestors.
#ifndef HEFT_SRC_CONTROL_CHAIN_H
#define HEFT_SRC_CONTROL_CHAIN_H

#include <heft/model.h>

#include "model/joint_kind.h"

/// 1 if `body` is `base` or in its subtree.
static inline int chain_hangs_on(const HeftModel* m, int body, int base) {
  while (body > base) body = m->body_parent[body];
  return body == base;
}

/// 1 if the dof moves `body`, but not `base`, against the world.
static inline int chain_moves(const HeftModel* m, int dof, int body, int base) {
  const int effector = m->joint_body[m->dof_joint[dof]];
  return effector != base && chain_hangs_on(m, effector, base) && chain_hangs_on(m, body, effector);
}

/// x within the range of a dof of a joint with one of them.
static inline double chain_within(const HeftModel* m, int dof, double x) {
  if (!m->dof_limited[dof]) return x;
  const double* range = m->dof_range + 2L * dof;
  return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

/// Hinges and slides of q back into their ranges.
static inline void chain_clamp(const HeftModel* m, double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    if (!joint_is_scalar(m->joint_type[j])) continue;
    q[m->joint_q[j]] = chain_within(m, m->joint_dof[j], q[m->joint_q[j]]);
  }
}

#endif
