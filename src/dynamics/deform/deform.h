// SPDX-License-Identifier: Apache-2.0
// The deformable bodies of a model in the step of an implicit scheme.
//
// In a step of the length h the nodes of a deformable body obey
//
//     A v⁺ = M v + h (f(x) + weight + ...) + Jᵀ r,     A = M + (h² + h β) K,     x⁺ = x + h v⁺
//
// with the elastic forces f of the present places, and viscosity β K. So a world needs the forces,
// products with A - M, and A⁻¹, also between single nodes for the contact problem: A is sparse, but
// A⁻¹ couples all nodes, which makes one body of them.
//
// Energy. With the elastic energy U, its second derivative H on the way from x to x⁺, and no
// outside forces, the scheme gives
//
//     T⁺ - T = v⁺·M (v⁺ - v) - |v⁺ - v|²_M / 2 = h f·v⁺ - (h² + hβ) v⁺·K v⁺ - |v⁺ - v|²_M / 2,
//     U⁺ - U <= -h f·v⁺ + h² v⁺·H v⁺ / 2,
//
// so energy is never gained if H <= 2 K. Which K to choose is thus free within a factor of two, and
// the statics do not depend on it, since a body at rest has v⁺ = 0.
//
// Near its rest shape. If every element (element.h) has turned like the whole body, R̄, but for δ,
// K = R̄ K₀ R̄ᵀ with the stiffness K₀ at rest: A is factored once, and A⁻¹ between nodes that
// may touch something is kept. In a slender body of thickness t and length l, with the turn δ
// bending stretches the body: H / K is 1 + 12 (δ l / t)², and with the tensile strain ε it is
// 1 + (12 / π²) ε (l / t)² of a string. δ <= 0.2 t / l and ε <= 0.4 (t / l)² keep both below 1.5;
// with ε <= 0.15 the cofactors of F stay near R.
//
// Otherwise K has the strain of each element and its geometric stiffness in a shape that the body
// took before, turned by R̄, as long as the present one is near that (shape.h); else the present
// shape is taken and A is factored. The places of that shape are part of the state of a world, so
// that a restored snapshot goes on with the same bits.
//
// Bonds. A link may hold nodes. These have no unknowns: their masses belong to the link, and they
// move with its twist t, v_b = B t. With f for the other nodes and N for the link's tree, whose
// velocities v_N give t = J v_N, the step has the matrix
//
//     [ A_ff    P J          ]      P = (h² + hβ) K_fb B,
//     [ JᵀPᵀ    M_N + Jᵀ G J ]      G = Bᵀ (h² + hβ) K_bb B.
//
// The nodes are eliminated, W = A_ff⁻¹ P: the tree is left with M_N + Jᵀ C J, C = G - Pᵀ W. Only
// the dofs before the link meet in JᵀCJ, so the factor of the tree has no new numbers. Then
// v_f = A_ff⁻¹ r_f - W t: a force n on node a acts on the link by the wrench -W_aᵀ n, and
// A⁻¹ between the nodes a and b is (A_ff⁻¹)_ab + W_a J (M_N + JᵀCJ)⁻¹ Jᵀ W_bᵀ. Here R̄ is the turn
// of the link, in whose axes P, W and C are constant near the rest shape. Nothing else changes: H
// and K have one more factor B on both sides, and B changes in a step by h |ω| at most.
#ifndef HEFT_SRC_DEFORM_DEFORM_H
#define HEFT_SRC_DEFORM_DEFORM_H

#include <heft/model.h>

#include "base/pool.h"

/// All deformable bodies of a model. Numbers along dofs belong to the slides of its nodes.
typedef struct Deform Deform;

/// *out is NULL if the model has no deformable body, and on failure.
HeftStatus heft_deform_create(Deform** out, const HeftModel* model, const HeftAllocator* allocator,
                              HeftError* error);
