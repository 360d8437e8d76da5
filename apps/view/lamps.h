// SPDX-License-Identifier: Apache-2.0
// The lights of a model, at their current positions.
#ifndef HEFT_APPS_VIEW_LAMPS_H
#define HEFT_APPS_VIEW_LAMPS_H

#include <heft/model.h>

enum { LAMPS_MAX = 4 };

typedef struct Lamp {
  int parallel;  ///< 1: the same rays everywhere
  HeftVec3 at;   ///< position, or for parallel rays the direction to the light
  HeftVec3 dir;  ///< direction of the rays
  float color[3], gloss[3], ambient[3];
  float fall[3];  ///< constant, linear, quadratic
  double rim;     ///< cosine of the half opening angle; -2: in all directions
  double exponent;
  int shadow;
} Lamp;

/// The active lights, the one that casts the shadow first. start: the bodies in the pose of the
/// file. Returns their number.
int lamps_of(const HeftModel* model, const HeftPose* start, const HeftPose* poses, Lamp* lamps);

#endif
