// SPDX-License-Identifier: Apache-2.0
// Tension: the geometric stiffness of the forces of a step.
#ifndef HEFT_SRC_WORLD_TENSION_H
#define HEFT_SRC_WORLD_TENSION_H

#include "base/arena.h"
#include "dynamics/links.h"
#include "world/constraint_set.h"
#include "world/step_input.h"

/// An end of a straight piece of a tendon under tension.
typedef struct Pull {
  int link;
  HeftVec3 at;       ///< from the origin of the link's tree [m]
  HeftVec3 along;    ///< direction of the piece
  double stiffness;  ///< across the piece, times h²θ² [kg]
} Pull;

/// The forces on a link and everything beyond it.
typedef struct LinkForces {
  V4 force;      ///< their sum [N]
  V4 moment[3];  ///< sum of r fᵀ, r from the anchor: its rows [N m]
} LinkForces;

/// Filled by tension.c. K̂ = h²θ² K.
typedef struct Tension {
  int any;             ///< 1 if K̂ of a link is not zero
  V4* anchor;          ///< nlink: where its joint holds it; free links: centre of mass [m]
  V4* own;             ///< nlink: its own weight and centrifugal force [N]
  LinkForces* forces;  ///< nlink: all forces
  HeftSym3* stiff;     ///< nlink: K̂ [kg m²]
  double* size;        ///< nlink: trace of K̂ [kg m²]
  double* inertia;     ///< nlink: size of its own moment of inertia about the anchor [kg m²]
  Pull *pull, *asked;  ///< ends of pieces of tendons: as solved with, and scratch
  int pull_count, asked_count;  ///< of these
  int pull_capacity;
  double* pulled;  ///< nlink, if there are tendons: sum of the K̂ of its pulls, as solved with [kg]
  double* pulls;   ///< nlink, if there are tendons: scratch, the same as asked for [kg]
} Tension;

/// The forces of a step that tighten or press links.
typedef struct TensionForces {
  const ConstraintSet* set;
  const double* impulse;  ///< rows
  const double* theta;    ///< nv: θ of each tree
  double age;             ///< how long ago they acted [s]
} TensionForces;

void heft_tension_place(Tension* tension, Arena* arena, const HeftModel* model);
/// Weight and centrifugal forces of the step. Needs the kinematics of q_m and heft_dynamics_rnea()
/// at the velocity of the start.
void heft_tension_begin(Tension* tension, const HeftDynamics* dynamics);
/// K̂ of every link. Needs the velocities of the start if the forces have an age.
void heft_tension_find(Tension* tension, const StepInput* in, const HeftDynamics* dynamics,
                       const TensionForces* forces);
/// M̂ (heft_dynamics_crba()) with K̂.
void heft_tension_mass_matrix(Tension* tension, HeftDynamics* dynamics);
/// 1 if the forces ask for clearly more or less stiffness than the step was solved with.
int heft_tension_differs(Tension* tension, const StepInput* in, const HeftDynamics* dynamics,
                         const TensionForces* forces);
/// work (nlink, by root) += the work that K̂ (v⁺ - v) removes from the motion from in->start->v to
/// v. The forces of K do none: they turn with their links. Moves the velocities.
void heft_tension_leave_out(const Tension* tension, const StepInput* in, HeftDynamics* dynamics,
                            const double* v, double* work);
/// out (nv) = -K̂ (v⁺ - v) / h, the force of K̂ along the joints in the motion from in->start->v to
/// v, less h restraint (nv; NULL: none), which K̂ does not feel. wrench (nlink): scratch. Needs the
/// kinematics of q_m; moves the velocities.
void heft_tension_force(const Tension* tension, const StepInput* in, HeftDynamics* dynamics,
                        const double* v, const double* restraint, double (*wrench)[8], double* out);
/// The work of K̂ (v⁺ - v) on trees of first order (nlink, by root), a part of the scheme's work
/// [J]. Moves the velocities.
double heft_tension_work(const Tension* tension, const StepInput* in, HeftDynamics* dynamics,
                         const double* v, const int* first_order);

#endif
