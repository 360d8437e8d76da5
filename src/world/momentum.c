// SPDX-License-Identifier: Apache-2.0
// Keeping the momentum of floating trees.
//
// No scheme in joint coordinates keeps the momentum of a floating tree by itself: M(q) changes
// during the step. But what it should be is known: P and the way of the centre of mass change by
// weight and by forces from outside alone, and about the moving centre of mass weight does not even
// turn the tree. So after each step the base is shifted to where the centre of mass belongs, and
// gets the small rigid motion of the whole tree that makes up for the error in momentum (a
// projection on the invariant: Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4). The
// corrections are of the order of the scheme's own error, so the scheme keeps its order.
#include "world/world_internal.h"

static int active(const HeftWorld* w) { return w->def.keep_momentum && w->any_floats; }

static HeftVec3 world_com(const HeftWorld* w, int root) {
  return heft_vec3_add(w->momentum[root].com, heft_link_origin(w->dynamics, root));
}

void heft_momentum_begin(HeftWorld* w) {
  if (!active(w)) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int k = 1; k < heft_link_count(w->model); ++k) {
    w->wanted_linear[k] = w->momentum[k].linear;
    w->wanted_angular[k] = w->momentum[k].angular;
    w->travel[k] = heft_vec3_scale(w->def.time_step, w->momentum[k].linear);
    w->com_before[k] = world_com(w, k);
  }
}

void heft_momentum_act(HeftWorld* w, double time, double lag) {
  if (!active(w)) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int k = 1; k < heft_link_count(w->model); ++k)
    w->impulse[k] = w->spin[k] = heft_vec3(0, 0, 0);
  heft_tree_force(w->dynamics, w->momentum, w->joint_force, w->impulse, w->spin);
  for (int k = 1; k < heft_link_count(w->model); ++k) {
    w->wanted_linear[k] = heft_vec3_add_scaled(w->wanted_linear[k], time, w->impulse[k]);
    w->wanted_angular[k] = heft_vec3_add_scaled(w->wanted_angular[k], time, w->spin[k]);
    w->travel[k] = heft_vec3_add_scaled(w->travel[k], lag, w->impulse[k]);
  }
}

static void correct_position(HeftWorld* w, int root) {
  const HeftVec3 way = heft_vec3_scale(1 / w->momentum[root].mass, w->travel[root]);
  const HeftVec3 error = heft_vec3_sub(heft_vec3_add(w->com_before[root], way), world_com(w, root));
  double* q = w->state->q + heft_link_q(w->model, root);
  q[0] += error.x;
  q[1] += error.y;
  q[2] += error.z;
}

static void correct_velocity(HeftWorld* w, int root) {
  const TreeMomentum* now = &w->momentum[root];
  heft_tree_push(w->dynamics, root, now, heft_vec3_sub(w->wanted_linear[root], now->linear),
                 heft_vec3_sub(w->wanted_angular[root], now->angular), w->state->v);
}

void heft_momentum_finish(HeftWorld* w) {
  heft_kinematics(w->dynamics, w->state->q);
  if (!active(w)) return;
  heft_velocities(w->dynamics, w->state->v);
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int k = 1; k < heft_link_count(w->model); ++k) {
    if (!heft_link_floats(w->model, k)) continue;
    correct_position(w, k);
    correct_velocity(w, k);
  }
  heft_kinematics(w->dynamics, w->state->q);
}
