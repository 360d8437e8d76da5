// SPDX-License-Identifier: Apache-2.0
// The data of a shape for the narrow phase: its kind, its size, and for hulls and meshes the lists
// of corners, faces and edges. Everything is constant, in the shape's own frame, centred as in the
// model: capsule and cylinder along z, plane z = 0 with its solid below.
//
// A geometry is a *core* with a *radius* around it: a sphere is a point, a capsule a segment; all
// others are their own core with radius zero. Distances between cores, less the radii, are exact,
// and rounded shapes stay away from the harder case of cores that overlap.
#ifndef HEFT_SRC_COLLISION_GEOMETRY_H
#define HEFT_SRC_COLLISION_GEOMETRY_H

#include <heft/math.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum Kind {
  KIND_PLANE,
  KIND_SPHERE,
  KIND_CAPSULE,
  KIND_CYLINDER,
  KIND_ELLIPSOID,
  KIND_BOX,
  KIND_HULL,      ///< convex polyhedron
  KIND_TRIANGLE,  ///< a hull of three corners; the narrow phase makes it from a mesh's triangle
  KIND_TRIANGLE_MESH,  ///< triangles, not convex: mesh or height field
  KIND_FIELD,          ///< a signed distance, not convex, with triangles that approximate it
  KIND_COUNT
} Kind;

/// Directions by the side of a cube they pass and a grid of cells on it.
enum { COMPASS_GRID = 12, COMPASS = 6 * COMPASS_GRID * COMPASS_GRID };
/// Such a grid, finer, for the normals of hulls with many faces.
enum { NORMAL_GRID = 8, NORMAL_CELLS = 6 * NORMAL_GRID * NORMAL_GRID, NORMALS_FROM = 128 };

/// The normals of a hull, sorted by their direction. The normals of a cell lie in a ball.
typedef struct NormalMap {
  int first[NORMAL_CELLS + 1];                                  ///< normals of a cell
  double cx[NORMAL_CELLS], cy[NORMAL_CELLS], cz[NORMAL_CELLS];  ///< centre of its ball
  double radius[NORMAL_CELLS];                                  ///< -inf if it is empty
  double lowest[NORMAL_CELLS];                                  ///< lowest offset in it
  double *nx, *ny, *nz, *offset;
  int* face;
} NormalMap;

/// A convex polyhedron. Faces are polygons, counter-clockwise from outside.
typedef struct Hull {
  int vertex_count, face_count, edge_count, loop_count;
  int vertex_padded;     ///< vertex_count rounded up to 8
  double *x, *y, *z;     ///< vertex_padded; padding repeats the last vertex
  double *nx, *ny, *nz;  ///< face_count, rounded up to 8: outward unit normals; padding is zero
  double* offset;        ///< face_count, rounded up to 8: normal · point; padding is +inf
  int* face_loop;        ///< face_count + 1: first entry in loop_vertex and loop_edge
  int* loop_vertex;      ///< corners of each face in order
  int* loop_edge;        ///< edge from this corner to the next, counted over the hull
  int* neighbour_first;  ///< vertex_count + 1
  int* neighbour;        ///< vertices that share an edge
  int compass[COMPASS];  ///< the farthest vertex in the middle direction of each cell
  HeftVec3 center;       ///< mean of the vertices, inside
  NormalMap* normals;    ///< NULL: there are few faces
} Hull;

struct TriangleMesh;
struct DistanceShape;

/// 1 for shapes that triangles describe, which have no support points: meshes, height fields and
/// distance shapes.
static inline int kind_has_triangles(Kind kind) { return kind >= KIND_TRIANGLE_MESH; }

/// 1 for pairs with a distance shape, of two meshes, and of a mesh and a plane: neither shape is
/// convex and bounded, and only their contact points show how far they are apart.
static inline int kinds_are_hollow(Kind a, Kind b) {
  const Kind low = a < b ? a : b, high = a < b ? b : a;
  return high == KIND_FIELD ||
         (high == KIND_TRIANGLE_MESH && (low == KIND_PLANE || low == KIND_TRIANGLE_MESH));
}

typedef struct Geometry {
  Kind kind;
  double size[3];                            ///< as HeftModel.shape_size
  double radius;                             ///< around the core
  const Hull* hull;                          ///< KIND_HULL
  const struct TriangleMesh* triangle_mesh;  ///< KIND_TRIANGLE_MESH, KIND_FIELD
  const struct DistanceShape* distance;      ///< KIND_FIELD
  const HeftVec3* corner;                    ///< KIND_TRIANGLE: three
  HeftVec3 center;                           ///< middle of the bounding box, in the shape's frame
  HeftVec3 half;  ///< half sizes of the bounding box; infinite for a plane
} Geometry;

enum { FEATURE_MAX = 64 };

/// A face (3 or more corners), an edge (2) or a corner (1) of a geometry's core.
typedef struct Feature {
  int count;
  HeftVec3 normal;  ///< outward, of a face
  HeftVec3 corner[FEATURE_MAX];
  int corner_id[FEATURE_MAX];
  int edge_id[FEATURE_MAX];  ///< edge from this corner to the next
  int face_id;
} Feature;

/// The core's farthest point in direction d (any length), in the shape's frame. For planes and
/// triangle meshes there is none.
HeftVec3 heft_geometry_support(const Geometry* g, HeftVec3 d);
/// As above; *vertex holds a vertex to start from (0 at first) and receives the one found.
HeftVec3 heft_geometry_support_from(const Geometry* g, HeftVec3 d, int* vertex);

/// The face, edge or corner that looks in the direction n (unit) the most.
void heft_geometry_feature(const Geometry* g, HeftVec3 n, Feature* out);

/// Sets center and half from the other members.
void heft_geometry_bound(Geometry* g);
/// 1 if the surface has curved parts (ellipsoid, cylinder).
int heft_geometry_is_smooth(const Geometry* g);

/// A hull from its corners (count x 3) and triangles (counter-clockwise from outside); triangles in
/// one plane become one face. Memory is taken from the arena; run once with an arena that measures
/// and scratch, once with memory. Returns NULL if it does not fit or is no closed surface.
Hull* heft_hull_make(Arena* arena, Arena scratch, int vertex_count, const double* vertices,
                     int triangle_count, const int* triangles);
/// The vertex farthest along d, by way of neighbours from another one.
int heft_hull_climb(const Hull* hull, HeftVec3 d, int start);
/// The face above whose plane p is highest.
int heft_hull_outermost(const Hull* hull, HeftVec3 p);
/// The cell of a direction in a grid of grid² cells on each side of a cube.
static inline int direction_cell(HeftVec3 d, int grid) {
  const double a[3] = {fabs(d.x), fabs(d.y), fabs(d.z)}, c[3] = {d.x, d.y, d.z};
  const int k = a[0] >= a[1] && a[0] >= a[2] ? 0 : (a[1] >= a[2] ? 1 : 2);
  if (!(a[k] > 0)) return 0;
  const double u = c[(k + 1) % 3] / a[k], v = c[(k + 2) % 3] / a[k];
  int i = (int)((u + 1) * (0.5 * grid)), j = (int)((v + 1) * (0.5 * grid));
  i = i < grid ? i : grid - 1;
  j = j < grid ? j : grid - 1;
  return ((2 * k + (c[k] > 0)) * grid + i) * grid + j;
}

/// Scratch needed by heft_hull_make() for so many triangles [bytes].
size_t heft_hull_scratch(int vertex_count, int triangle_count);

#endif
