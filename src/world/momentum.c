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
//
// A wrench stays at its point x of the world while the centre of mass c goes by on its parabola, so
// its moment about c is worth
//     h (x - c̄) × F,   c̄ = c + h P / 2m + h² F_all / 6m      (the mean of c over the step),
// and about any fixed point exactly h times its moment there: two trees that push each other at one
// point keep their common angular momentum.
#include <string.h>

#include "world/world_internal.h"

// Trees without constraints keep their momentum; the others feel forces that nobody knows before.
static void find_free(HeftWorld* w) {
  w->free_count = 0;
  for (int i = 0; i < w->floating_count && w->def.keep_momentum; ++i) {
    if (!w->constraints->active[w->floating[i]]) w->free[w->free_count++] = w->floating[i];
  }
}

static HeftVec3 world_com(const HeftWorld* w, int root) {
  return heft_vec3_add(w->momentum[root].com, heft_link_origin(w->dynamics, root));
}

void heft_momentum_begin(HeftWorld* w) {
  find_free(w);
  if (w->free_count == 0) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int i = 0; i < w->free_count; ++i) {
    const int k = w->free[i];
    w->wanted_linear[k] = w->momentum[k].linear;
    w->wanted_angular[k] = w->momentum[k].angular;
    w->travel[k] = heft_vec3_scale(w->def.time_step, w->momentum[k].linear);
    w->com_before[k] = world_com(w, k);
  }
}

// The forces of all wrenches: for the shifts of a free base, along the world's axes, their sum over
// the tree is what they are worth at the joint.
static void gather_wrenches(HeftWorld* w) {
  memset(w->force, 0, (size_t)w->model->nv * sizeof(double));
  heft_wrenches_to_joints(w->dynamics, w->force);
}

static HeftVec3 wrench_force(const HeftWorld* w, int root) {
  const double* at = w->force + heft_link_dof(w->model, root);
  return heft_vec3(at[0], at[1], at[2]);
}

void heft_momentum_act(HeftWorld* w, double time, double lag) {
  if (w->free_count == 0) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int k = 1; k < heft_link_count(w->model); ++k)
    w->impulse[k] = w->spin[k] = heft_vec3(0, 0, 0);
  heft_tree_force(w->dynamics, w->momentum, w->given, w->impulse, w->spin);
  gather_wrenches(w);
  for (int i = 0; i < w->free_count; ++i) {
    const int k = w->free[i];
    // Moments of wrenches about where the centre of mass was: finish() takes them to its mean.
    const HeftVec3 gone = heft_vec3_sub(world_com(w, k), w->com_before[k]);
    w->spin[k] = heft_vec3_add(w->spin[k], heft_vec3_cross(gone, wrench_force(w, k)));
    w->wanted_linear[k] = heft_vec3_add_scaled(w->wanted_linear[k], time, w->impulse[k]);
    w->wanted_angular[k] = heft_vec3_add_scaled(w->wanted_angular[k], time, w->spin[k]);
    w->travel[k] = heft_vec3_add_scaled(w->travel[k], lag, w->impulse[k]);
  }
}

// With travel = h P + h² F / 2 and wanted_linear = P + h F the mean is the old place plus
// (2/3 travel - h/6 wanted_linear) / m.
static void turn_wrenches(HeftWorld* w, int root) {
  const double h = w->def.time_step, share = 1 / w->momentum[root].mass;
  const HeftVec3 gone =
      heft_vec3_scale(share, heft_vec3_sub(heft_vec3_scale(2.0 / 3, w->travel[root]),
                                           heft_vec3_scale(h / 6, w->wanted_linear[root])));
  w->wanted_angular[root] = heft_vec3_add_scaled(w->wanted_angular[root], -h,
                                                 heft_vec3_cross(gone, wrench_force(w, root)));
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
  if (w->free_count == 0) return;
  heft_kinematics(w->dynamics, w->state->q);
  heft_velocities(w->dynamics, w->state->v);
  heft_tree_momentum(w->dynamics, w->momentum);
  gather_wrenches(w);
  for (int i = 0; i < w->free_count; ++i) {
    const int k = w->free[i];
    turn_wrenches(w, k);
    correct_position(w, k);
    correct_velocity(w, k);
  }
}
