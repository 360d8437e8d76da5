// SPDX-License-Identifier: Apache-2.0
// Operations of the Delassus methods, counted while they run (counted.cpp).
#ifndef HEFT_APPS_COUNTED_COUNTED_H
#define HEFT_APPS_COUNTED_COUNTED_H

#include <heft/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CountedOperations {
  long multiplications;  ///< and divisions, of numbers that are not zero
  long additions;        ///< and subtractions, of numbers that are not zero
  long executed;         ///< all operations, with those on the unused components of vectors
} CountedOperations;

/// heft_dynamics_delassus() with the same result, and its operations. False if this build cannot
/// count (it has no C++ compiler): nothing is computed.
bool counted_delassus(const HeftDynamics* dynamics, HeftDelassusMethod method, int count,
                      const HeftDelassusPoint* points, double* scratch, double* lambda,
                      CountedOperations* out);

#ifdef __cplusplus
}
#endif
#endif
