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
HEFT_API HeftStatus heft_tetrahedra_box(HeftTetrahedra* out, const double half_size[3],
                                        const int cells[3], const HeftAllocator* allocator,
                                        HeftError* error);
/// Releases the arrays of a mesh; allocator: that of its creation.
HEFT_API void heft_tetrahedra_release(HeftTetrahedra* mesh, const HeftAllocator* allocator);

#ifdef __cplusplus
}
#endif
#endif
