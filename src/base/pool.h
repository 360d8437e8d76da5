// SPDX-License-Identifier: Apache-2.0
// A pool of threads that share out the indices of a loop.
//
// heft_pool_run() calls task(arg, i) once for every i in 0 .. count - 1, from any thread of the
// pool and from the caller, in any order, and returns when all are done. Who does which index is
// left to chance, so a task may write only what belongs to its index; then the result has the same
// bits for any number of threads.
#ifndef HEFT_SRC_BASE_POOL_H
#define HEFT_SRC_BASE_POOL_H

#include <heft/base.h>

typedef struct HeftPool HeftPool;

typedef void HeftTask(void* arg, int worker, int index);

/// A pool in which `threads` threads work, the caller's among them: 1 to 64. On a machine without
/// threads (WebAssembly) only the caller works, whatever the number. *out is NULL on failure.
HeftStatus heft_pool_create(HeftPool** out, int threads, const HeftAllocator* allocator,
                            HeftError* error);
/// pool may be NULL.
void heft_pool_destroy(HeftPool* pool);
/// Threads, the caller's among them; 1 without a pool.
int heft_pool_threads(const HeftPool* pool);
/// worker is 0 .. threads - 1, each in one task at a time. pool may be NULL: all by the caller, and
/// so is a loop that a task begins, with worker 0: its tasks must not use what workers own.
void heft_pool_run(HeftPool* pool, int count, HeftTask* task, void* arg);

typedef void HeftRangeTask(void* arg, int first, int end);

/// heft_pool_run() for loops of many small turns: task(arg, first, end) for ranges of `size` turns,
/// the last one shorter, from 0 to count.
void heft_pool_run_ranges(HeftPool* pool, int count, int size, HeftRangeTask* task, void* arg);

#endif
