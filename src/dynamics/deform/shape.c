// SPDX-License-Identifier: Apache-2.0
// How far a shape may be from another one; shape.h has the reasons.
#include "dynamics/deform/shape.h"

#include <math.h>

static const double largest_turn = 0.1;     // [rad], of a body that is not slender
static const double largest_strain = 0.15;  // of one whose stiffness is that at rest
static const double largest_growth = 1.25;  // of a volume
static const double largest_tension = 0.5;  // beyond that of the other shape, of µ

ShapeLimits heft_shape_limits(double slender) {
  return (ShapeLimits){.turn = fmin(largest_turn, 0.2 * slender),
                       .strain = fmin(largest_strain, 0.4 * slender * slender)};
}

// Rotations by the angle δ from each other have the distance² 8 sin²(δ/2), about 2 δ².
static double distance2(const HeftMat3* a, const HeftMat3* b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double d = a->m[i][j] - b->m[i][j];
      sum += d * d;
    }
  }
  return sum;
}

int heft_shape_near_rest(int count, const Strain* strain, const HeftMat3* turn,
                         const ShapeLimits* limits) {
  const double most = 2 * limits->turn * limits->turn;
  for (int e = 0; e < count; ++e) {
    const Strain* s = &strain[e];
    if (!(distance2(&s->turn, turn) <= most && s->largest <= limits->strain)) return 0;
  }
  return 1;
}

int heft_shape_near_other(int count, const Element* elements, const Strain* strain,
                          const HeftMat3* turn, const Strain* other, const ShapeLimits* limits) {
  const double most = 2 * limits->turn * limits->turn;
  for (int e = 0; e < count; ++e) {
    const Strain *s = &strain[e], *o = &other[e];
    const HeftMat3 there = heft_mat3_mul(*turn, o->turn);
    if (!(distance2(&s->turn, &there) <= most && s->largest <= o->largest + limits->strain &&
          s->ratio <= largest_growth * fmax(o->ratio, element_thinnest) &&
          s->tension <= o->tension + largest_tension * elements[e].law.mu &&
          (s->ratio >= element_thinnest || o->ratio < element_thinnest)))
      return 0;
  }
  return 1;
}
