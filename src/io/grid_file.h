// SPDX-License-Identifier: Apache-2.0
// Files with samples of a signed distance.
#ifndef HEFT_SRC_IO_GRID_FILE_H
#define HEFT_SRC_IO_GRID_FILE_H

#include "io/context.h"

/// Reads size, grid and samples of a distance shape, in memory of the load. Returns 0 after a
/// mistake. heft_field_check() has to follow.
int grid_file_read(Load* load, Place from, const SourceFile* file, HeftField* out);

#endif
