// SPDX-License-Identifier: Apache-2.0
// Work that the threads of the caller may share, by a function that runs tasks for it, such as
// HeftContactSolverDef::run.
//
// A task writes only what belongs to its index, and sums are stored by index and added in its
// order, so the bits depend neither on the threads nor on whether there are any.
#ifndef HEFT_SRC_BASE_SHARE_H
#define HEFT_SRC_BASE_SHARE_H

typedef struct Share {
  void (*run)(void* user, int count, void (*task)(void* arg, int index), void* arg);  // or NULL
  void* user;
} Share;

/// task(arg, 0) .. task(arg, count - 1).
static inline void share_tasks(Share share, int count, void (*task)(void* arg, int index),
                               void* arg) {
  if (share.run && count > 1) {
    share.run(share.user, count, task, arg);
    return;
  }
  for (int i = 0; i < count; ++i) task(arg, i);
}

typedef void RangeTask(void* arg, int first, int end);

typedef struct ShareRanges {
  RangeTask* task;
  void* arg;
  int count, size;
} ShareRanges;

static inline void share_one_range(void* arg, int index) {
  const ShareRanges* r = arg;
  const int first = r->size * index, end = r->count - first > r->size ? first + r->size : r->count;
  r->task(r->arg, first, end);
}

/// task(arg, first, end) for ranges of `size` numbers from 0 to count - 1, the last one shorter.
static inline void share_ranges(Share share, int count, int size, RangeTask* task, void* arg) {
  ShareRanges ranges = {task, arg, count, size};
  share_tasks(share, (count + size - 1) / size, share_one_range, &ranges);
}

#endif
