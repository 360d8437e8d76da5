// SPDX-License-Identifier: Apache-2.0
// One line of progress on a terminal: it appears after a second, and is erased at the end.
#ifndef HEFT_APPS_PROGRESS_H
#define HEFT_APPS_PROGRESS_H

#include <stdint.h>

typedef struct Progress {
  uint64_t started, shown;  ///< [ns]
  int visible;
} Progress;

Progress progress_begin(void);
/// share is 0 to 1; what may be "". Prints at most ten times a second, and only if stderr is a
/// terminal.
void progress_show(Progress* progress, const char* what, double share);
void progress_end(Progress* progress);

/// Counts the seconds of work whose share is unknown, in the same line, until progress_unwatch().
/// what must live so long. One at a time.
void progress_watch(const char* what);
void progress_unwatch(void);

#endif
