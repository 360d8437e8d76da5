// SPDX-License-Identifier: Apache-2.0
// Triangle meshes while they are read: from STL, OBJ and Collada files, their mass, their convex
// hulls.
#ifndef HEFT_SRC_IO_MESH_H
#define HEFT_SRC_IO_MESH_H

#include "io/context.h"

/// Faces of one material: from first_face to the next run.
typedef struct MeshRun {
  int first_face;
  const char* material;
} MeshRun;

/// In memory of the load. Faces turn counter-clockwise, seen from outside.
typedef struct Mesh {
  int vertex_count, face_count, hull_count;
  double* vertices;  ///< x 3
  int* faces;        ///< x 3
  int* hull;         ///< x 3, vertices as faces; by mesh_hull()
  double* image;     ///< face_count x 3 x 2, as HeftModel.corner_image; NULL: none
  int run_count;     ///< 0: no materials
  MeshRun* runs;
  const char* library;  ///< file of the materials, as the mesh names it; NULL: none
  Grow materials;       ///< MtlMaterial that the file itself holds
  int y_up;             ///< 1: the file states that y points up
} Mesh;

/// Reads an OBJ, STL or Collada file, chosen by the ending of its name. Returns 0 after a mistake.
int mesh_read(Load* load, Place from, const SourceFile* file, Mesh* out);
int mesh_read_stl(Load* load, Place from, const SourceFile* file, Mesh* out);
int mesh_read_obj(Load* load, Place from, const SourceFile* file, Mesh* out);
int mesh_read_collada(Load* load, Place from, const SourceFile* file, Mesh* out);

/// Whether a path ends in `ending`, in capital or small letters; ending is in small letters.
int mesh_has_ending(const char* path, const char* ending);

/// A texture coordinate, rounded so that 1 - (1 - x) is x. Returns 0 if it is too large.
int mesh_image_number(double x, double* out);

/// Multiplies all vertices; an odd number of negative factors reverses the faces.
void mesh_scale(Mesh* mesh, const double scale[3]);

/// Materials of the faces in the order of their first use: stores up to `max` names, and the index
/// of the name of each run in `of_run` (run_count). Returns how many there are; -1: more than max.
int mesh_materials(const Mesh* mesh, const char** names, int* of_run, int max);
/// The faces of one material as a mesh of its own, with the vertices that they use. Returns 0 after
/// a mistake.
int mesh_part(Load* load, const Mesh* mesh, const int* of_run, int material, Mesh* out);

/// Computes the convex hull and returns 1. If there are fewer than four points, or all in one
/// plane, there is none: -1 for a mesh with faces, 0 after a mistake for points without faces.
int mesh_hull(Load* load, Place from, const char* name, Mesh* mesh);
/// Sorts triangles by their vertices.
void mesh_sort_triangles(int* triangles, int count);

typedef enum MeshMass {
  MESH_MASS_EXACT,   ///< of the closed surface, by signed volumes
  MESH_MASS_LEGACY,  ///< volumes of all tetrahedra from the faces to the centre, none negative
  MESH_MASS_CONVEX,  ///< of the convex hull
  MESH_MASS_SHELL,   ///< the mass is on the surface; volume is the area
  MESH_MASS_COUNT
} MeshMass;

/// Volume [m³] (or area), centre and moments of inertia for density 1. Returns 0 if there is no
/// volume.
int mesh_mass(const Mesh* mesh, MeshMass how, HeftInertia* out);
/// Volume by signed tetrahedra; negative if the faces point inwards.
double mesh_volume(const Mesh* mesh, const int* faces, int face_count);

#endif
