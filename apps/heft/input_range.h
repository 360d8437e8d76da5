// SPDX-License-Identifier: Apache-2.0
// Inputs of heft hold that are not known, or sought: friction, masses, controls, between two
// values.
#ifndef HEFT_APPS_INPUT_RANGE_H
#define HEFT_APPS_INPUT_RANGE_H

#include <heft/heft.h>

enum { INPUT_RANGES = 6, INPUT_NAME = 200 };

/// One or several inputs that have the same value. Friction and masses are factors of the model's.
typedef struct InputRange {
  char name[INPUT_NAME];  ///< "friction", "mass.BODY", "control.ACTUATOR"; several: with commas
  double low, high;
} InputRange;

/// Reads "NAME=LOW:HIGH". 0: wrong (reported).
int input_range_read(const char* text, InputRange* out);
/// Gives an input a value in a world at its start. 0: failed (reported).
int input_range_set(HeftWorld* world, const InputRange* input, double value);

/// Bisects between the ends of an input. fails and holds bound the limit, to 1e-7 of it; NAN: that
/// end does not fail, or does not hold. 0: failed (reported).
int input_range_limit(const HeftWorld* start, const InputRange* input, double seconds,
                      double* fails, double* holds);

#endif
