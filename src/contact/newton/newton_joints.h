// SPDX-License-Identifier: Apache-2.0
// Newton systems in joint space.
#ifndef HEFT_SRC_CONTACT_NEWTON_NEWTON_JOINTS_H
#define HEFT_SRC_CONTACT_NEWTON_NEWTON_JOINTS_H

#include <math.h>

#include "contact/core/core.h"

typedef struct Newton Newton;

/// Returns whether a number can be a pivot.
HEFT_INLINE int newton_is_pivot(double x) { return fabs(x) > 1e-300 && fabs(x) < HUGE_VAL; }

/// The system of a problem in joint space as one dense matrix.
typedef struct NewtonJoints {
  int dense;        // 1: there is one
  double* product;  // (6 x dofs) E J of a contact
  double* matrix;   // (dofs x dofs)
  double* y;        // (dofs)
} NewtonJoints;

/// Allocates memory. Returns 0 if there is none.
int newton_joints_prepare(Newton* newton, const Core* core, Arena* pool);
/// newton->rhs := Jᵀ f (slots).
void newton_joints_force(Newton* newton, const Core* core, const double* f);
/// joints.y := (scale + Jᵀ E J)⁻¹ Jᵀ f by a dense factor. Returns 0 if a pivot vanishes.
int newton_joints_solve(Newton* newton, const Core* core, double scale, const double* f);
/// out (slots) := J y of all contacts.
void newton_joints_velocities(const Core* core, const double* y, double* out);

#endif
