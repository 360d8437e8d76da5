// SPDX-License-Identifier: Apache-2.0
// Tetrahedra from files of Gmsh.
#ifndef HEFT_SRC_IO_MSH_H
#define HEFT_SRC_IO_MSH_H

#include <heft/deform.h>

#include "io/context.h"

/// Reads a .msh file with all its nodes, also those that no tetrahedron uses. The arrays are in
/// memory of the load (memory_size stays 0). Returns 0 after a mistake.
int msh_read(Load* load, Place from, const SourceFile* file, HeftTetrahedra* out);
/// Leaves out vertices that no tetrahedron uses; the others keep their order. number: of each
/// vertex the new number, -1: it is left out. Returns 0 after a mistake.
int tetrahedra_compact(Load* load, HeftTetrahedra* mesh, int** number);

#endif
