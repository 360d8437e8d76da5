// SPDX-License-Identifier: Apache-2.0
// An allocator that counts, checks what is given back, and fails at a chosen request.
#ifndef HEFT_TESTS_SUPPORT_FAILING_ALLOCATOR_H
#define HEFT_TESTS_SUPPORT_FAILING_ALLOCATOR_H

#include <heft/base.h>

typedef struct FailingAllocator {
  long requests;  ///< so far
  long fail_at;   ///< this request and all after it get NULL, counted from 1; 0: none does
  int only_one;   ///< 1: only the request fail_at fails, later ones are served again
  long alive;     ///< blocks not yet given back
  size_t bytes;   ///< in them
  long mistakes;  ///< releases with another size than asked for, bad alignments
} FailingAllocator;

HeftAllocator failing_allocator(FailingAllocator* self);

#endif
