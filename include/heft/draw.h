// SPDX-License-Identifier: Apache-2.0
/// @file draw.h
/// Drawing for the eye that looks for errors: shapes as wires, bounding boxes, contacts, islands.
///
/// The library draws nothing itself. A viewer fills in a HeftDraw with two functions of its own,
/// and the functions below call them with lines and points in the world's frame. Nothing allocates,
/// and nothing is kept.
#ifndef HEFT_DRAW_H
#define HEFT_DRAW_H

#include <heft/collision.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Colours as 0xRRGGBBAA.
typedef struct HeftDraw {
  void (*line)(void* user, HeftVec3 from, HeftVec3 to, uint32_t color);
  void (*point)(void* user, HeftVec3 pos, uint32_t color);
  void* user;  ///< handed to both, not owned
} HeftDraw;

/// The edges of a shape that the collider knows, or rings around it; nothing for others.
HEFT_API void heft_draw_shape(const HeftDraw* draw, const HeftCollider* collider, int shape,
                              uint32_t color);
/// All of them: standing ones grey, moving ones in the colour of their island
/// (heft_collider_islands()). islands may be NULL: all moving ones are white then.
HEFT_API void heft_draw_shapes(const HeftDraw* draw, const HeftCollider* collider,
                               const HeftIslands* islands);
/// The box around each moving shape, margins included, as the broad phase sees it.
HEFT_API void heft_draw_boxes(const HeftDraw* draw, const HeftCollider* collider, uint32_t color);
/// Each contact: a point, its normal (length `scale` [m], red where the shapes overlap, green where
/// they are apart) and its first tangent (a third of that, blue).
HEFT_API void heft_draw_contacts(const HeftDraw* draw, const HeftContactPoints* contacts,
                                 double scale);

#ifdef __cplusplus
}
#endif
#endif
