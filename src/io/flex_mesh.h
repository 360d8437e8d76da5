// SPDX-License-Identifier: Apache-2.0
// Tetrahedra of the solids that MJCF describes by a few numbers (<flexcomp>), with the numbers that
// MuJoCo gives to their vertices. All arrays are in memory of the load.
#ifndef HEFT_SRC_IO_FLEX_MESH_H
#define HEFT_SRC_IO_FLEX_MESH_H

#include <heft/deform.h>

#include "io/mesh.h"

typedef enum FlexType {
  FLEX_GRID,
  FLEX_BOX,
  FLEX_CYLINDER,
  FLEX_ELLIPSOID,
  FLEX_MESH,
  FLEX_GMSH,
  FLEX_DIRECT
} FlexType;

/// Vertices along x, y and z (2 or more each), and their distances.
typedef struct FlexGrid {
  int count[3];
  double spacing[3];
} FlexGrid;

/// The number of a vertex of a grid.
static inline int flex_grid_number(const FlexGrid* g, int x, int y, int z) {
  return (x * g->count[1] + y) * g->count[2] + z;
}

/// A grid about the origin. Returns 0 after a mistake.
int flex_mesh_grid(Load* load, Place from, const FlexGrid* grid, HeftTetrahedra* out);
/// The surface of a grid of vertices, pressed into the shape of the type (box, cylinder or
/// ellipsoid), and tetrahedra from its triangles to vertex 0, the centre. Returns 0 after a
/// mistake.
int flex_mesh_shell(Load* load, Place from, FlexType type, const FlexGrid* grid,
                    HeftTetrahedra* out);
/// Such tetrahedra from the triangles of a surface; vertex 0 is the origin. Triangles that do not
/// look away from it are left out. Returns 0 after a mistake.
int flex_mesh_star(Load* load, Place from, const Mesh* mesh, const double origin[3],
                   HeftTetrahedra* out);
/// Tetrahedra of about the width `spacing` inside a closed surface. Returns 0 after a mistake.
int flex_mesh_fill(Load* load, Place from, const Mesh* mesh, double spacing, HeftTetrahedra* out);

#endif
