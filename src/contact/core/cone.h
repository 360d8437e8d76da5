// SPDX-License-Identifier: Apache-2.0
// The set K of impulses that a contact allows, for the solvers: projection, its derivative, and De
// Saxcé's shift.
//
//   K = { r : |r_g| <= µ_g r_n for every friction group g }     groups with friction
//   K = R+, R or [lower, upper]                                 scalar rows
//
// The projection of x moves the normal to n and shortens the groups outside (the set A) to µ_g n:
//   n = (x_n + Σ_A µ_g |x_g|) / (1 + Σ_A µ_g²),
//   r_g = µ_g n x_g / |x_g|   for g in A,   r_g = x_g otherwise.
// Its derivative, with t_g = x_g / |x_g| and s = 1 / (1 + Σ_A µ_g²):
//   ∂n = s (1, µ_g t_gᵀ ...),   ∂r_g = µ_g t_g ∂n + (µ_g n / |x_g|) (1 - t_g t_gᵀ).
#ifndef HEFT_SRC_CONTACT_CORE_CONE_H
#define HEFT_SRC_CONTACT_CORE_CONE_H

#include <heft/contact.h>
#include <math.h>

enum { CONE_ROWS = HEFT_CONSTRAINT_ROWS_MAX };

typedef struct Cone {
  HeftConstraintType type;
  int rows;
  int groups;             // friction groups, 0 for scalar rows
  int first[3], size[3];  // their rows
  double mu[3];  // dimensionless: coefficients of moments are divided by the contact's length
  double lower, upper;  // of a scalar row; infinite where there is no bound
} Cone;

/// length: scale of the rows of moments (load.c).
Cone cone_make(const HeftConstraintBlock* contact, double length);
/// x becomes the nearest point of K.
void cone_project(const Cone* cone, double* x);
/// d (rows x rows, row-major): the derivative of the projection at x.
void cone_derivative(const Cone* cone, const double* x, double* d);
/// û - u: De Saxcé's shift of the normal.
double cone_shift(const Cone* cone, const double* u);
/// d := d (1 + n ∂shift/∂u): continues the derivative through the shift.
void cone_shift_derivative(const Cone* cone, const double* u, double* d);
/// |r - P_K(r - û / w)| w: the contact's residual [m/s].
double cone_residual(const Cone* cone, double w, const double* r, const double* u);

/// x is in the cone, but for rounding: a condition of asserts. Steep cones are met less exactly:
/// a normal impulse that is wrong by one bit moves the flank by µ of them.
static inline int cone_contains(const Cone* cone, const double* x) {
  if (x[0] < cone->lower || x[0] > cone->upper) return 0;
  for (int g = 0; g < cone->groups; ++g) {
    const double *v = x + cone->first[g], mu = cone->mu[g];
    const double length = sqrt(v[0] * v[0] + (cone->size[g] == 2 ? v[1] * v[1] : 0));
    if (length > (1 + 1e-9) * mu * x[0] + 1e-14 * (1 + mu * mu) * length + 1e-140) return 0;
  }
  return 1;
}

#endif
