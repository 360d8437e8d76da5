// SPDX-License-Identifier: Apache-2.0
#include "io/budget.h"

// Allowances for each byte of a file: a vertex of a mesh has some ten bytes in a file, and some
// hundred in the model with its hull.
static const double bytes_per_byte = 8, work_per_byte = 60;
// New memory is cleared and mapped by the system: operations for a byte.
static const double work_of_byte = 1;

Budget budget_make(HeftAllocator source, const HeftLoadLimits* limits) {
  return (Budget){
      .source = source, .bytes_allowed = (double)limits->total_bytes, .work_allowed = limits->work};
}

void budget_grant(Budget* budget, size_t file_bytes) {
  budget->bytes_allowed += bytes_per_byte * (double)file_bytes;
  budget->work_allowed += work_per_byte * (double)file_bytes;
}

static void* allocate(void* user, size_t size, size_t alignment) {
  Budget* budget = user;
  if (budget->bytes + (double)size > budget->bytes_allowed) {
    budget->memory_refused = 1;
    return NULL;
  }
  void* memory = budget->source.allocate(budget->source.user, size, alignment);
  if (!memory) return NULL;
  budget->bytes += (double)size;
  budget->work += work_of_byte * (double)size;
  return memory;
}

static void release(void* user, void* memory, size_t size) {
  Budget* budget = user;
  if (memory) budget->bytes -= (double)size;
  budget->source.release(budget->source.user, memory, size);
}

HeftAllocator budget_allocator(Budget* budget) {
  return (HeftAllocator){.allocate = allocate, .release = release, .user = budget};
}
