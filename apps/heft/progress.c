// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <heft/base.h>
#include <stdio.h>
#include <unistd.h>

Progress progress_begin(void) { return (Progress){.started = heft_clock_ns()}; }

void progress_show(Progress* p, const char* what, double share) {
  const uint64_t now = heft_clock_ns();
  if (now - p->started < 1000000000u || now - p->shown < 100000000u || !isatty(STDERR_FILENO))
    return;
  p->shown = now;
  p->visible = 1;
  fprintf(stderr, "\r%3.0f %%  %-60.60s", 100 * (share < 0 ? 0 : (share > 1 ? 1 : share)), what);
  fflush(stderr);
}

void progress_end(Progress* p) {
  if (p->visible) fprintf(stderr, "\r%70s\r", "");
  p->visible = 0;
}
