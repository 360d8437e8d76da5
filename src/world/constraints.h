// SPDX-License-Identifier: Apache-2.0
// The constraints of a step: what touches, joints at their limits, dry friction in joints, loops.
// They are gathered into one list, sorted into islands, solved island by island, and turned back
// into joint velocities.
//
// All constraints speak of *movers* (heft_delassus_movers): a touch of the twists of two links, a
// joint row of up to six joint velocities of one tree, so that one operator carries them all.
#ifndef HEFT_SRC_WORLD_CONSTRAINTS_H
#define HEFT_SRC_WORLD_CONSTRAINTS_H

#include <heft/collision.h>
#include <heft/contact.h>
#include <heft/world.h>

#include "base/arena.h"

/// What a constraint comes from. With its source it is the name by which its impulse is found again
/// in the next step.
typedef enum ConstraintKind {
  CONSTRAINT_TOUCH,         ///< source: index among the touches of this step
  CONSTRAINT_LIMIT,         ///< source: 2 dof, plus 1 for the upper end
  CONSTRAINT_DRY,           ///< source: dof
  CONSTRAINT_EQUALITY,      ///< source: 6 equality + component
  CONSTRAINT_TENDON_LIMIT,  ///< source: 2 tendon, plus 1 for the upper end
  CONSTRAINT_TENDON_DRY,    ///< source: tendon
  CONSTRAINT_KIND_COUNT
} ConstraintKind;

typedef struct Constraint {
  ConstraintKind kind;
  int source;
  HeftContactType type;
  int link[2];  ///< the links that it pushes, 0: the world or none
  int dof[3];   ///< or the dofs, all of one tree, -1: none
  int wire[2];  ///< or the wires, of one tree each, -1: none; its sign stands first in axis
  double mu, mu_static, mu_roll, mu_spin, lower, upper;
  double gap;  ///< of the first row [m, rad]; touches only
  int row;     ///< first row
  int island;
} Constraint;

/// The impulse of a touch, kept under its name for the next step. Plain data: it goes into
/// snapshots as it is.
typedef struct Remembered {
  int name[4];  ///< bodies and shapes
  int dim, unused;
  uint64_t feature;
  double impulse[6];
} Remembered;

typedef struct Constraints {
  HeftCollider* collider;
  HeftContactSolver* solver;
  HeftTouches touches;
  int constraint_max, row_max, mover_max;

  // Gathered, in the order in which they were found
  int count, row_count;
  int touch_count;  ///< touches among them, the first of the list
  Constraint* list;
  double (*axis)[12];  ///< rows: numbers for the two movers (or for the dofs), signs included
  double* push;        ///< rows: what is added to the free velocity: gap / h, restitution
  double* warm;        ///< rows: impulses of the step before
  double* impulse;     ///< rows: result
  double* velocity;    ///< rows: u + push
  double* correction;  ///< rows: impulses that move bodies apart

  // Sorted by island
  int island_count;
  HeftIslands islands;
  int (*joined)[2];   ///< links that loops tie together
  int* order;         ///< constraints
  int* island_first;  ///< island_count + 1
  HeftContact* contacts;
  int* source;  ///< the constraint that each of them is
  double *bias, *sorted_warm, *sorted_impulse, *sorted_velocity;
  double (*jacobian)[12];

  // Of the island in work
  HeftMover* movers;
  HeftContactTree* trees;
  int* roots;       ///< roots of its trees, ascending
  int* tree_links;  ///< links pushed, by tree
  int* tree_dofs;   ///< dofs pushed, by tree
  int* tree_wires;  ///< wires pushed, by tree
  int* found_link;  ///< links pushed, as they were found
  int* found_dof;   ///< dofs pushed, as they were found
  int* found_wire;  ///< wires pushed, as they were found
  int* root_place;  ///< nlink: place of a root among them, -1
  int* link_mover;  ///< nlink: mover of a link, -1
  int* dof_mover;   ///< nv: mover of a dof, -1
  int* dof_lane;    ///< nv: its place in that mover
  double* omega;
  size_t omega_max;
  double* scratch;  ///< of the Delassus operator, and of the certificate
  size_t scratch_max;

  // Memory of the last step, for warm starts
  Remembered* old_touch;
  int old_count;
  double* old_joint[CONSTRAINT_KIND_COUNT];  ///< by source; NULL for touches

  int* active;  ///< nlink: 1 at the root of every tree that has a constraint in this step
  size_t memory_size;
} Constraints;

HeftStatus heft_constraints_create(HeftWorld* world, HeftError* error);
void heft_constraints_destroy(HeftWorld* world);
/// Forgets the impulses of the last step.
void heft_constraints_forget(HeftWorld* world);

/// Finds everything that may become active during a step from the present state (kinematics and
/// velocities at q, v).
void heft_constraints_gather(HeftWorld* world);
/// Sorts them into islands and marks the trees that have any.
void heft_constraints_group(HeftWorld* world);
/// Solves for the impulses and adds what they do to the joint velocities v (nv, the free velocity
/// on entry). Needs the factor of the mass matrix, and kinematics that for active trees are still
/// those of gather().
void heft_constraints_solve(HeftWorld* world, double* v, HeftStepReport* report);
/// The velocity (nv) with which positions, and only they, move during the step so that bodies come
/// out of each other. v is the velocity after the step. Spends the list: call it last, after
/// remember().
void heft_constraints_correct(HeftWorld* world, const double* v, double* shift,
                              HeftStepReport* report);
/// Keeps the impulses for the next step.
void heft_constraints_remember(HeftWorld* world);

/// Velocities of all rows at the joint velocities v, push included, into constraints->velocity.
void heft_constraints_measure(HeftWorld* world, const double* v);
/// Appends a constraint; NULL when there is no room. Its rows are cleared.
Constraint* heft_constraints_add(Constraints* constraints, ConstraintKind kind, int source,
                                 HeftContactType type);

#endif
