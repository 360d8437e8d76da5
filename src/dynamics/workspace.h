// SPDX-License-Identifier: Apache-2.0
// The inside of HeftDynamics: results of each stage, per link and per dof.
//
// All quantities of one tree are expressed in world axes about the tree's origin O, the present
// centre of mass of its root link. Numbers then stay small wherever the robot walks, and vectors of
// parent and child add without a transform.
#ifndef HEFT_SRC_DYNAMICS_WORKSPACE_H
#define HEFT_SRC_DYNAMICS_WORKSPACE_H

#include <heft/dynamics.h>

#include "base/assert.h"
#include "base/pool.h"
#include "dynamics/deform/deform.h"
#include "dynamics/fluid.h"
#include "math/simd_spatial.h"
#include "model/tree.h"

/// Where a link is: its axes (columns), and its centre of mass from the origin of its tree.
typedef struct LinkPose {
  V4 rot[3];
  V4 pos;
} LinkPose;

/// A rigid body's inertia about O: mass, mass times centre of mass, moment of inertia (columns).
typedef struct Composite {
  V4 inertia[3];
  V4 first;  ///< mass x centre of mass
  double mass;
} Composite;

/// An articulated inertia: six columns of (angular | linear) lanes 0-2 and 4-6.
typedef struct Articulated {
  V8 column[6];
} Articulated;

struct HeftDynamics {
  const HeftModel* model;
  const HeftTree* tree;
  HeftAllocator allocator;
  size_t memory_size;

  // heft_dynamics_kinematics()
  double* angle;          ///< stages: of hinges
  double *sine, *cosine;  ///< stages: of hinges; slides have their shift in sine
  Columns* relative;      ///< stages: pose in the frame before
  LinkPose* pose;         ///< nlink
  LinkPose* frame;        ///< nlink: the same in the world, for the collider
  V4* origin;             ///< nlink: for the root of each tree, O in the world
  V4 (*spin)[3];  ///< nlink: moment of inertia about the centre of mass, in world axes (columns)
  Pair* axis;     ///< nv: motion axis S of each dof at O

  // heft_dynamics_velocities(), heft_dynamics_rnea(), heft_dynamics_aba()
  Pair* velocity;      ///< nlink, at O
  Pair* acceleration;  ///< nlink, at O
  Pair* force;         ///< nlink, at O
  Pair* external;      ///< nlink: wrenches from outside, at O

  // heft_dynamics_crba(), heft_dynamics_factor()
  Composite* composite;  ///< nlink
  double* mass_rows;     ///< row_count: M
  double* factor_rows;   ///< row_count: D on the diagonal, L beside it
  double* inverse_d;     ///< nv

  // heft_dynamics_aba()
  Articulated* articulated;  ///< nlink
  Pair* reach;               ///< nv: U = I^A S
  double* inverse;           ///< nlink x 36: (Sᵀ U + armature)⁻¹, dof_count x dof_count
  double* effort;            ///< nv: u

  Deform* deform;               ///< the deformable bodies, NULL: none
  HeftPose *bond, *bond_other;  ///< ndeformable: frames of their bonds, and frames for an energy
  BondVector* bond_twist[2];    ///< ndeformable each: scratch
  BondVector* bond_wrench;      ///< ndeformable: scratch
  FluidBox* fluid;              ///< fluid_count
  double* fluid_arms;           ///< of all boxes
  int fluid_count;
  int wrenches;    ///< 1 while external is not zero
  HeftPool* pool;  ///< threads that share the groups of trees, NULL: none; not owned
};

/// Runs task(work, worker, index) for every group of trees. Groups share nothing.
HEFT_INLINE void run_groups(const HeftDynamics* d, HeftTask* task, void* work) {
  heft_pool_run(d->pool, d->tree->group_count, task, work);
}

HEFT_INLINE Pair pair_cross_force(Pair v, Pair f) {
  return (Pair){v4_cross(v.ang, f.ang) + v4_cross(v.lin, f.lin), v4_cross(v.ang, f.lin)};
}

HEFT_INLINE HeftVec3 vec3_from_v4(V4 v) { return heft_vec3(v[0], v[1], v[2]); }
HEFT_INLINE V4 v4_from_vec3(HeftVec3 v) { return (V4){v.x, v.y, v.z, 0}; }

#endif
