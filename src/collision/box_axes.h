// SPDX-License-Identifier: Apache-2.0
// The fifteen candidate separating axes of two boxes.
#ifndef HEFT_SRC_COLLISION_BOX_AXES_H
#define HEFT_SRC_COLLISION_BOX_AXES_H

#include <heft/math.h>

typedef struct BoxAxes {
  int face;           ///< the best of the face normals: 0 to 2 of a, 3 to 5 of b
  int back;           ///< 1 if b lies on its negative side
  double separation;  ///< along it; negative: depth
  unsigned edges;     ///< bit 4 i + j: the axis e_i × r_j is better by more than the bias
} BoxAxes;

/// Boxes with these half sizes; b's middle lies at `pos`, turned by `rot`, as seen from a. A later
/// axis is better if it has them apart by `bias` more than the best before it, an edge only if also
/// by more than `least`. Returns 0 if they are farther apart than the margin along the normal of a
/// face; then nothing is written.
int heft_box_axes(const double half_a[3], const double half_b[3], const HeftMat3* rot, HeftVec3 pos,
                  double margin, double bias, double min, BoxAxes* out);

#endif
