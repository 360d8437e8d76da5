// SPDX-License-Identifier: Apache-2.0
// Memory and cost of a mesh of tetrahedra. Exported for the library heft_io; no part of the public
// interface.
#ifndef HEFT_SRC_DEFORM_MESH_H
#define HEFT_SRC_DEFORM_MESH_H

#include <heft/deform.h>

/// Cells of a lattice.
enum { TETRAHEDRA_CELLS_MAX = 1 << 20 };

/// Memory for the arrays of a mesh, which heft_tetrahedra_release() releases.
HEFT_API HeftStatus heft_tetrahedra_take(HeftTetrahedra* out, int vertices, int tetrahedra,
                                         const HeftAllocator* allocator, HeftError* error);
/// About how many operations heft_tetrahedra_fill() needs, of a nanosecond each. The triangles must
/// have vertices that exist.
HEFT_API double heft_tetrahedra_fill_effort(const double* vertices, const int* triangles,
                                            int triangle_count, double spacing);

#endif
