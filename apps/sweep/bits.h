// SPDX-License-Identifier: Apache-2.0
// A number for the results of this build of Heft: two builds of one version with different numbers
// have different results.
#ifndef HEFT_APPS_SWEEP_BITS_H
#define HEFT_APPS_SWEEP_BITS_H

#include <heft/base.h>

enum { SWEEP_BITS = 16 };

/// Writes 16 hexadecimal digits and a zero. Takes some milliseconds.
HeftStatus sweep_bits(char out[SWEEP_BITS + 1], HeftError* error);

#endif
