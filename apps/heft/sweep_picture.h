// SPDX-License-Identifier: Apache-2.0
// Axes and histograms of stored results.
#ifndef HEFT_APPS_SWEEP_PICTURE_H
#define HEFT_APPS_SWEEP_PICTURE_H

#include "picture.h"
#include "sweep_data.h"

enum { SWEEP_BINS_MAX = 400 };

/// A part of a picture [px].
typedef struct SweepBox {
  double x, y, width, height;
} SweepBox;

/// A number beside an axis.
void sweep_picture_number(double x, char out[32]);
/// Numbers and names of the axes of a box; y is NULL for an axis that is not a column.
void sweep_picture_axes(Picture* picture, SweepBox box, const SweepRange* x, const SweepRange* y,
                        const char* x_name, const char* y_name, double size);
/// How often which value of a column occurs, in a picture of so many pixels. size: height of the
/// letters [px].
void sweep_picture_histogram(Picture* picture, const SweepData* data, int column, int bins,
                             int width, int height, double size);

#endif
