// SPDX-License-Identifier: Apache-2.0
// One tetrahedron of co-rotational elasticity ([Muller 2004]; energy of [Chao 2010]).
//
// Corners X_a at rest, x_a now. g_a is the gradient of the linear function that is 1 at corner a
// and 0 at the others, so that the deformation gradient is F = Σ x_a g_aᵀ. With the polar
// decomposition F = R (1 + E), R a rotation and E symmetric, the energy per volume is
//
//     ψ = µ |E|² + λ/2 (tr E)²,      P = ∂ψ/∂F = R (2µ E + λ tr E 1),      f_a = -V P g_a.
//
// R has no share in P, since ψ is least at it: the force is the exact gradient of the energy. For
// small strain this is linear elasticity; for large rotation it has no force.
//
// Stiffness. With R held, the second derivative in the directions u_a, w_b is u_a · K_ab w_b,
//
//     K_ab = V (µ (k_a·k_b) 1 + µ k_b k_aᵀ + λ k_a k_bᵀ),      k_a = R g_a.
//
// The geometric stiffness, which R adds to it, is at most V τ (k_a·k_b) 1, where τ is the largest
// principal value of the stress if that is a tension, else 0.
#ifndef HEFT_SRC_DEFORM_TETRAHEDRON_H
#define HEFT_SRC_DEFORM_TETRAHEDRON_H

#include <heft/math.h>

typedef struct Tetrahedron {
  int node[4];
  int slot[16];  ///< where K_ab is in the matrix, [4 a + b]; -1: a or b does not move
  double gradient[4][3];
  double volume;
} Tetrahedron;

/// Lamé's numbers [Pa].
typedef struct Elasticity {
  double mu, lambda;
} Elasticity;

/// A tetrahedron as it is now.
typedef struct Strain {
  HeftMat3 turn;   ///< R
  double energy;   ///< [J]
  double largest;  ///< no principal strain is larger
  double tension;  ///< τ [Pa]
} Strain;

/// Sets gradients and volume from the corners at rest (of all nodes, 3 numbers each).
void heft_tetrahedron_rest(Tetrahedron* t, const double* rest);
/// F for the places x of all nodes.
HeftMat3 heft_tetrahedron_gradient(const Tetrahedron* t, const double* x);
/// det F: volume over that at rest; not above 0: it is inverted.
double heft_tetrahedron_volume_ratio(const HeftMat3* f);
/// The strain of F; adds f_a to `force` (3 numbers per node), which may be NULL.
Strain heft_tetrahedron_strain(const Tetrahedron* t, const Elasticity* law, HeftMat3 f,
                               double* force);
/// scale K_ab + geometric V τ (k_a·k_b) 1 with the rotation `turn`, added to 9 numbers at 9 slot.
void heft_tetrahedron_add_stiffness(const Tetrahedron* t, const Elasticity* law,
                                    const HeftMat3* turn, double scale, double geometric,
                                    double* values);

/// The rotation that is nearest to F, also if F reflects.
HeftMat3 heft_nearest_rotation(HeftMat3 f);

#endif
