// SPDX-License-Identifier: Apache-2.0
// Skins: the surface triangles of deformable bodies as shapes of the narrow phase.
//
// A skin is a sheet of triangles with a radius around it, solid below. Its corners move by
// themselves, so that a triangle has no pose: its three corners at a time s of the step are
// x(s) = x + s d. A point of a triangle is a sum of its corners with weights.
//
// The spheres of the nodes (builder_deformable.c) are the corners of the skin. So a contact point
// with a single corner is left to them, and planes, which meet nothing but corners, do not meet
// triangles. Two skins meet by a corner over a triangle or by two edges that cross; edges of a
// rigid shape meet edges, its corners and its round parts meet triangles.
//
// A shape that is below a triangle by less than half of the height of the tetrahedron behind it is
// pushed out again; deeper, it may as well be on the other side of the body.
#ifndef HEFT_SRC_COLLISION_SKIN_H
#define HEFT_SRC_COLLISION_SKIN_H

#include <heft/collision.h>

#include "base/arena.h"

/// The points of contact of one deformable body with its triangles, at most.
enum { SKIN_POINTS_MAX = 256 };

/// The nodes on which a side of a contact point acts, and their shares: point = Σ weight x.
typedef struct SkinSide {
  int link[3];  ///< 0: the world holds it, or there are fewer
  double weight[3];
} SkinSide;

/// Counts and fills the skins of a model; once with an arena that measures.
void heft_skins_make(HeftCollider* c, Arena* arena, Arena scratch);
size_t heft_skins_scratch(const HeftModel* model);
/// Room for contact points with the triangles of a deformable body, and of all of them.
int heft_skin_room(const HeftModel* model, int deformable);
int heft_skins_room(const HeftModel* model);
/// The places of all vertices, from the frames of links or the poses of bodies.
void heft_skins_place(HeftCollider* c, const double* link_frames, const HeftPose* bodies);
/// Adds the contact points of all triangles to the list of the collider.
void heft_skins_collide(HeftCollider* c);
/// Side 0 (shape b) or 1 (shape a) of a contact point, as a constraint counts them. Returns 0 if
/// this is no point of a skin.
int heft_skin_side(const HeftCollider* c, const HeftContactPoint* point, int side, SkinSide* out);

#endif
