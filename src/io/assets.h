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

typedef struct Assets {
  Grow meshes;  ///< MeshAsset*
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

/// The name of a file without folder and ending, in memory of the load.
const char* assets_base_name(Load* load, const char* path);

#endif
