// SPDX-License-Identifier: Apache-2.0
// Conservation of the momentum of free-floating groups.
//
// A free-floating group is a tree that floats by itself, or several trees that touch each other or
// are joined, while nothing else acts on them: the impulses between them leave their common
// momentum unchanged.
//
// No scheme in joint coordinates conserves the momentum of a group by itself, since M(q) changes
// during the step. But the momentum after the step is known: P and the displacement of the centre
// of mass change only by weight and outside forces, and weight has no torque about the moving
// centre of mass. So after each step the bases are shifted so that the centre of mass is at its
// place, and a small rigid motion of the whole group corrects the error in momentum (a projection
// on the invariant: [Hairer 2006], IV.4). The corrections are of the order of the scheme's own
// error, so the scheme keeps its order. As the group moves as one, the relative motion of its
// trees, at contacts above all, stays as solved.
//
// A wrench stays at its point x of the world while the centre of mass c moves along its parabola,
// so its torque about c, integrated over the step, is
//     h (x - c̄) × F,   c̄ = c + h P / 2m + h² F_all / 6m      (the mean of c over the step),
// and about any fixed point exactly h times its torque there: two trees that act on each other at
// one point keep their common angular momentum.
//
// A needle that turns far in a step ends at an orientation with an error of the scheme. Its whole
// angular momentum there has a part along the needle, around which hardly any inertia resists: the
// energy may grow by the ratio of its moments of inertia, 1e5 for a wire of 0.3 mm. So momentum is
// lost instead, and the step counts as restrained.
#include "world/momentum.h"
#include "base/assert.h"
#include "dynamics/fluid.h"

#include <math.h>
#include <string.h>

static const double slender = 0.05;  // smallest by largest moment of inertia of a needle, at most
static const double far = 0.2;       // turn of a needle in a step from which its energy is bounded

void heft_momentum_place(FloatingGroups* g, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  g->root = arena_take(arena, nlink, int);
  g->member = arena_take(arena, nlink, int);
  g->first = arena_take(arena, nlink + 1, int);
  g->constrained = arena_take(arena, nlink, int);
  g->momentum = arena_take(arena, nlink, TreeMomentum);
  g->linear = arena_take(arena, nlink, HeftVec3);
  g->angular = arena_take(arena, nlink, HeftVec3);
  g->travel = arena_take(arena, nlink, HeftVec3);
  g->com_before = arena_take(arena, nlink, HeftVec3);
  g->turning = arena_take(arena, nlink, double);
  g->shift = arena_take(arena, nlink, HeftVec3);
  g->force = arena_take(arena, nlink, HeftVec3);
  g->torque = arena_take(arena, nlink, HeftVec3);
  g->wrench_force = arena_take(arena, m->nv, double);
}

void heft_momentum_find_roots(FloatingGroups* g, const HeftModel* m) {
  g->root_count = 0;
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (heft_link_floats(m, k)) g->root[g->root_count++] = k;
  }
}

// ---- finding the groups

static void add_tree(FloatingGroups* g, int tree) {
  const int last = g->count++;
  HEFT_ASSERT(g->member && g->count <= g->root_count);
  g->first[last + 1] = g->first[last] + 1;
  g->member[g->first[last]] = tree;
}

// Trees on which something acts beside the constraints that join it to other trees.
typedef struct Marking {
  const ConstraintSet* set;
  const IslandSet* islands;
  const HeftModel* model;
  int* constrained;
} Marking;

static void mark_range(void* arg, int first, int end) {
  const Marking* t = arg;
  for (int i = t->islands->first[first]; i < t->islands->first[end]; ++i) {
    const Constraint* k = &t->set->list[t->islands->order[i]];
    const int joint = k->dof[0] >= 0 && !heft_dof_is_free(t->model, k->dof[0]);
    if (!joint && (k->link[0] == 0 || k->link[1] == 0))
      heft_constraint_set_roots(t->set, t->model, k, 1, t->constrained);
  }
}

static void mark_constrained(const ConstraintSet* set, const IslandSet* islands, const HeftModel* m,
                             HeftPool* pool, int* constrained) {
  Marking marking = {set, islands, m, constrained};
  memcpy(constrained, set->tied, (size_t)heft_link_count(m) * sizeof(int));
  heft_pool_run_ranges(pool, islands->count, ISLAND_RANGE, mark_range, &marking);
}

