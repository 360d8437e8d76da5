// SPDX-License-Identifier: Apache-2.0
// Keeping the momentum of what floats.
//
// A flock is a tree that floats alone, or several that touch each other or are tied together, but
// are held by nothing else: what they do to each other leaves their common momentum as it is.
//
// No scheme in joint coordinates keeps the momentum of a flock by itself: M(q) changes
// during the step. But what it should be is known: P and the way of the centre of mass change by
// weight and by forces from outside alone, and about the moving centre of mass weight does not even
// turn the flock. So after each step its bases are shifted to where the centre of mass belongs, and
// get the small rigid motion of the whole flock that makes up for the error in momentum (a
// projection on the invariant: Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4). The
// corrections are of the order of the scheme's own error, so the scheme keeps its order. Since the
// flock moves as one, what its trees do against each other, at contacts above all, stays as solved.
//
// A wrench stays at its point x of the world while the centre of mass c goes by on its parabola, so
// its moment about c is worth
//     h (x - c̄) × F,   c̄ = c + h P / 2m + h² F_all / 6m      (the mean of c over the step),
// and about any fixed point exactly h times its moment there: two trees that push each other at one
// point keep their common angular momentum.
#include <string.h>

#include "world/world_internal.h"

// ---- who floats

static void add_flock(HeftWorld* w, int tree) {
  const int last = w->flock_count++;
  w->flock_first[last + 1] = w->flock_first[last] + 1;
  w->flock[w->flock_first[last]] = tree;
}

// Everything that a tree feels beside the constraints that link it to others.
static void mark_held(const HeftWorld* w, int* held) {
  const Constraints* c = w->constraints;
  memset(held, 0, (size_t)heft_link_count(w->model) * sizeof(int));
  heft_wires_mark(w, held);
  heft_couplings_mark(w, held);
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    const int joint = k->dof[0] >= 0 && !heft_dof_is_free(w->model, k->dof[0]);
    if (!joint && (k->link[0] == 0 || k->link[1] == 0)) heft_constraint_set_roots(w, k, 1, held);
  }
}

static int island_floats(const HeftWorld* w, int island, const int* held) {
  const HeftIslands* all = &w->constraints->islands;
  for (int i = all->link_first[island]; i < all->link_first[island + 1]; ++i) {
    const int k = all->link[i];
    if (heft_link_root(w->model, k) == k && (held[k] || !heft_link_floats(w->model, k))) return 0;
  }
  return 1;
}

static void add_island(HeftWorld* w, int island) {
  const HeftIslands* all = &w->constraints->islands;
  int end = w->flock_first[w->flock_count];
  for (int i = all->link_first[island]; i < all->link_first[island + 1]; ++i) {
    if (heft_link_root(w->model, all->link[i]) == all->link[i]) w->flock[end++] = all->link[i];
  }
  w->flock_first[++w->flock_count] = end;
}

static void find_flocks(HeftWorld* w) {
  const Constraints* c = w->constraints;
  w->flock_count = 0;
  if (!w->def.keep_momentum || w->floating_count == 0) return;
  for (int i = 0; i < w->floating_count; ++i) {
    if (!c->active[w->floating[i]]) add_flock(w, w->floating[i]);
  }
  if (c->island_count == 0) return;
  mark_held(w, c->held);
  for (int i = 0; i < c->island_count; ++i) {
    const int some = c->island_first[i + 1] > c->island_first[i];
    if (some && island_floats(w, i, c->held)) add_island(w, i);
  }
}

// ---- a flock as one body

// From the first tree's origin, as all of a flock is told.
static HeftVec3 origin_of(const HeftWorld* w, int flock) {
  return heft_link_origin(w->dynamics, w->flock[w->flock_first[flock]]);
}

static TreeMomentum flock_momentum(const HeftWorld* w, int flock) {
  TreeMomentum sum = w->momentum[w->flock[w->flock_first[flock]]];
  for (int i = w->flock_first[flock] + 1; i < w->flock_first[flock + 1]; ++i) {
    TreeMomentum next = w->momentum[w->flock[i]];
    const HeftVec3 origin = heft_link_origin(w->dynamics, w->flock[i]);
    next.com = heft_vec3_add(next.com, heft_vec3_sub(origin, origin_of(w, flock)));
    sum = heft_momentum_join(&sum, &next);
  }
  return sum;
}

static HeftVec3 world_com(const HeftWorld* w, int flock, const TreeMomentum* now) {
  return heft_vec3_add(now->com, origin_of(w, flock));
}

void heft_momentum_begin(HeftWorld* w) {
  find_flocks(w);
  if (w->flock_count == 0) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int f = 0; f < w->flock_count; ++f) {
    const TreeMomentum now = flock_momentum(w, f);
    w->wanted_linear[f] = now.linear;
    w->wanted_angular[f] = now.angular;
    w->travel[f] = heft_vec3_scale(w->def.time_step, now.linear);
    w->com_before[f] = world_com(w, f, &now);
  }
}

// ---- what acts on it

