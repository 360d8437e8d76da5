// SPDX-License-Identifier: Apache-2.0
// The surfaces of deformable bodies, for the proxy: triangles between nodes, as thick as the
// spheres of the nodes.
#ifndef HEFT_SRC_INTERACT_SKIN_H
#define HEFT_SRC_INTERACT_SKIN_H

#include <heft/model.h>

typedef struct Skin {
  const HeftModel* model;
  int* shape;  ///< ndeformable: the sphere of one of its nodes, -1: nothing touches the body
} Skin;

/// A point of a skin: the mean of three nodes.
typedef struct SkinPoint {
  int shape;         ///< -1: there is none within max_distance
  int corner[3];     ///< bodies of the nodes, that with the largest weight first
  double weight[3];  ///< of each, 0 to 1; their sum is 1
  HeftVec3 pos;      ///< on the surface [m]
  HeftVec3 normal;   ///< unit, outward
  double distance;   ///< to the surface, negative inside [m]
} SkinPoint;

/// Fills skin->shape.
void skin_find_shapes(const Skin* skin);
/// The point of all skins that is closest to a point, within max_distance [m]. poses: of all
/// bodies.
SkinPoint skin_closest(const Skin* skin, const HeftPose* poses, HeftVec3 point,
                       double max_distance);

#endif
