// SPDX-License-Identifier: Apache-2.0
// Momentum of whole trees about their centres of mass, and the external forces that change it.
#ifndef HEFT_SRC_DYNAMICS_TREE_MOMENTUM_H
#define HEFT_SRC_DYNAMICS_TREE_MOMENTUM_H

#include <heft/dynamics.h>

#include "dynamics/links.h"

/// One tree, all in world axes.
typedef struct TreeMomentum {
  double mass;       ///< [kg]
  HeftVec3 com;      ///< from the tree's origin [m]
  HeftVec3 linear;   ///< [kg m/s]
  HeftVec3 angular;  ///< about the centre of mass [kg m²/s]
  HeftSym3 inertia;  ///< of the tree as one rigid body, about its centre of mass [kg m²]
} TreeMomentum;

/// 1 if link k is the root of a tree on a free joint that nothing but outside forces holds (no
/// spring, damper or rotor).
int heft_link_floats(const HeftModel* model, int link);

/// Momentum of every tree, written at the index of its root link. Needs kinematics and velocities.
void heft_tree_momentum(const HeftDynamics* dynamics, TreeMomentum* out);
/// Kinetic energy, armatures included, and potential energy of weight of every tree [J], written at
/// the index of its root link (nlink). Needs kinematics and velocities at v. (energy.c)
void heft_tree_energies(const HeftDynamics* dynamics, const double* v, double* kinetic,
                        double* weight);
/// Adds the energies of joint springs at q to the trees' energies (nlink).
void heft_tree_add_springs(const HeftModel* model, const double* q, double* potential);
/// Power of all weights [W]. Needs velocities. (energy.c)
double heft_weight_power(const HeftDynamics* dynamics);
/// Adds (force, moment about the centre of mass) of weight, wrenches and forces at the free joint
/// to force[root] and moment[root]. momentum: at the same kinematics.
void heft_tree_force(const HeftDynamics* dynamics, const TreeMomentum* momentum,
                     const double* joint_force, HeftVec3* force, HeftVec3* torque);
/// Two as one; both centres of mass are relative to the same point.
TreeMomentum heft_momentum_join(const TreeMomentum* a, const TreeMomentum* b);
/// The motion as one rigid body, at its centre of mass, that has this momentum.
HeftSpatial heft_rigid_motion(const TreeMomentum* momentum, HeftVec3 linear, HeftVec3 angular);
/// The sum of joint forces (nv) that act on a floating tree from the world: on its base, and on the
/// nodes of deformable bodies in it.
HeftVec3 heft_tree_joint_force(const HeftDynamics* dynamics, int root, const double* joint_force);
/// Shifts the base, and these nodes, in the coordinates q.
void heft_tree_shift(const HeftDynamics* dynamics, int root, HeftVec3 shift, double* q);
/// heft_tree_shift() for velocities: the tree moves by `velocity` as a whole.
void heft_tree_add_shift(const HeftDynamics* dynamics, int root, HeftVec3 velocity, double* v);
/// Adds a rigid motion, given at a point of the world, to the velocities v of the base and of these
/// nodes.
void heft_tree_apply_impulse(const HeftDynamics* dynamics, int root, HeftSpatial motion,
                             HeftVec3 at, double* v);

#endif
