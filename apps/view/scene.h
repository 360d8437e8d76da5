// SPDX-License-Identifier: Apache-2.0
// The items of a model to draw: one per shape, and one per deformable body.
#ifndef HEFT_APPS_VIEW_SCENE_H
#define HEFT_APPS_VIEW_SCENE_H

#include <heft/view.h>

#include "view/geometry.h"
#include "view/surface.h"

typedef enum PatternKind {
  PATTERN_NONE,
  PATTERN_FLAT,
  PATTERN_CHECKER,
  PATTERN_GRADIENT,
  PATTERN_IMAGE,
  PATTERN_GRID
} PatternKind;

/// The pattern of a surface, computed in the shader from the position on the shape.
typedef struct Pattern {
  PatternKind kind;
  int cube;    ///< 1: projected from six sides, 0: from above
  int placed;  ///< 1: by the texture coordinates of a mesh
  int mark;    ///< HeftTextureMark
  float a[3], b[3], mark_color[3];
  float repeat[2];  ///< per metre, or with cube over the whole shape
  int texture;      ///< of the model
} Pattern;

typedef struct Item {
  Part part;
  int shape, body, plane;  ///< shape: -1 for a deformable body, whose items are behind the others
  const Surface* surface;  ///< of a deformable body, whose part is in the world; NULL: a shape
  int group, collides, moves;
  int carries;       ///< a body that moves hangs on its body
  HeftPose local;    ///< in the body's frame
  HeftVec3 stretch;  ///< planes are one square, stretched
  float color[4];
  float light[4];  ///< emission, specular, shininess, reflectance
  Pattern pattern;
} Item;

/// The meshes of marks.
typedef struct MarkParts {
  Part sphere, rod, cone, funnel;
} MarkParts;

typedef struct Scene {
  HeftAllocator allocator;
  const HeftModel* model;
  HeftPose* start;        ///< of the bodies in the pose of the file (nbody)
  unsigned char* shaped;  ///< 1: the body has shapes (nbody)
  Solids solids;
  ViewList items;     ///< Item
  Surface* surfaces;  ///< of the deformable bodies (ndeformable)
  MarkParts marks;
  Part square;
  int has_floor;
  float zenith[3], horizon[3];
  int has_sky;
} Scene;

HeftStatus scene_make(Scene* scene, const HeftModel* model, const HeftAllocator* allocator,
                      HeftError* error);
void scene_free(Scene* scene);
/// Moves the surfaces of deformable bodies to the poses of the bodies.
void scene_follow(Scene* scene, const HeftPose* poses);
/// A sphere around the drawn items; only moving ones if only_moving. Radius 0: no items.
double scene_bounds(const Scene* scene, const HeftPose* poses, unsigned groups, int only_moving,
                    HeftVec3* center);
/// scene_bounds() for shapes of bodies that move, and for bodies that move and have no shape.
double scene_body_bounds(const Scene* scene, const HeftPose* poses, unsigned groups,
                         HeftVec3* center);
/// 1 if planes are upright, which hide what is behind them.
int scene_has_walls(const Scene* scene);
/// Half sizes of an item's box.
HeftVec3 item_half(const Item* item);

#endif
