// SPDX-License-Identifier: Apache-2.0
// The arithmetic that all results rest on: IEEE 754, rounded to nearest, one rounding for each
// operation, small numbers kept.
#ifndef HEFT_SRC_BASE_FLOAT_ENVIRONMENT_H
#define HEFT_SRC_BASE_FLOAT_ENVIRONMENT_H

/// NULL if the calling thread computes as the library needs it; else the reason, and what to do.
const char* heft_float_environment_fault(void);

#endif
