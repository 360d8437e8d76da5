// SPDX-License-Identifier: Apache-2.0
// The lights of a model, where they are at a moment.
#ifndef HEFT_APPS_VIEW_LAMPS_H
#define HEFT_APPS_VIEW_LAMPS_H

#include <heft/model.h>

enum { LAMPS_MAX = 4 };

typedef struct Lamp {
  int parallel;  ///< 1: the same rays everywhere
  HeftVec3 at;   ///< where it is, or with parallel rays the way to it
  HeftVec3 dir;  ///< its rays
  float color[3], gloss[3], ambient[3];
  float fall[3];  ///< constant, linear, quadratic
  double rim;     ///< cosine of the half opening angle; -2: shines all around
  double exponent;
  int shadow;
} Lamp;

/// The lights that are on, the one that casts the shadow first. start: the bodies in the described
/// pose. Returns how many.
int lamps_of(const HeftModel* model, const HeftPose* start, const HeftPose* poses, Lamp* lamps);

#endif
