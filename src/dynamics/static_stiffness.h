// SPDX-License-Identifier: Apache-2.0
// How weight and wrenches that stay where they are resist a displacement of joints at rest.
#ifndef HEFT_SRC_DYNAMICS_STATIC_STIFFNESS_H
#define HEFT_SRC_DYNAMICS_STATIC_STIFFNESS_H

#include <heft/dynamics.h>

#include "base/arena.h"

typedef struct StaticSums StaticSums;

/// Scratch for a model.
StaticSums* heft_static_stiffness_place(Arena* arena, const HeftModel* model);
/// Adds the symmetric part of the derivatives of the joint forces that hold weight and wrenches of
/// heft_dynamics_add_wrench(), by the tangent coordinates of heft_q_integrate(), to the lower
/// triangle of a matrix with rows `stride` apart. place (nv): row of a dof, falling, or -1. Needs
/// the kinematics.
void heft_static_stiffness(StaticSums* sums, const HeftDynamics* dynamics, const int* place,
                           int stride, double* out);

#endif
