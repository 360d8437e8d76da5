// SPDX-License-Identifier: Apache-2.0
// Parts of scenes. Private to scenes/.
#ifndef HEFT_SCENES_PARTS_H
#define HEFT_SCENES_PARTS_H

#include "scenes.h"

#define DECLARE(name, text) void scene_build_##name(HeftBuilder* builder);
SCENE_LIST(DECLARE)
#undef DECLARE

/// Mass and inertia of a solid box with these half sizes.
static inline void set_box_inertia(HeftBodyDef* def, double mass, HeftVec3 half) {
  const double third = mass / 3;
  def->mass = mass;
  def->inertia = (HeftSym3){third * (half.y * half.y + half.z * half.z),
                            third * (half.x * half.x + half.z * half.z),
                            third * (half.x * half.x + half.y * half.y),
                            0,
                            0,
                            0};
}

#endif
