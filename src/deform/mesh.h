// SPDX-License-Identifier: Apache-2.0
// Memory of a mesh of tetrahedra. Exported for the library heft_io; no part of the public
// interface.
#ifndef HEFT_SRC_DEFORM_MESH_H
#define HEFT_SRC_DEFORM_MESH_H

#include <heft/deform.h>

/// Memory for the arrays of a mesh, which heft_tetrahedra_release() releases.
HEFT_API HeftStatus heft_tetrahedra_take(HeftTetrahedra* out, int vertices, int tetrahedra,
                                         const HeftAllocator* allocator, HeftError* error);

#endif
