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
// Energy. Let U be the elastic energy and H its second derivative on the way from x to x⁺. From the
// scheme, without outside forces,
//
//     T⁺ - T = v⁺·M (v⁺ - v) - |v⁺ - v|²_M / 2 = h f·v⁺ - (h² + hβ) v⁺·K v⁺ - |v⁺ - v|²_M / 2,
//     U⁺ - U <= -h f·v⁺ + h² v⁺·H v⁺ / 2,
//
// so energy is never gained if H <= 2 K. Which K to choose is thus free within a factor of two, and
// the statics do not depend on it, since a body at rest has v⁺ = 0.
//
// Near its rest shape. If every tetrahedron has turned like the whole body, R̄, but for the angle δ,
// K = R̄ K₀ R̄ᵀ with the stiffness K₀ at rest: A is factored once, and columns of A⁻¹ between nodes
// that touch something are kept. In a slender body of thickness t and length l, the turn δ lets
// bending stretch the body: H / K is 1 + 12 (δ l / t)², and with the tensile strain ε it is
// 1 + (12 / π²) ε (l / t)² of a string. δ <= 0.2 t / l and ε <= 0.4 (t / l)² keep both below 1.5.
// Otherwise K has the rotation of each tetrahedron and its geometric stiffness, and A is factored
// in every step. Which of them applies depends on the places alone, so that a restored snapshot
// goes on with the same bits.
#ifndef HEFT_SRC_DEFORM_DEFORM_H
#define HEFT_SRC_DEFORM_DEFORM_H

#include <heft/model.h>

/// All deformable bodies of a model. Numbers along dofs are those of the slides of its nodes.
typedef struct Deform Deform;

/// *out is NULL if the model has no deformable body, and on failure.
HeftStatus heft_deform_create(Deform** out, const HeftModel* model, const HeftAllocator* allocator,
                              HeftError* error);
void heft_deform_destroy(Deform* deform);
/// Reads the masses of the model again.
void heft_deform_refresh(Deform* deform);

/// Forces and energy at the coordinates q. Does nothing if these are those of the last call.
void heft_deform_evaluate(Deform* deform, const double* q);
/// The elastic energy there [J].
double heft_deform_energy(const Deform* deform);
/// The elastic energy at other coordinates; the forces stay as they are.
double heft_deform_energy_at(const Deform* deform, const double* q);
/// A for a step of the length h, at the places of heft_deform_evaluate(). From now on until
/// heft_deform_end() heft_deform_solve() uses it. Returns 1 if A has no factor.
int heft_deform_begin(Deform* deform, double h);
void heft_deform_end(Deform* deform);
/// 1 between the two.
int heft_deform_acts(const Deform* deform);

/// force += f - (h + β) K v (nv).
void heft_deform_add_force(Deform* deform, const double* v, double* force);
/// The work of the elastic impulses h f - (h² + h β) K v⁺ along w [J].
double heft_deform_work(Deform* deform, const double* v, const double* w);
/// Computes A⁻¹ x for the dofs of deformable bodies, apart from x (nv) ...
void heft_deform_solve(Deform* deform, const double* x);
/// ... and writes it there.
void heft_deform_write(const Deform* deform, double* x);

/// What a row of the contact problem acts on: a node along a direction in the world, or (-1)
/// nothing.
typedef struct NodeRow {
  int node;  ///< counted from the first node of its body
  double direction[3];
} NodeRow;
/// The node that a body is in the deformable body d, -1: none.
int heft_deform_node(const Deform* deform, int d, int body);
/// The row of a dof.
NodeRow heft_deform_dof_row(const Deform* deform, int d, int dof);
/// out (6 count)², row-major, symmetric: d_a · (A⁻¹)_ab d_b for the rows of `count` effectors of
/// six rows each. The rows of one effector act on one node or on several.
void heft_deform_delassus(Deform* deform, int d, int count, const NodeRow* rows, double* out);
/// How a deformable body was treated in the last step: 1 if A was that of its rest shape.
int heft_deform_is_near(const Deform* deform, int d);

#endif
