// SPDX-License-Identifier: Apache-2.0
// Convex pieces of a mesh.
#ifndef HEFT_SRC_IO_PIECES_H
#define HEFT_SRC_IO_PIECES_H

#include "io/solid.h"

/// How a mesh is cut.
typedef struct PieceDef {
  double error;      ///< largest distance of the pieces from the solid that is aimed at [m], > 0
  int max_pieces;    ///< >= 1
  int max_vertices;  ///< of one piece, >= 4
  double work;       ///< operations; when they are used up, cutting ends
} PieceDef;

/// Pieces of a mesh. All numbers are bounds that hold, not estimates.
typedef struct Pieces {
  int count;
  Mesh* piece;     ///< each with its hull; faces are the hull
  double excess;   ///< no point of the surface of the union is farther from the solid [m]
  double missing;  ///< no point of the solid is farther from the union [m]
  double opening;  ///< openings that are narrower may have been closed [m]
  double work;     ///< operations that it took
  int cut_short;   ///< 1: the work was used up before all was tried
} Pieces;

/// Told now and then; share goes from 0 to 1.
typedef struct PieceProgress {
  void (*tell)(void* user, double share);
  void* user;
} PieceProgress;

/// Cuts a mesh; the pieces are in memory of the region. Returns 1, 0 if the mesh has no size, is
/// not finite or needs too much work to begin (it cannot be cut), -1 without memory. `progress` may
/// be NULL.
int mesh_pieces(Region* region, const Mesh* mesh, const PieceDef* def,
                const PieceProgress* progress, Pieces* out);

// ---- parts of it

/// A box of cells, from lo to hi - 1.
typedef struct CellBox {
  int lo[3], hi[3];
} CellBox;

/// Memory for choosing planes.
typedef struct CutSpace {
  int16_t *min, *max;  ///< of x, at the nodes of the grid (y, z)
  LatticePoint* points;
  int* chain;
} CutSpace;

/// A plane across an axis at the border before a cell.
typedef struct Cut {
  int axis, at;
} Cut;

int cut_reserve(CutSpace* space, Solid* solid);
/// Makes a box as small as its cells that are not outside. Returns 0 if there are none.
int cut_shrink(Solid* solid, CellBox* box);
/// Chooses the plane that leaves the least volume in the hulls of both sides. Returns 1, 0 if the
/// box cannot be cut or the effort is spent, -1 without memory.
int cut_choose(CutSpace* space, HullSpace* hull, Solid* solid, const CellBox* box, Cut* out);

/// How precise a measure of a hull's excess must be.
typedef struct ExcessDef {
  double enough;  ///< values below it need not be told apart [lattice units]
  double share;   ///< else the bound may be larger by this share
  double stop;    ///< the measure may end when a point is farther than this
  double tired;   ///< the work with which triangles are not cut any more
} ExcessDef;

/// A bound of the distance of the points on a hull's surface from the solid [lattice units]. If the
/// measure stopped, it is larger than ExcessDef.stop and no bound. If the effort is spent, the
/// bound is coarse. The hull must contain a point of the solid.
double hull_excess(Solid* solid, HullSpace* hull, const ExcessDef* def);

#endif
