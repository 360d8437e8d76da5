// SPDX-License-Identifier: Apache-2.0
// A skin (skin.h): its vertices, its triangles, and where they are in a step.
#ifndef HEFT_SRC_COLLISION_SKIN_SHEET_H
#define HEFT_SRC_COLLISION_SKIN_SHEET_H

#include "collision/collider.h"
#include "collision/skin.h"

typedef struct Skin {
  int vertex_count;     ///< nodes of the deformable body, also those inside
  int triangle_count;   ///< of the surface
  int face;             ///< slot of the first vertex that has one: rules, material, margin
  double radius;        ///< around the triangles [m]
  int* slot;            ///< vertices: slot of the sphere, -1: none
  int* link;            ///< vertices: their link
  HeftVec3* in_link;    ///< vertices: place in the frame of the link
  HeftVec3* at;         ///< vertices: place in the world at the start of the step
  HeftVec3* shift;      ///< vertices: motion in the step as predicted
  Triangle* triangle;   ///< numbers of vertices and edges; normals are computed when needed
  int* across;          ///< triangles x 3: the triangle across each edge, -1: none
  int* apex;            ///< triangles: the vertex behind it
  uint8_t* touches;     ///< triangles: 1 if they take part
  TriangleMesh names;   ///< for the narrow phase: vertices with a sphere are inner ones
  TriangleMesh bare;    ///< the same, all vertices are corners
  Tree tree;            ///< boxes of the triangles in the world, with their motion
  int (*met)[2];        ///< scratch: pairs of eight triangles with all
  int* blocks;          ///< scratch of the same search
  double lo[3], hi[3];  ///< box of all
} Skin;

/// Room for the pairs of a call.
int heft_skin_pairs_room(const HeftModel* model);
/// The box of a skin and the motion of its vertices, at the places given last.
void heft_skin_place_box(const HeftCollider* c, Skin* skin);
/// The boxes of its triangles.
void heft_skin_place_triangles(const HeftCollider* c, Skin* skin);
/// The vertices of a named feature (HeftContactPoint.feature); returns how many, 0: it is none of a
/// skin.
int heft_skin_corners(const Skin* skin, uint32_t id, int out[3]);
/// The shares of the corners of such a feature in its point that is nearest to p.
void heft_skin_shares(const HeftVec3* corners, int count, HeftVec3 p, double out[3]);

/// Names of features of skins are marked, since the spheres of nodes have features, too.
#define SKIN_MARK ((uint32_t)1 << 29)

#endif
