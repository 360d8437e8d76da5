// SPDX-License-Identifier: Apache-2.0
// Whether a body can move.
#ifndef HEFT_APPS_VIEW_MOVES_H
#define HEFT_APPS_VIEW_MOVES_H

#include <heft/model.h>

/// 1 if the body, or one that carries it, has joints.
static inline int body_moves(const HeftModel* m, int body) {
  for (; body > 0; body = m->body_parent[body]) {
    if (m->body_joint_count[body] > 0) return 1;
  }
  return 0;
}

#endif
