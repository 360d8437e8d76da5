// SPDX-License-Identifier: Apache-2.0
// Derivatives of inverse dynamics by positions and velocities.
#ifndef HEFT_SRC_DYNAMICS_RNEA_DERIVATIVES_H
#define HEFT_SRC_DYNAMICS_RNEA_DERIVATIVES_H

#include "base/arena.h"
#include "dynamics/workspace.h"

/// How the axis S of a dof and what it moves change: V and A are velocity and acceleration of what
/// is before the dof (before the whole ball, for its three dofs).
typedef struct AxisRates {
  Pair turn;    ///< V × S: velocity that a change of the position adds to all that it moves
  Pair second;  ///< A × S + V × (V × S)
  Pair both;    ///< V × S + (V + S v) × S
} AxisRates;

/// Sums over a link and all links beyond it, at the origin of the tree.
typedef struct LinkSums {
  Composite inertia;
  Composite lift;  ///< of what does not feel gravity
  V4 momentum;     ///< linear, p
  V4 flow[3];      ///< Σ m u rᵀ over the particles, by columns
  Pair force;      ///< that its motion needs
  Pair fixed;      ///< wrenches that stay where they are in the world
} LinkSums;

typedef struct RneaDerivatives {
  AxisRates* rates;  ///< nv
  LinkSums* sums;    ///< nlink
  double* tau;       ///< nv: scratch
} RneaDerivatives;

void heft_rnea_derivatives_place(RneaDerivatives* x, Arena* arena, const HeftModel* model);
/// by_q, by_v (nv x nv, row-major): derivatives of heft_dynamics_rnea(v, a) by positions, in the
/// tangent coordinates of heft_q_integrate(), and by velocities. wrench (nlink; NULL: none): moment
/// and force at the origins of the trees, each padded to four, that act beside those of
/// heft_dynamics_add_wrench(); both stay where they are in the world. Needs the kinematics.
void heft_rnea_derivatives(RneaDerivatives* x, HeftDynamics* dynamics, const double* v,
                           const double* a, const double (*wrench)[8], double* by_q, double* by_v);
/// Momentum of a tree and how it changes, about its centre of mass: three numbers of the angular
/// momentum, then three of the linear one.
typedef struct MomentumDerivatives {
  double *by_q, *by_v;  ///< 6 x nv
  double* com_by_q;     ///< 3 x nv: of the centre of mass
  HeftVec3 com;         ///< in the world [m]
  double mass;          ///< [kg]
} MomentumDerivatives;

void heft_momentum_derivatives_place(MomentumDerivatives* x, Arena* arena, const HeftModel* model);
/// Of the tree of a root at the velocities v. Needs the kinematics.
void heft_momentum_derivatives(RneaDerivatives* x, HeftDynamics* dynamics, int root,
                               const double* v, MomentumDerivatives* out);
/// by_q, by_v (nv): derivatives of the kinetic energy of all trees at the velocities v, armatures
/// included. Needs the kinematics.
void heft_energy_derivatives(RneaDerivatives* x, HeftDynamics* dynamics, const double* v,
                             double* by_q, double* by_v);
/// The turns V × S of all axes (nv) at the velocities of the dynamics, which are of v.
void heft_axis_turns(const HeftDynamics* dynamics, const double* v, Pair* turn);

#endif
