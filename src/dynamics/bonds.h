// SPDX-License-Identifier: Apache-2.0
// Links that hold nodes of deformable bodies (deform/deform.h): between the twists of these links
// and the dofs of their trees.
#ifndef HEFT_SRC_DYNAMICS_BONDS_H
#define HEFT_SRC_DYNAMICS_BONDS_H

#include "dynamics/workspace.h"

/// The functions below need a model with deformable bodies.

/// heft_deform_evaluate() at the coordinates q of the last kinematics.
void heft_bonds_evaluate(HeftDynamics* dynamics, const double* q);
/// The elastic energy at the coordinates q. The kinematics are at q then.
double heft_bonds_energy_at(HeftDynamics* dynamics, const double* q);
/// heft_deform_add_force() and heft_deform_work() with the links that hold nodes.
void heft_bonds_add_force(HeftDynamics* dynamics, const double* v, double* force);
double heft_bonds_work(HeftDynamics* dynamics, const double* v, const double* w);
/// Adds JᵀCJ to the rows of M̂, before these are factored.
void heft_bonds_stiffen(HeftDynamics* dynamics);
/// x := what the trees have to solve if x is on the right ...
void heft_bonds_reduce(const HeftDynamics* dynamics, double* x);
/// ... and, when they have, the velocities of the nodes.
void heft_bonds_expand(const HeftDynamics* dynamics, double* x);
/// The wrench on the link that holds nodes of the deformable body d of a unit force along a row,
/// at the origin of the link's tree.
Pair heft_bonds_row(const HeftDynamics* dynamics, int d, const NodeRow* row);

#endif
