// SPDX-License-Identifier: Apache-2.0
// How far a deformable body may be from the shape whose stiffness it uses (deform.h).
//
// K of a shape, turned by R̄, serves others as long as H <= 2 K. Elements may turn by δ against the
// whole body, and their tensile strain may grow by ε. At rest that is all. Another shape may be
// compressed, so that its volumes, of which the cofactors of F follow, may grow by a quarter, its
// tension by half of µ, and no element enters the barrier.
#ifndef HEFT_SRC_DYNAMICS_DEFORM_SHAPE_H
#define HEFT_SRC_DYNAMICS_DEFORM_SHAPE_H

#include "dynamics/deform/element.h"

typedef struct ShapeLimits {
  double turn;    ///< δ [rad]
  double strain;  ///< ε
} ShapeLimits;

/// slender: thickness over length.
ShapeLimits heft_shape_limits(double slender);
/// 1 if the strain of all elements, in a body that has turned by `turn`, is near that at rest.
int heft_shape_near_rest(int count, const Strain* strain, const HeftMat3* turn,
                         const ShapeLimits* limits);
/// The same for the strain of another shape, in a body that has not turned.
int heft_shape_near_other(int count, const Element* elements, const Strain* strain,
                          const HeftMat3* turn, const Strain* other, const ShapeLimits* limits);

#endif
