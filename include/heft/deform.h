// SPDX-License-Identifier: Apache-2.0
/// @file deform.h
/// Tetrahedra for deformable bodies (HeftDeformableDef in heft/model.h).
///
/// Contract
/// - Memory: a mesh is allocated by the function that makes it and released by
///   heft_tetrahedra_release().
/// - Determinism: the same arguments give the same bits.
///
/// Units: [m].
#ifndef HEFT_DEFORM_H
#define HEFT_DEFORM_H

#include <heft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh of tetrahedra. Its arrays belong to it.
typedef struct HeftTetrahedra {
  int vertex_count;       ///< number of vertices
  double* vertices;       ///< three numbers each [m]
  int tetrahedron_count;  ///< number of tetrahedra
  int* tetrahedra;        ///< four vertices each, of positive volume
  size_t memory_size;     ///< of both arrays [bytes]
} HeftTetrahedra;

/// A box about the origin: half_size along x, y and z [m], each axis divided into `cells` cells,
/// and each cell into six tetrahedra. Neighbours mirror each other, so that the mesh has no
/// preferred direction. Vertex (i, j, k) is number (k (cells[1] + 1) + j) (cells[0] + 1) + i.
/// allocator may be NULL (the default one), error may be NULL.
/// [out] out
HEFT_API HeftStatus heft_tetrahedra_box(HeftTetrahedra* out, const double half_size[3],
                                        const int cells[3], const HeftAllocator* allocator,
                                        HeftError* error);
/// Fills a closed surface with tetrahedra that are about `spacing` wide [m]. vertices: three
/// numbers each [m]; triangles: three vertices each, which look outward or all inward. Cells of a
/// lattice are divided as in heft_tetrahedra_box(), tetrahedra whose middle is inside are kept, and
/// vertices of their surface move onto the given one, as far as all angles between faces stay
/// within 10 and 170 degrees. Parts that are thinner than the spacing may be lost; compare
/// HeftTetrahedraQuality.volume. HEFT_ERR_VALUE if the surface is not closed or nothing is inside,
/// HEFT_ERR_LIMIT if the lattice has more than 2^20 cells or the work is too much. allocator may be
/// NULL (the default one), error may be NULL.
/// [out] out; [in] vertices[vertex_count][3], triangles[triangle_count][3]
HEFT_API HeftStatus heft_tetrahedra_fill(HeftTetrahedra* out, const double* vertices,
                                         int vertex_count, const int* triangles, int triangle_count,
                                         double spacing, const HeftAllocator* allocator,
                                         HeftError* error);

/// Measures of a mesh.
typedef struct HeftTetrahedraQuality {
  double volume;     ///< of all tetrahedra [m³]
  double min_angle;  ///< smallest angle between two faces of a tetrahedron [rad]
  double max_angle;  ///< largest one [rad]
} HeftTetrahedraQuality;

/// Measures a mesh of at least one tetrahedron.
HEFT_API HeftTetrahedraQuality heft_tetrahedra_quality(const HeftTetrahedra* mesh);
/// Releases the arrays of a mesh; allocator: as at its creation.
HEFT_API void heft_tetrahedra_release(HeftTetrahedra* mesh, const HeftAllocator* allocator);

#ifdef __cplusplus
}
#endif
#endif
