// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of contact points, for the models that use them.
#ifndef HEFT_SRC_WORLD_MODELS_SPRING_H
#define HEFT_SRC_WORLD_MODELS_SPRING_H

#include "world/models/contact_model.h"

typedef struct Spring {
  double k, c;  ///< [N/m, N s/m]
} Spring;

/// A contact point that presses into a surface.
typedef struct SpringPoint {
  double k, c;  ///< [N/m or N/m^p, N s/m or s/m]; negative: usual for this mobility and step
  double exponent, restitution;  ///< p, e
  double mobility, h;            ///< [1/kg, s]
} SpringPoint;

/// Normal force [N] by a law, at a depth d and its rate [m, m/s]; never negative.
double heft_spring_normal(HeftPenaltyLaw law, const SpringPoint* point, double d, double rate);
/// A spring and a damper; where k or c is negative, one that steps of length h are stable with at
/// this mobility [1/kg].
Spring heft_spring_choose(double k, double c, double mobility, double h);
/// Friction [N] of a contact point with the normal force n, along its two tangents.
void heft_spring_friction(const ModelTask* task, int contact, double n, double mobility,
                          double out[2]);

#endif