static int island_floats(const HeftIslands* all, const HeftModel* m, int island,
                         const int* constrained) {
  for (int i = all->link_first[island]; i < all->link_first[island + 1]; ++i) {
    const int k = all->link[i];
    if (heft_link_root(m, k) == k && (constrained[k] || !heft_link_floats(m, k))) return 0;
  }
  return 1;
}

static void add_island(FloatingGroups* g, const HeftIslands* all, const HeftModel* m, int island) {
  int end = g->first[g->count];
  for (int i = all->link_first[island]; i < all->link_first[island + 1]; ++i) {
    if (heft_link_root(m, all->link[i]) == all->link[i]) g->member[end++] = all->link[i];
  }
  HEFT_ASSERT(end > g->first[g->count]);
  g->first[++g->count] = end;
}

// 1 if nothing acts on a tree but the elasticity of its own deformable bodies.
static int is_free(int active) { return active == 0 || active == TIED_BY_ELASTICITY; }

static void find_groups(FloatingGroups* g, const StepInput* in, const ConstraintSet* set,
                        const IslandSet* islands, HeftPool* pool) {
  g->count = 0;
  if (!in->def->keep_momentum || g->root_count == 0 || heft_fluid_acts(in->model)) return;
  for (int i = 0; i < g->root_count; ++i) {
    if (is_free(islands->active[g->root[i]])) add_tree(g, g->root[i]);
  }
  if (islands->count == 0) return;
  mark_constrained(set, islands, in->model, pool, g->constrained);
  for (int i = 0; i < islands->count; ++i) {
    if (islands->list[i].count > 0 && island_floats(&islands->groups, in->model, i, g->constrained))
      add_island(g, &islands->groups, in->model, i);
  }
}

// ---- a group as one body

// Positions of a group are relative to the origin of its first tree.
static HeftVec3 origin_of(const FloatingGroups* g, const HeftDynamics* dynamics, int group) {
  return heft_link_origin(dynamics, g->member[g->first[group]]);
}

static TreeMomentum group_momentum(const FloatingGroups* g, const HeftDynamics* dynamics,
                                   int group) {
  TreeMomentum sum = g->momentum[g->member[g->first[group]]];
  HEFT_ASSERT(sum.mass > 0);
  for (int i = g->first[group] + 1; i < g->first[group + 1]; ++i) {
    TreeMomentum next = g->momentum[g->member[i]];
    const HeftVec3 origin = heft_link_origin(dynamics, g->member[i]);
    next.com = heft_vec3_add(next.com, heft_vec3_sub(origin, origin_of(g, dynamics, group)));
    sum = heft_momentum_join(&sum, &next);
    HEFT_ASSERT(sum.mass >= next.mass);
  }
  return sum;
}

static HeftVec3 world_com(const FloatingGroups* g, const HeftDynamics* dynamics, int group,
                          const TreeMomentum* now) {
  return heft_vec3_add(now->com, origin_of(g, dynamics, group));
}

// The determinant of a needle with the moments (I, I, ε I) is ε / 8 of the cube of its trace.
static int is_needle(const HeftSym3* i) {
  const double trace = i->xx + i->yy + i->zz;
  const double det = i->xx * (i->yy * i->zz - i->yz * i->yz) -
                     i->xy * (i->xy * i->zz - i->yz * i->xz) +
                     i->xz * (i->xy * i->yz - i->yy * i->xz);
  return det < 0.125 * slender * trace * trace * trace;
}

static HeftVec3 turn_of(const TreeMomentum* now, HeftVec3 angular) {
  return heft_rigid_motion(now, heft_vec3(0, 0, 0), angular).ang;
}

// The energy of a rigid needle that turns far in the step, or HUGE_VAL.
static double bound_energy(const FloatingGroups* g, const HeftModel* m, int group, double h,
                           const TreeMomentum* now) {
  const int root = g->member[g->first[group]];
  if (g->first[group + 1] - g->first[group] > 1 || heft_tree_dof_count(m, root) != 6)
    return HUGE_VAL;
  if (!is_needle(&now->inertia)) return HUGE_VAL;
  const HeftVec3 turn = turn_of(now, now->angular);
  return heft_vec3_norm(turn) * h > far ? 0.5 * heft_vec3_dot(now->angular, turn) : HUGE_VAL;
}

