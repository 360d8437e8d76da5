// SPDX-License-Identifier: Apache-2.0
// Tetrahedra from files of Gmsh.
#ifndef HEFT_SRC_IO_MSH_H
#define HEFT_SRC_IO_MSH_H

#include <heft/deform.h>

#include "io/context.h"

/// Reads a .msh file. The arrays are in memory of the load (memory_size stays 0). Returns 0 after a
/// mistake.
int msh_read(Load* load, Place from, const SourceFile* file, HeftTetrahedra* out);

#endif
