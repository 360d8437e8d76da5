// SPDX-License-Identifier: Apache-2.0
// Tendon constraints: each tendon is one direction in the joint space of one tree. A tendon between
// two trees has two directions; a tendon between more is a cross-tree tendon.
#ifndef HEFT_SRC_WORLD_ACTUATION_TENDON_CONSTRAINTS_H
#define HEFT_SRC_WORLD_ACTUATION_TENDON_CONSTRAINTS_H

#include <heft/world.h>

#include "world/actuation/transmissions.h"
#include "world/constraint_set.h"
#include "world/step_input.h"
#include "world/warm_start.h"

/// One law along a direction: impulse between lower and upper, complementary to velocity + bias.
typedef struct CrossTreeRow {
  double sign, bias, lower, upper, impulse;
  double free;  ///< velocity + bias before all impulses
} CrossTreeRow;

/// A tendon (or an equality of tendons) that acts on more than two trees.
typedef struct CrossTreeTendon {
  int tendon[2];  ///< the second may be -1
  int equality;   ///< or -1
  int row_count;
  CrossTreeRow row[3];
  double mobility;   ///< aᵀ M̂⁻¹ a
  double* arm;       ///< nv: a
  double* response;  ///< nv: M̂⁻¹ a
} CrossTreeTendon;

typedef struct TendonConstraints {
  Block block;
  const HeftModel* model;
  Transmissions* transmissions;
  int count;
  HeftJointDirection* direction;  ///< count
  int* root;                      ///< count: root of its tree
  int* dof;
  double* arm;
  int (*part)[2];      ///< sources of each arm among the arms of transmissions, -1: none
  int (*tendon)[2];    ///< ntendon: directions of its limits and of its dry friction, -1
  int (*equality)[2];  ///< nequality: directions of a tendon equality, -1
  double* at_default;  ///< ntendon: lengths at q_default
  int cross_count;
  CrossTreeTendon* cross;
} TendonConstraints;

/// The transmissions must have their lengths at q_default.
TendonConstraints* heft_tendon_constraints_create(const HeftModel* model,
                                                  Transmissions* transmissions,
                                                  const HeftAllocator* allocator, HeftError* error);
/// Adds the limits, dry friction and equalities of all tendons to the constraints of the step, at
/// the kinematics of its start. The roots of trees that cross-tree tendons act on become 1 in
/// set->tied.
void heft_tendon_constraints_gather(TendonConstraints* tendons, const StepInput* in,
                                    const HeftDynamics* dynamics, const WarmStart* warm,
                                    ConstraintSet* set);
/// Turns the rows of constraints with `middle` to the positions q and their kinematics.
void heft_tendon_constraints_turn(const TendonConstraints* tendons, const HeftDynamics* dynamics,
                                  const double* q, const ConstraintSet* set);
/// Adds the cross-tree tendons to the report: their largest residual at the joint velocities v
/// after all other constraints, in the measure of HeftContactCertificate::residual.
void heft_cross_tree_tendons_judge(const TendonConstraints* tendons, const StepInput* in,
                                   const double* v, HeftStepReport* report);
/// Adds the work of their impulses at the mean velocity to the report.
void heft_cross_tree_tendons_work(const TendonConstraints* tendons, const double* v_mean,
                                  HeftStepReport* report);

/// Applies the impulses of the cross-tree tendons to the joint velocities v, before all other
/// constraints. Needs the factor of the mass matrix.
void heft_cross_tree_tendons_apply(TendonConstraints* tendons, const HeftDynamics* dynamics,
                                   double* v);

#endif
