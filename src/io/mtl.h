// SPDX-License-Identifier: Apache-2.0
// Materials of OBJ files.
#ifndef HEFT_SRC_IO_MTL_H
#define HEFT_SRC_IO_MTL_H

#include "io/context.h"

typedef struct MtlMaterial {
  const char* name;
  double color[4];      ///< diffuse colour and opacity, 0 to 1
  const char* texture;  ///< image file of the colour, as the file names it; NULL: none
} MtlMaterial;

/// Reads an MTL file into a list of MtlMaterial. Lines that it does not know are skipped; a wrong
/// number counts as 1. Returns 0 after a mistake: no memory, or too many materials.
int mtl_read(Load* load, const SourceFile* file, Grow* out);
/// The material of that name, or NULL.
const MtlMaterial* mtl_find(const Grow* materials, const char* name);

#endif
