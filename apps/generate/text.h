// SPDX-License-Identifier: Apache-2.0
// The statements of a section as C.
#ifndef HEFT_APPS_GENERATE_TEXT_H
#define HEFT_APPS_GENERATE_TEXT_H

#include <stdio.h>

#include "generate/graph.h"

/// Operations that the written code executes: of numbers, and of vectors.
typedef struct OperationCount {
  long num_add, num_mul, vec_add, vec_mul;
} OperationCount;

/// Writes the statements of a section whose results are used; counts them. 0: no memory.
int text_write_section(const Graph* graph, int section, FILE* out, OperationCount* count);

#endif
