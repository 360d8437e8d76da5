// SPDX-License-Identifier: Apache-2.0
// FloatingGroups: momentum of free-floating trees, single or in groups.
#ifndef HEFT_SRC_WORLD_MOMENTUM_H
#define HEFT_SRC_WORLD_MOMENTUM_H

#include "base/arena.h"
#include "dynamics/tree_momentum.h"
#include "world/island.h"

/// Filled by momentum.c.
typedef struct FloatingGroups {
  int* root;  ///< roots of all trees that float freely, whatever touches them
  int root_count;
  int *member,
      *first;        ///< nlink, nlink + 1: roots of the trees that only each other act on in this
                     ///< step, group by group
  int count;         ///< of groups
  int* constrained;  ///< nlink: scratch, trees that something else acts on
  TreeMomentum* momentum;    ///< nlink: at the present kinematics, by root
  HeftVec3* linear;          ///< nlink: linear momentum that each group has after the step
  HeftVec3* angular;         ///< nlink: the same of angular momentum
  HeftVec3* travel;          ///< nlink: mass times displacement of the centre of mass
  HeftVec3* com_before;      ///< nlink: centre of mass at the start
  double* turning;           ///< nlink: energy of rotation at the start, of needles that turn far
  HeftVec3* shift;           ///< nlink: by which the positions of each group were corrected [m]
  double lift;               ///< work of these corrections against weight [J]
  HeftVec3 *force, *torque;  ///< nlink: scratch, outside forces by root
  double* wrench_force;      ///< nv: scratch, joint forces of the wrenches
} FloatingGroups;

/// The motion of a group as one rigid body with its momentum.
typedef struct RigidMotion {
  HeftSpatial motion;  ///< at its centre of mass
  HeftVec3 center;     ///< centre of mass in the world [m]
  double energy;       ///< kinetic [J]
} RigidMotion;

void heft_momentum_place(FloatingGroups* groups, Arena* arena, const HeftModel* model);
/// Lists the trees that float freely.
void heft_momentum_find_roots(FloatingGroups* groups, const HeftModel* model);

/// Finds the groups of this step and stores their momentum. The constraints must have been grouped.
void heft_momentum_begin(FloatingGroups* groups, const StepInput* in, const ConstraintSet* set,
                         const IslandSet* islands, const HeftDynamics* dynamics);
/// Adds the outside forces at the present kinematics: force times `time` to the momentum, force
/// times `lag` to the travel. joint_force: nv.
void heft_momentum_act(FloatingGroups* groups, HeftDynamics* dynamics, const HeftModel* model,
                       const double* joint_force, double time, double lag);
/// Corrects positions and velocities of the bases in the state, at whose kinematics and velocities
/// the dynamics is, to the sums. The kinematics are invalid after it. Returns how many bodies would
/// have gained energy by that, and lost momentum instead.
int heft_momentum_finish(FloatingGroups* groups, HeftDynamics* dynamics, const HeftModel* model,
                         double h, HeftState* state);

/// Adds the velocities by which heft_momentum_finish() moved positions in a step of the length h.
void heft_momentum_add_shift(const FloatingGroups* groups, const HeftDynamics* dynamics, double h,
                             double* v);

/// The group of the tree of a root, -1 if it is in none.
int heft_momentum_group_of(const FloatingGroups* groups, int root);
/// The motion of a group; groups->momentum must belong to the present kinematics and velocities.
RigidMotion heft_momentum_rigid_motion(const FloatingGroups* groups, const HeftDynamics* dynamics,
                                       int group);
/// Adds a share of that motion to the velocities of the group.
void heft_momentum_add_rigid_motion(const FloatingGroups* groups, const HeftDynamics* dynamics,
                                    int group, const RigidMotion* rigid, double share, double* v);

#endif
