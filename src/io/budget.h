// SPDX-License-Identifier: Apache-2.0
// Memory and work that one load may use.
//
// A small file can ask for much: includes of includes, replicates of replicates, a class of classes
// for each of many elements. So a load has a budget, which grows with the bytes of its files, each
// file counted once. Memory is counted by an allocator, so that builder and model are part of it.
// Work is counted in operations of about a nanosecond, not in time, so that a file is accepted or
// refused on all machines alike.
#ifndef HEFT_SRC_IO_BUDGET_H
#define HEFT_SRC_IO_BUDGET_H

#include <heft/io.h>

typedef struct Budget {
  HeftAllocator source;
  double bytes, bytes_allowed;  ///< in use
  double work, work_allowed;
  int memory_refused;  ///< an allocation would have exceeded bytes_allowed
} Budget;

Budget budget_make(HeftAllocator source, const HeftLoadLimits* limits);
/// An allocator that counts. The budget must stay where it is; the source may release the memory,
/// too.
HeftAllocator budget_allocator(Budget* budget);
/// A file of that size was read for the first time.
void budget_grant(Budget* budget, size_t file_bytes);

#endif
