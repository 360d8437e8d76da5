// SPDX-License-Identifier: Apache-2.0
// The solid that a mesh of any quality bounds: on a lattice, in a grid of cells, with distances.
#ifndef HEFT_SRC_IO_SOLID_H
#define HEFT_SRC_IO_SOLID_H

#include "io/lattice_hull.h"
#include "io/mesh.h"

/// The content of a cell of the grid.
typedef enum CellKind {
  CELL_INSIDE,   ///< nothing of the surface, and no way to the outside
  CELL_SURFACE,  ///< some of the surface, at least at its border
  CELL_OUTSIDE   ///< nothing of the surface, and a way to the outside through such cells
} CellKind;

/// A node of the tree over the triangles.
typedef struct SolidNode {
  int32_t min[3], max[3];
  int first, count;  ///< triangles in `order`; count 0: an inner node
  int child;         ///< first of two children, of an inner node
} SolidNode;

typedef struct Solid {
  Region* region;
  Effort* effort;
  double origin[3], step;  ///< a lattice point k is at origin + step k [m]
  int vertex_count, face_count;
  LatticePoint* vertices;
  const int* faces;     ///< of the mesh, x 3
  int cells[3];         ///< of the grid
  int cell;             ///< width of a cell [lattice units]
  int words;            ///< of 64 cells, for a row along x
  unsigned char* kind;  ///< CellKind, x fastest
  uint64_t* rows;       ///< bit x of row (y, z): the cell is not outside
  SolidNode* nodes;
  int node_count;
  int even;      ///< each edge belongs to an even number of triangles
  int balanced;  ///< each edge is used as often in both directions
  int* order;    ///< triangles, by leaves of the tree
} Solid;

/// Largest number of cells along an axis.
enum { SOLID_CELLS = 128 };

/// Makes the solid of a mesh with cells of about `width` [m]. Returns 1, 0 if the mesh has no
/// triangles, no size or coordinates that are not finite, or if the effort is spent; -1 without
/// memory.
int solid_make(Solid* solid, Region* region, Effort* effort, const Mesh* mesh, double width);

/// Distance of x [lattice units] from the surface, but at most `limit`; *face is the nearest
/// triangle, -1 if none is nearer.
double solid_distance(Solid* solid, const double x[3], double limit, int* face);
/// Distance of x from one triangle.
double solid_face_distance(const Solid* solid, int face, const double x[3]);
/// Whether x is a point of the solid: 1, 0, or -1 if that is unknown or the effort is spent.
int solid_contains(Solid* solid, const double x[3]);

static inline size_t solid_cell(const Solid* s, int x, int y, int z) {
  return ((size_t)z * (size_t)s->cells[1] + (size_t)y) * (size_t)s->cells[0] + (size_t)x;
}

#endif
