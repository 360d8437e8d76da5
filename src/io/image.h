// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_IO_IMAGE_H
#define HEFT_SRC_IO_IMAGE_H

#include "io/context.h"

/// Whether the file begins with the signature of PNG.
int image_is_png(const SourceFile* file);
/// The grey values of a PNG image, rows x columns, the lowest row first; NULL after a mistake.
double* image_read_heights(Load* load, Place from, const SourceFile* file, int* rows, int* columns);

#endif
