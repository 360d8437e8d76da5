// SPDX-License-Identifier: Apache-2.0
/// @file draw.h
/// Debug drawing: edges of shapes, bounding boxes, contact points, islands.
///
/// A viewer fills in a HeftDraw with two functions. The functions below call them with lines and
/// points in the world's frame. They allocate nothing and store nothing.
#ifndef HEFT_DRAW_H
#define HEFT_DRAW_H

#include <heft/collision.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The functions of a viewer. Colours are 0xRRGGBBAA, positions are in the world's frame [m].
typedef struct HeftDraw {
  void (*line)(void* user, HeftVec3 from, HeftVec3 to, uint32_t color);  ///< a straight line
  void (*point)(void* user, HeftVec3 pos, uint32_t color);               ///< a dot
  void* user;  ///< passed to both, not owned
} HeftDraw;

/// Draws the edges of a shape, or rings around a round one. Shapes that do not collide are skipped.
HEFT_API void heft_draw_shape(const HeftDraw* draw, const HeftCollider* collider, int shape,
                              uint32_t color);
/// Draws all shapes that collide: static ones grey, moving ones in the colour of their island
/// (heft_collider_islands()). If islands is NULL, all moving ones are white.
/// [in] islands
HEFT_API void heft_draw_shapes(const HeftDraw* draw, const HeftCollider* collider,
                               const HeftIslands* islands);
/// Draws the bounding box of each moving shape, margins included, as the broad phase uses it.
HEFT_API void heft_draw_boxes(const HeftDraw* draw, const HeftCollider* collider, uint32_t color);
/// Draws each contact point, its normal (length `scale` [m], red if the shapes overlap, otherwise
/// green) and its first tangent (a third of that length, blue).
/// [in] contacts
HEFT_API void heft_draw_contacts(const HeftDraw* draw, const HeftContactPoints* contacts,
                                 double scale);

#ifdef __cplusplus
}
#endif
#endif