void heft_deform_destroy(Deform* deform);
/// Factors A of the rest shape for steps of the length h, and finds A⁻¹ between the nodes that may
/// touch something, so that the first steps need not.
void heft_deform_prepare(Deform* deform, double h);
/// Threads share the work from now on; NULL: none. The bits stay the same.
void heft_deform_use_pool(Deform* deform, HeftPool* pool);
/// Reads the masses of the model again.
void heft_deform_refresh(Deform* deform);

/// The node that represents the link that holds nodes of the deformable body d: its body has the
/// pose of the bond. -1: no link holds any.
int heft_deform_bond_body(const Deform* deform, int d);

/// Motions (angular, linear at the bond's origin) and wrenches (moment about it, force) of the
/// links that hold nodes, along the axes of the world: one for each deformable body.
typedef struct BondVector {
  double x[6];
} BondVector;

/// Forces and energy at the coordinates q, with the bonds at their poses (one for each deformable
/// body). Does nothing if these equal the last call's.
void heft_deform_evaluate(Deform* deform, const double* q, const HeftPose* bonds);
/// Number of tetrahedra that are inverted there; *d: the deformable body with the most, -1: none.
int heft_deform_inverted(const Deform* deform, int* d);
/// The elastic energy there [J].
double heft_deform_energy(const Deform* deform);
/// The elastic energy at other coordinates; the forces stay as they are.
double heft_deform_energy_at(const Deform* deform, const double* q, const HeftPose* bonds);
/// A for a step of the length h, at the places of heft_deform_evaluate(). From now on until
/// heft_deform_end() heft_deform_solve() uses it. Returns 1 if A has no factor.
int heft_deform_begin(Deform* deform, double h);
void heft_deform_end(Deform* deform);
/// The places of the shapes whose factors are kept: what steps depend on beside the coordinates.
double* heft_deform_shapes(const Deform* deform, size_t* count);
/// Forgets them.
void heft_deform_forget(Deform* deform);
/// 1 between the two.
int heft_deform_acts(const Deform* deform);
/// C (6 x 6) of the deformable body d, as BondVector has its numbers.
void heft_deform_bond_matrix(const Deform* deform, int d, double out[36]);

/// force += f - (h + β) K v (nv), and the same for the links: wrench = ....
void heft_deform_add_force(Deform* deform, const double* v, const BondVector* twist, double* force,
                           BondVector* wrench);
/// The work of the elastic impulses h f - (h² + h β) K v⁺ along w [J].
double heft_deform_work(Deform* deform, const double* v, const BondVector* twist, const double* w,
                        const BondVector* along);
/// Computes A_ff⁻¹ x for the dofs of nodes, apart from x (nv), and the wrench -Wᵀ x on links ...
void heft_deform_solve(Deform* deform, const double* x, BondVector* wrench);
/// ... and, with the twists of the links, writes the solution there.
void heft_deform_write(const Deform* deform, const BondVector* twist, double* x);

/// The target of a row of the contact problem: a node along a direction in the world, or the sum
/// of up to three nodes with weights, or (-1) nothing.
typedef struct NodeRow {
  int node[3];  ///< counted from the first node of its body; the others are -1
  int end;      ///< set by heft_deform_delassus()
  double weight[3];
  double direction[3];
} NodeRow;
/// The node that a body is in the deformable body d, -1: none.
int heft_deform_node(const Deform* deform, int d, int body);
/// The row of a dof.
NodeRow heft_deform_dof_row(const Deform* deform, int d, int dof);
/// The wrench on the link of a unit force along a row.
BondVector heft_deform_bond_row(const Deform* deform, int d, const NodeRow* row);
/// out (6 count)², row-major, symmetric: adds d_a · (A_ff⁻¹)_ab d_b for the rows of `count`
/// effectors of six rows each. The rows of one effector act on one node or on several; nodes and
/// directions are changed.
void heft_deform_delassus(Deform* deform, int d, int count, NodeRow* rows, double* out);

#endif
