// SPDX-License-Identifier: Apache-2.0
// The meshes of a model during a load. They go to the builder at the end, because only then the
// reader knows which of them collide and need a hull.
#ifndef HEFT_SRC_IO_ASSETS_H
#define HEFT_SRC_IO_ASSETS_H

#include "io/mesh.h"

typedef struct MeshAsset {
  const char* name;
  Mesh mesh;
  Place place;
  int collides;     ///< a shape that collides uses it
  int inertia;      ///< MeshMass
  int triangles;    ///< a shape that uses it collides as its triangles
  int hull;         ///< a shape that uses it collides as its hull
  HeftField field;  ///< HEFT_FIELD_NONE: it is no distance shape
  int textured;     ///< a shape that uses it has a texture: its texture coordinates are kept
  HeftInertia mass[MESH_MASS_COUNT];  ///< as mesh_mass() computed it
  int weighed[MESH_MASS_COUNT];       ///< whether mass holds: 0 not computed, 1 yes, -1 no volume
} MeshAsset;

/// Pieces of a mesh: meshes of their own.
typedef struct PieceRange {
  int mesh;      ///< that was cut
  double error;  ///< that was asked for [m]
  int max_pieces;
  int first, count;  ///< meshes; count 1: the mesh is not replaced
} PieceRange;

typedef struct Assets {
  Grow meshes;  ///< MeshAsset*
  Grow pieces;  ///< PieceRange
} Assets;

int assets_find_mesh(const Assets* assets, const char* name);
/// Adds a mesh; returns its index in the model, or -1 after a mistake.
int assets_add_mesh(Load* load, Assets* assets, const MeshAsset* asset);
/// The mesh of that index, which must exist.
MeshAsset* assets_mesh(const Assets* assets, int i);
/// Volume, centre and moments for density 1, computed once: 0 if there is no volume. With
/// MESH_MASS_CONVEX the mesh needs its hull.
int assets_mass(MeshAsset* asset, MeshMass how, HeftInertia* out);
/// A shape uses the mesh and collides: as its triangles, or as its hull.
void assets_collide(MeshAsset* asset, int triangles);
/// Computes the hulls of meshes that collide, then adds all meshes to the builder.
HeftStatus assets_finish(Load* load, Assets* assets);

/// Group of the shapes of pieces, as of collision shapes that are not drawn by default.
enum { PIECE_GROUP = 3 };

/// How a shape asks for pieces: from the file, or from the user.
typedef struct PieceWish {
  double error;    ///< [m]; 0: the file does not ask
  int max_pieces;  ///< 0: as in HeftLoadDef
} PieceWish;

/// Cuts a mesh into convex pieces, which become meshes, once for each wish. Returns 1 if there are
/// several, 0 if the mesh is to be used as it is, -1 after a mistake.
int assets_cut(Load* load, Assets* assets, int mesh, PieceWish wish, PieceRange* out);
/// A colour for each piece.
void assets_piece_color(int piece, double color[4]);

/// The name of a file without folder and ending, in memory of the load.
const char* assets_base_name(Load* load, const char* path);

#endif
