// SPDX-License-Identifier: Apache-2.0
// Values of options that view and render share. All return 1, or 0 if the text is wrong.
#ifndef HEFT_APPS_PICTURE_OPTIONS_H
#define HEFT_APPS_PICTURE_OPTIONS_H

#include <heft/model.h>

/// Reads a finite number >= min.
int picture_read_number(const char* text, double min, double* out);
/// Reads a size like 1280x720, at least `min` pixels wide and high.
int picture_read_size(const char* text, const int min[2], int* width, int* height);
/// Reads names for --show, separated by commas, and sets their bits in `show`. An unknown name is
/// reported with a hint.
int picture_read_show(const char* verb, const char* text, unsigned* show);

/// The skeleton, as a bit, for a model whose moving bodies have hardly any shapes; 0 for other
/// models.
unsigned picture_bare_show(const HeftModel* model);

#endif
