// SPDX-License-Identifier: Apache-2.0
// ConstraintSizes: how much the constraints of a step can need at most.
#ifndef HEFT_SRC_WORLD_CONSTRAINT_SIZES_H
#define HEFT_SRC_WORLD_CONSTRAINT_SIZES_H

#include "world/actuation/tendon_constraints.h"

typedef struct ConstraintSizes {
  int constraints, rows;
  int joints;            ///< constraints beside contact points, of one row each
  int contact_rows;      ///< rows of the largest contact point
  int effectors;         ///< of all trees
  int tree_effectors;    ///< of the largest tree
  int tree_dofs;         ///< numbers of a row of the longest factor F
  size_t omega_blocks;   ///< Σ effectors², over all trees
  size_t omega_numbers;  ///< Ω of all trees, or their factors
  size_t tree_blocks;    ///< the same over trees of more than one effector
} ConstraintSizes;

/// Counts what the model can need beside so many contact points. scratch: ints, as many as
/// heft_constraint_sizes_scratch() returns.
ConstraintSizes heft_constraint_sizes(const HeftModel* model, const TendonConstraints* tendons,
                                      int contact_points, int* scratch);
size_t heft_constraint_sizes_scratch(const HeftModel* model);

/// The sizes of an island of fewer constraints than `count`.
ConstraintSizes heft_constraint_sizes_below(const ConstraintSizes* sizes, int count);

/// Bytes for the Newton factor of a solver for so many constraints and effectors.
size_t heft_factor_bytes(const ConstraintSizes* sizes);

#endif
