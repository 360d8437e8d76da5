// SPDX-License-Identifier: Apache-2.0
// In place of counted.cpp where there is no C++ compiler.
#include "counted/counted.h"

bool counted_delassus(const HeftDynamics* dynamics, HeftDelassusMethod method, int count,
                      const HeftDelassusPoint* points, double* scratch, double* lambda,
                      CountedOperations* out) {
  (void)dynamics, (void)method, (void)count, (void)points, (void)scratch, (void)lambda, (void)out;
  return false;
}