void heft_momentum_begin(FloatingGroups* g, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands, const HeftDynamics* dynamics) {
  find_groups(g, in, set, islands, heft_dynamics_pool(dynamics));
  if (g->count == 0) return;
  heft_tree_momentum(dynamics, g->momentum);
  for (int f = 0; f < g->count; ++f) {
    const TreeMomentum now = group_momentum(g, dynamics, f);
    g->linear[f] = now.linear;
    g->angular[f] = now.angular;
    g->travel[f] = heft_vec3_scale(in->h, now.linear);
    g->com_before[f] = world_com(g, dynamics, f, &now);
    g->turning[f] = bound_energy(g, in->model, f, in->h, &now);
  }
}

// ---- outside forces

// The forces of all wrenches: along the translational dofs of a free base, which are the world's
// axes, the joint force is the sum over the tree, but for its nodes.
static void gather_wrenches(FloatingGroups* g, HeftDynamics* dynamics, int nv) {
  memset(g->wrench_force, 0, (size_t)nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(dynamics, g->wrench_force);
}

static HeftVec3 wrench_force(const FloatingGroups* g, const HeftDynamics* dynamics, int group) {
  HeftVec3 sum = {0, 0, 0};
  for (int i = g->first[group]; i < g->first[group + 1]; ++i)
    sum = heft_vec3_add(sum, heft_tree_joint_force(dynamics, g->member[i], g->wrench_force));
  return sum;
}

// Force and torque about the group's centre of mass.
static HeftSpatial group_force(const FloatingGroups* g, const HeftDynamics* dynamics, int group) {
  const TreeMomentum now = group_momentum(g, dynamics, group);
  const HeftVec3 center = world_com(g, dynamics, group, &now);
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  for (int i = g->first[group]; i < g->first[group + 1]; ++i) {
    const int k = g->member[i];
    const HeftVec3 at = heft_vec3_add(g->momentum[k].com, heft_link_origin(dynamics, k));
    const HeftVec3 turn = heft_vec3_cross(heft_vec3_sub(at, center), g->force[k]);
    sum.lin = heft_vec3_add(sum.lin, g->force[k]);
    sum.ang = heft_vec3_add(sum.ang, heft_vec3_add(g->torque[k], turn));
  }
  // Torques of wrenches about the first centre of mass: turn_wrenches() moves them to its mean.
  const HeftVec3 gone = heft_vec3_sub(center, g->com_before[group]);
  sum.ang = heft_vec3_add(sum.ang, heft_vec3_cross(gone, wrench_force(g, dynamics, group)));
  return sum;
}

void heft_momentum_act(FloatingGroups* g, HeftDynamics* dynamics, const HeftModel* m,
                       const double* joint_force, double time, double lag) {
  if (g->count == 0) return;
  heft_tree_momentum(dynamics, g->momentum);
  for (int k = 1; k < heft_link_count(m); ++k) g->force[k] = g->torque[k] = heft_vec3(0, 0, 0);
  heft_tree_force(dynamics, g->momentum, joint_force, g->force, g->torque);
  gather_wrenches(g, dynamics, m->nv);
  for (int f = 0; f < g->count; ++f) {
    const HeftSpatial acting = group_force(g, dynamics, f);
    if (heft_vec3_norm(acting.ang) * time > 1e-9 * heft_vec3_norm(g->angular[f]))
      g->turning[f] = HUGE_VAL;  // a torque does work
    g->linear[f] = heft_vec3_add_scaled(g->linear[f], time, acting.lin);
    g->angular[f] = heft_vec3_add_scaled(g->angular[f], time, acting.ang);
    g->travel[f] = heft_vec3_add_scaled(g->travel[f], lag, acting.lin);
  }
}

// ---- correction

// With travel = h P + h² F / 2 and linear = P + h F the mean of the centre of mass is its old place
// plus (2/3 travel - h/6 linear) / m.
static void turn_wrenches(FloatingGroups* g, const HeftDynamics* dynamics, double h, int group,
                          double mass) {
  const double share = 1 / mass;
  HEFT_ASSERT(mass > 0);
  const HeftVec3 gone =
      heft_vec3_scale(share, heft_vec3_sub(heft_vec3_scale(2.0 / 3, g->travel[group]),
                                           heft_vec3_scale(h / 6, g->linear[group])));
  g->angular[group] = heft_vec3_add_scaled(g->angular[group], -h,
                                           heft_vec3_cross(gone, wrench_force(g, dynamics, group)));
}

static void correct_positions(FloatingGroups* g, const HeftDynamics* dynamics, const HeftModel* m,
                              int group, const TreeMomentum* now, double* q) {
  const HeftVec3 displacement = heft_vec3_scale(1 / now->mass, g->travel[group]);
  HEFT_ASSERT(now->mass > 0);
  const HeftVec3 error = heft_vec3_sub(heft_vec3_add(g->com_before[group], displacement),
                                       world_com(g, dynamics, group, now));
  g->shift[group] = error;
  g->lift -= now->mass * heft_vec3_dot(heft_vec3_from(m->physics.gravity), error);
  for (int i = g->first[group]; i < g->first[group + 1]; ++i)
    heft_tree_shift(dynamics, g->member[i], error, q);
}

// The implicit scheme of deformable bodies loses angular momentum together with energy: to restore
// the one would add the other.
static void correct_velocities(const FloatingGroups* g, const HeftDynamics* dynamics,
                               const HeftModel* m, int group, const TreeMomentum* now, double* v) {
  const HeftVec3 turn = heft_link_deforms(m, g->member[g->first[group]])
                            ? heft_vec3(0, 0, 0)
                            : heft_vec3_sub(g->angular[group], now->angular);
  const HeftSpatial motion =
      heft_rigid_motion(now, heft_vec3_sub(g->linear[group], now->linear), turn);
  const HeftVec3 center = world_com(g, dynamics, group, now);
  for (int i = g->first[group]; i < g->first[group + 1]; ++i)
    heft_tree_apply_impulse(dynamics, g->member[i], motion, center, v);
}

// Returns 1 if a needle would have gained more than a thousandth of its energy.
static int bound_momentum(FloatingGroups* g, int group, const TreeMomentum* now) {
  const double start = g->turning[group];
  if (!(start < HUGE_VAL)) return 0;
  HeftVec3* angular = &g->angular[group];
  const double energy = 0.5 * heft_vec3_dot(*angular, turn_of(now, *angular));
  if (!(energy > start)) return 0;
  HEFT_ASSERT(energy > 0);
  *angular = heft_vec3_scale(sqrt(start / energy), *angular);
  return energy > 1.001 * start;
}

int heft_momentum_finish(FloatingGroups* g, HeftDynamics* dynamics, const HeftModel* m, double h,
                         HeftState* state) {
  int restrained = 0;
  g->lift = 0;
  if (g->count == 0) return 0;
  heft_tree_momentum(dynamics, g->momentum);
  gather_wrenches(g, dynamics, m->nv);
  for (int f = 0; f < g->count; ++f) {
    const TreeMomentum now = group_momentum(g, dynamics, f);
    turn_wrenches(g, dynamics, h, f, now.mass);
    correct_positions(g, dynamics, m, f, &now, state->q);
    restrained += bound_momentum(g, f, &now);
    correct_velocities(g, dynamics, m, f, &now, state->v);
  }
  return restrained;
}

void heft_momentum_add_shift(const FloatingGroups* g, const HeftDynamics* dynamics, double h,
                             double* v) {
  for (int f = 0; f < g->count; ++f) {
    for (int i = g->first[f]; i < g->first[f + 1]; ++i)
      heft_tree_add_shift(dynamics, g->member[i], heft_vec3_scale(1 / h, g->shift[f]), v);
  }
}

// ---- motion as one rigid body

int heft_momentum_group_of(const FloatingGroups* g, int root) {
  for (int f = 0; f < g->count; ++f) {
    for (int i = g->first[f]; i < g->first[f + 1]; ++i) {
      if (g->member[i] == root) return f;
    }
  }
  return -1;
}

RigidMotion heft_momentum_rigid_motion(const FloatingGroups* g, const HeftDynamics* dynamics,
                                       int group) {
  const TreeMomentum now = group_momentum(g, dynamics, group);
  const HeftSpatial motion = heft_rigid_motion(&now, now.linear, now.angular);
  return (RigidMotion){.motion = motion,
                       .center = world_com(g, dynamics, group, &now),
                       .energy = 0.5 * (heft_vec3_dot(now.linear, motion.lin) +
                                        heft_vec3_dot(now.angular, motion.ang))};
}

void heft_momentum_add_rigid_motion(const FloatingGroups* g, const HeftDynamics* dynamics,
                                    int group, const RigidMotion* rigid, double share, double* v) {
  const HeftSpatial part = {heft_vec3_scale(share, rigid->motion.ang),
                            heft_vec3_scale(share, rigid->motion.lin)};
  for (int i = g->first[group]; i < g->first[group + 1]; ++i)
    heft_tree_apply_impulse(dynamics, g->member[i], part, rigid->center, v);
}
