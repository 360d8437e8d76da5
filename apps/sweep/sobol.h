// SPDX-License-Identifier: Apache-2.0
// The Sobol sequence: points that fill a cube evenly.
#ifndef HEFT_APPS_SWEEP_SOBOL_H
#define HEFT_APPS_SWEEP_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 21, SOBOL_BITS = 52 };

/// Coordinate `dimension` of point `index`, as SOBOL_BITS bits after the binary point.
uint64_t sobol_bits(int dimension, uint64_t index);

#endif