// The forces of all wrenches: for the shifts of a free base, along the world's axes, their sum over
// the tree is what they are worth at the joint.
static void gather_wrenches(HeftWorld* w) {
  memset(w->force, 0, (size_t)w->model->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(w->dynamics, w->force);
}

static HeftVec3 wrench_force(const HeftWorld* w, int flock) {
  HeftVec3 sum = {0, 0, 0};
  for (int i = w->flock_first[flock]; i < w->flock_first[flock + 1]; ++i) {
    const double* at = w->force + heft_link_dof(w->model, w->flock[i]);
    sum = heft_vec3_add(sum, heft_vec3(at[0], at[1], at[2]));
  }
  return sum;
}

// Force and moment about the flock's centre of mass.
static HeftSpatial flock_force(const HeftWorld* w, int flock) {
  const TreeMomentum now = flock_momentum(w, flock);
  const HeftVec3 center = world_com(w, flock, &now);
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = w->flock_first[flock]; i < w->flock_first[flock + 1]; ++i) {
    const int k = w->flock[i];
    const HeftVec3 at = heft_vec3_add(w->momentum[k].com, heft_link_origin(w->dynamics, k));
    const HeftVec3 turn = heft_vec3_cross(heft_vec3_sub(at, center), w->impulse[k]);
    sum.lin = heft_vec3_add(sum.lin, w->impulse[k]);
    sum.ang = heft_vec3_add(sum.ang, heft_vec3_add(w->spin[k], turn));
  }
  // Moments of wrenches about where the centre of mass was: finish() takes them to its mean.
  const HeftVec3 gone = heft_vec3_sub(center, w->com_before[flock]);
  sum.ang = heft_vec3_add(sum.ang, heft_vec3_cross(gone, wrench_force(w, flock)));
  return sum;
}

void heft_momentum_act(HeftWorld* w, double time, double lag) {
  if (w->flock_count == 0) return;
  heft_tree_momentum(w->dynamics, w->momentum);
  for (int k = 1; k < heft_link_count(w->model); ++k)
    w->impulse[k] = w->spin[k] = heft_vec3(0, 0, 0);
  heft_tree_force(w->dynamics, w->momentum, w->given, w->impulse, w->spin);
  gather_wrenches(w);
  for (int f = 0; f < w->flock_count; ++f) {
    const HeftSpatial acting = flock_force(w, f);
    w->wanted_linear[f] = heft_vec3_add_scaled(w->wanted_linear[f], time, acting.lin);
    w->wanted_angular[f] = heft_vec3_add_scaled(w->wanted_angular[f], time, acting.ang);
    w->travel[f] = heft_vec3_add_scaled(w->travel[f], lag, acting.lin);
  }
}

// ---- taking it to where it belongs

// With travel = h P + h² F / 2 and wanted_linear = P + h F the mean is the old place plus
// (2/3 travel - h/6 wanted_linear) / m.
static void turn_wrenches(HeftWorld* w, int flock, double mass) {
  const double h = w->def.time_step, share = 1 / mass;
  const HeftVec3 gone =
      heft_vec3_scale(share, heft_vec3_sub(heft_vec3_scale(2.0 / 3, w->travel[flock]),
                                           heft_vec3_scale(h / 6, w->wanted_linear[flock])));
  w->wanted_angular[flock] = heft_vec3_add_scaled(w->wanted_angular[flock], -h,
                                                  heft_vec3_cross(gone, wrench_force(w, flock)));
}

static void correct_positions(HeftWorld* w, int flock, const TreeMomentum* now) {
  const HeftVec3 way = heft_vec3_scale(1 / now->mass, w->travel[flock]);
  const HeftVec3 error =
      heft_vec3_sub(heft_vec3_add(w->com_before[flock], way), world_com(w, flock, now));
  for (int i = w->flock_first[flock]; i < w->flock_first[flock + 1]; ++i) {
    double* q = w->state->q + heft_link_q(w->model, w->flock[i]);
    q[0] += error.x;
    q[1] += error.y;
    q[2] += error.z;
  }
}

static void correct_velocities(HeftWorld* w, int flock, const TreeMomentum* now) {
  const HeftSpatial motion =
      heft_rigid_motion(now, heft_vec3_sub(w->wanted_linear[flock], now->linear),
                        heft_vec3_sub(w->wanted_angular[flock], now->angular));
  const HeftVec3 center = world_com(w, flock, now);
  for (int i = w->flock_first[flock]; i < w->flock_first[flock + 1]; ++i)
    heft_tree_apply_impulse(w->dynamics, w->flock[i], motion, center, w->state->v);
}

void heft_momentum_finish(HeftWorld* w) {
  if (w->flock_count == 0) return;
  heft_dynamics_kinematics(w->dynamics, w->state->q);
  heft_dynamics_velocities(w->dynamics, w->state->v);
  heft_tree_momentum(w->dynamics, w->momentum);
  gather_wrenches(w);
  for (int f = 0; f < w->flock_count; ++f) {
    const TreeMomentum now = flock_momentum(w, f);
    turn_wrenches(w, f, now.mass);
    correct_positions(w, f, &now);
    correct_velocities(w, f, &now);
  }
}
