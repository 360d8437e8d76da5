// SPDX-License-Identifier: Apache-2.0
// The dofs on which a tendon or a transmission depends, for moment arms in sparse form.
#ifndef HEFT_SRC_DYNAMICS_TENDON_H
#define HEFT_SRC_DYNAMICS_TENDON_H

#include <heft/dynamics.h>

/// Marks the dofs that can change the length of a tendon: marks (nv) become 1 for them, 0 for all
/// others. A dof that moves everything that the tendon passes is not among them.
void heft_tendon_dofs(const HeftModel* model, int tendon, int* marks);
/// As heft_tendon_dofs() for the transmission of an actuator.
void heft_actuator_dofs(const HeftModel* model, int actuator, int* marks);
/// heft_dynamics_actuator_length() of a transmission that is no tendon, whose moment arms are added
/// to moment_arm (nv), at the dofs of heft_actuator_dofs() and at those that move all of it.
double heft_actuator_add_arms(const HeftDynamics* dynamics, int actuator, const double* q,
                              double* moment_arm);
/// The most dofs that a tendon or an actuator can depend on, known without marks.
int heft_tendon_dofs_max(const HeftModel* model, int tendon);
int heft_actuator_dofs_max(const HeftModel* model, int actuator);
/// 1 if some dofs, ascending, lie on one path of one tree.
int heft_dofs_on_one_path(const HeftModel* model, int count, const int* dofs);

/// A direction in joint space that a term scale · a aᵀ stiffens; its dofs lie on one path.
typedef struct Stiffening {
  int count;
  const int* dof;  ///< ascending
  const double* arm;
  double scale;
} Stiffening;

/// Factors M + diag(extra) + Σ scale a aᵀ, without fill-in, as each a lies on one path. Returns 0,
/// or 1 + the dof at which the matrix is not positive definite.
int heft_factor_stiffened(HeftDynamics* dynamics, const double* extra, int count,
                          const Stiffening* more);
/// The same with held dofs (nv: 1, or 0): their rows and columns are of the unit matrix.
/// matrix (nv x nv): M with all that was added.
int heft_factor_held(HeftDynamics* dynamics, const double* extra, int count, const Stiffening* more,
                     const int* held, double* matrix);
/// L⁻¹ (nv x nv) of M = Lᵀ D L, lower triangular; D⁻¹ is dynamics->inverse_d. Nodes of deformable
/// bodies have bonds that it does not know.
void heft_factor_rows_inverse(const HeftDynamics* dynamics, double* out);

#endif
