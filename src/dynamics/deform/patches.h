// SPDX-License-Identifier: Apache-2.0
// Patches: the tetrahedra of a solid in groups of a few.
#ifndef HEFT_SRC_DEFORM_PATCHES_H
#define HEFT_SRC_DEFORM_PATCHES_H

#include <stddef.h>

enum { PATCH_TETRAHEDRA_MAX = 8 };

/// Each patch p has the tetrahedra tetrahedron[first[p]] to tetrahedron[first[p + 1] - 1], rising.
typedef struct Patches {
  int count;
  int *first, *tetrahedron;
} Patches;

/// Ints of scratch for heft_patches_find().
size_t heft_patches_scratch(int nodes, int tetrahedra);
/// corner: four nodes per tetrahedron; rest: three numbers per node. The result is in scratch.
Patches heft_patches_find(int nodes, const double* rest, int tetrahedra, const int* corner,
                          int* scratch);

#endif
