// SPDX-License-Identifier: Apache-2.0
// The cone with its edges rounded off, for Newton steps far from the solution (smooth_cone.c).
#ifndef HEFT_SRC_CONTACT_NEWTON_SMOOTH_CONE_H
#define HEFT_SRC_CONTACT_NEWTON_SMOOTH_CONE_H

#include "contact/core/cone.h"

/// x becomes its smoothed projection, which lies inside of K; radius: how far the rounding reaches
/// [N s]. Cones with several friction groups are projected as they are.
void smooth_cone_project(const Cone* cone, double radius, double* x);
/// d (rows x rows, row-major): the derivative of that at x.
void smooth_cone_derivative(const Cone* cone, double radius, const double* x, double* d);
/// Σ µ_g (√(|u_g|² + ε²) - ε), De Saxcé's shift without its kink.
double smooth_cone_shift(const Cone* cone, double epsilon, const double* u);
/// d := d (1 + n ∂shift/∂u).
void smooth_cone_shift_derivative(const Cone* cone, double epsilon, const double* u, double* d);

#endif
