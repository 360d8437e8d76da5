// SPDX-License-Identifier: Apache-2.0
// Estimates from values and standard errors.
#ifndef HEFT_SRC_IDENTIFY_ESTIMATE_H
#define HEFT_SRC_IDENTIFY_ESTIMATE_H

#include "identify/identify.h"

/// An estimate with its interval.
HeftEstimate heft_estimate_make(double value, double error, double freedom);

#endif
