// SPDX-License-Identifier: Apache-2.0
// The narrow phase: contact points of two shapes. One function per pair of kinds that has a closed
// form, one for all other convex pairs, one for triangle meshes.
#ifndef HEFT_SRC_COLLISION_NARROW_H
#define HEFT_SRC_COLLISION_NARROW_H

#include "collision/manifold.h"
#include "collision/nearness.h"
#include "collision/triangle_mesh.h"

/// A direction that separated two shapes in their last test, from a to b in the frame of a. It
/// saves time and never changes a result: if it does not separate them now, the full test runs.
typedef struct SeparatingAxis {
  uint64_t key;  ///< of the pair it belongs to; 0 if none
  HeftVec3 axis;
} SeparatingAxis;

/// The gap of a vertex at hand (distance_shape.c). The array also lists blocks of triangles.
typedef struct VertexGap {
  double gap;   ///< infinite between calls
  int blocked;  ///< a neighbour is deeper
  int block;    ///< entry of the list: the first place of a block in the tree of the mesh
} VertexGap;

typedef struct NarrowScratch {
  EpaScratch epa;
  Candidates candidates;
  VertexGap* vertex_gap;  ///< heft_distance_gaps_max(); NULL: none, which is slower
  SeparatingAxis*
      separating_axis;  ///< the place for the pair at hand, or NULL; it may hold another pair
  uint64_t separating_axis_key;  ///< of the pair at hand
} NarrowScratch;

/// Contact points of a and b within margin, at most `most` (4 or 8; for triangle meshes, per flat
/// region). Points and normals in a's frame, normals from a to b. Never fails; planes do not meet
/// planes.
void heft_narrow(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double margin,
                 int max, NarrowScratch* scratch, Manifold* out);

// Pairs with a closed form. Each writes candidates; a's kind is the lower one.
void heft_plane_sphere(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                       Candidates* out);
void heft_plane_capsule(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        Candidates* out);
void heft_plane_cylinder(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                         Candidates* out);
void heft_plane_ellipsoid(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                          Candidates* out);
void heft_plane_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                    Candidates* out);
void heft_plane_hull(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                     Candidates* out);
void heft_sphere_convex(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        Candidates* out);
void heft_capsule_capsule(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                          Candidates* out);
/// Reduces its polygon itself, to at most `most` points.
void heft_box_box(const Geometry* a, const Geometry* b, const HeftPose* x, double margin, int max,
                  NarrowScratch* scratch, Candidates* out);
/// Any two convex shapes.
void heft_convex_convex(const Geometry* a, const Geometry* b, const HeftPose* x, double margin,
                        NarrowScratch* scratch, Candidates* out);
/// a convex, b a triangle mesh.
void heft_convex_triangle_mesh(const Geometry* a, const Geometry* b, const HeftPose* x,
                               double margin, int max, NarrowScratch* scratch, Manifold* out);

/// A triangle of a surface that deforms, at one moment (skin.c). `triangle` has its normals then.
typedef struct Facet {
  const TriangleMesh* mesh;  ///< of which vertices are inner ones
  Triangle triangle;
  HeftVec3 corner[3];
  double reach;  ///< a shape that is farther below the triangle is on the other side [m]
} Facet;
/// a convex, or the triangle of the facet `own`, and the facet b; all in one frame.
void heft_convex_facet(const Geometry* a, const Facet* own, const Facet* b, double margin, int max,
                       NarrowScratch* scratch, Manifold* out);
/// A triangle as a convex shape, which refers to the corners.
Geometry heft_triangle_geometry(const HeftVec3 corner[3]);

/// Two triangle meshes; b is the height field if one of them is.
void heft_mesh_mesh(const Geometry* a, const Geometry* b, const HeftPose* x, double margin, int max,
                    NarrowScratch* scratch, Manifold* out);
/// A plane, and b a triangle mesh.
void heft_plane_mesh(const Geometry* b, const HeftPose* x, double margin, int max,
                     NarrowScratch* scratch, Manifold* out);

/// The point of a shape's surface closest to p (both in its frame), the outward normal there, and
/// the signed distance (negative inside). For a sphere, capsule, cylinder, ellipsoid, box, hull or
/// plane.
double heft_geometry_closest(const Geometry* g, HeftVec3 p, HeftVec3* on_surface, HeftVec3* normal);

#endif
