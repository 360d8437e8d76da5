// SPDX-License-Identifier: Apache-2.0
// One element of an elastic solid: a tetrahedron, or a patch of several (patches.h).
//
// Its deformation gradient is F = Σ x_a g_aᵀ with the corners x_a. In a tetrahedron g_a is the
// gradient of the linear function that is 1 at corner a and 0 at the others; in a patch it is the
// mean of these over the volume. With the rotation R nearest to F and J = det F, the energy per
// volume is
//
//     ψ = µ |F - R|² + λ/2 (J - 1)² + b/2 min(0, J - 0.3)²
//     P = ∂ψ/∂F = 2 µ (F - R) + p C,     p = λ (J - 1) + b min(0, J - 0.3),     f_a = -V P g_a
//
// with the cofactors C = ∂J/∂F. The last term is a barrier: b is ten times Young's modulus in
// tetrahedra, so that they do not become flat. R has no share in P, since ψ is least at it: the
// force is the exact gradient of the energy, at any F, also if it reflects. For small strain this
// is linear elasticity; rotations have no force; λ resists a change of the true volume, not of the
// trace of the strain.
//
// Stiffness. With R and C held, the second derivative in the directions u_a, w_b is u_a·K_ab w_b,
//
//     K_ab = V (µ (k_a·k_b) 1 + µ k_b k_aᵀ + λ c_a c_bᵀ),      k_a = R g_a,  c_a = C g_a,
//
// with λ + b for λ where the barrier acts. R and C add to it at most V τ (k_a·k_b) 1, where τ is
// the largest principal value of the stress if that is a tension. Under a pressure -p beyond µ,
// shear has the second derivative -p ∂²J/∂F² beside 2 µ, and τ is at least -p - µ. No singular
// value of ∂²J/∂F² is larger than the largest one of F.
#ifndef HEFT_SRC_DEFORM_ELEMENT_H
#define HEFT_SRC_DEFORM_ELEMENT_H

#include <heft/math.h>

enum { ELEMENT_NODES_MAX = 18 };
/// J below which the barrier acts.
static const double element_thinnest = 0.3;

/// Lamé's numbers and b [Pa].
typedef struct Elasticity {
  double mu, lambda, barrier;
} Elasticity;

typedef struct Element {
  int count;              ///< corners, 4 to ELEMENT_NODES_MAX
  int* node;              ///< (count)
  int* slot;              ///< where K_ab is in the matrix, [count a + b]; -1: a or b does not move
  double (*gradient)[3];  ///< (count)
  double volume;
  Elasticity law;  ///< its part of the law of the solid
} Element;

/// An element as it is now.
typedef struct Strain {
  HeftMat3 turn;       ///< R
  HeftMat3 cofactors;  ///< C
  double energy;       ///< [J]
  double largest;      ///< no principal strain is larger
  double tension;      ///< τ [Pa]
  double ratio;        ///< J: volume over that at rest; not above 0: it is inverted
} Strain;

/// At rest, where R and C are 1.
Strain heft_strain_at_rest(void);
/// Sets gradients and volume of a tetrahedron from the corners at rest (3 numbers per node).
void heft_element_tetrahedron(Element* e, const double* rest);
/// F, the strain and (may be NULL) V P of up to STRAINS elements that follow each other.
enum { STRAINS = 4 };
void heft_elements_strain(int count, const Element* elements, const double* x, HeftMat3* gradient,
                          Strain* out, HeftMat3* stress);
/// scale K_ab + geometric V τ (k_a·k_b) 1 for all b: 9 numbers at 9 b.
void heft_element_stiffness(const Element* e, const Strain* s, int a, double scale,
                            double geometric, double* values);

/// The rotation that is nearest to F, also if F reflects.
HeftMat3 heft_nearest_rotation(HeftMat3 f);

#endif
