// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of contact points, for the models that use them.
#ifndef HEFT_SRC_WORLD_MODELS_SPRING_H
#define HEFT_SRC_WORLD_MODELS_SPRING_H

#include "world/models/contact_model.h"

typedef struct Spring {
  double k, c;  ///< [N/m, N s/m]
} Spring;

/// A spring and a damper; where k or c is negative, one that steps of length h are stable with at
/// this mobility [1/kg].
Spring heft_spring_choose(double k, double c, double mobility, double h);
/// Friction [N] of a contact point with the normal force n, along its two tangents.
void heft_spring_friction(const ModelTask* task, int contact, double n, double mobility,
                          double out[2]);

#endif
