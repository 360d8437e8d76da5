// SPDX-License-Identifier: Apache-2.0
// Newton systems and sweeps in joint space, for islands whose trees have fewer dofs than their
// effectors have numbers.
#ifndef HEFT_SRC_CONTACT_NEWTON_NEWTON_JOINTS_H
#define HEFT_SRC_CONTACT_NEWTON_NEWTON_JOINTS_H

#include "contact/core/core.h"

typedef struct Newton Newton;

/// The rows of one constraint for the dofs of one of its trees.
typedef struct JointRows {
  int tree;         // -1: there are none
  int at;           // where the dofs of the tree begin
  int stride;       // how many it has
  int first, last;  // dofs first .. last - 1 of the tree are not zero; first is a multiple of four
  double* rows;     // rows x stride
} JointRows;

/// An island in joint space.
typedef struct NewtonJoints {
  int used;         // this island is solved in joint space
  int dofs;         // of all trees
  int dense;        // ... and its system as one dense matrix
  int line;         // numbers from row to row of that matrix
  JointRows* part;  // (2 per constraint) the second has another tree than the first
  double* product;  // (6 x dofs of the largest tree)
  double* matrix;   // (dofs x line)
  double* y;        // (dofs)
} NewtonJoints;

/// Whether the problem has what a system in joint space needs.
int newton_joints_fit(const Core* core);
/// Fills the rows of all constraints, after the trees have been placed. Returns 0 if there is no
/// memory.
int newton_joints_prepare(Newton* newton, const Core* core, Arena* pool);
/// newton->values := scale + Jᵀ E J, with E in newton->e.
void newton_joints_assemble(Newton* newton, const Core* core, double scale);
/// newton->rhs := Jᵀ f (slots).
void newton_joints_force(Newton* newton, const Core* core, const double* f);
/// newton->twist := the twists of the effectors for the joint velocities y.
void newton_joints_twist(Newton* newton, const Core* core, const double* y);
/// The state z of the impulses r (core_state()). Changes joints.y.
void newton_joints_state(const Newton* newton, const Core* core, const double* r, double* z);
/// joints.y := (scale + Jᵀ E J)⁻¹ Jᵀ f by a dense factor. Returns 0 if a pivot vanishes.
int newton_joints_solve(Newton* newton, const Core* core, double scale, const double* f);
/// out := J y of constraint i.
void newton_joints_velocity(const Newton* newton, const Core* core, int i, const double* y,
                            double* out);
/// `count` sweeps from core->r, which they change, over all constraints.
void newton_joints_sweep(Newton* newton, Core* core, int count);

#endif
