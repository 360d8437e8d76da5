// SPDX-License-Identifier: Apache-2.0
#include "motion_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The smallest of the sorted numbers that is not below `share` of them.
static double percentile(const double* sorted, int count, double share) {
  return sorted[(int)ceil(share * count) - 1];
}

MotionTimes motion_times(const MotionSteps* s, int count) {
  MotionTimes t = {0};
  const int n = count < s->count ? count : s->count;
  double* sorted = n > 0 ? malloc((size_t)n * sizeof *sorted) : NULL;
  if (!sorted) return t;
  memcpy(sorted, s->us, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, rising);
  for (int k = 0; k < n; ++k) t.mean += sorted[k] / n;
  t.median = percentile(sorted, n, 0.5);
  t.p90 = percentile(sorted, n, 0.9);
  t.p99 = percentile(sorted, n, 0.99);
  t.p999 = percentile(sorted, n, 0.999);
  t.longest = sorted[n - 1];
  free(sorted);
  return t;
}

int motion_steps_reserve(MotionSteps* s, int count) {
  s->overlap = s->speed = (double)NAN;
  s->us = calloc((size_t)count + 1, sizeof *s->us);
  s->count = s->us ? count : 0;
  if (!s->us) snprintf(s->reason, sizeof s->reason, "out of memory");
  return s->us != NULL;
}

void motion_steps_free(MotionSteps* s) {
  free(s->us);
  free(s->end);
  s->us = s->end = NULL;
}

void motion_steps_note(MotionSteps* s, int k, double us) {
  s->us[k] = s->repeats > 0 ? fmin(s->us[k], us) : us;
}

void motion_progress(const char* name, const char* engine, int done, int of) {
  if (!isatty(STDERR_FILENO)) return;
  if (done >= of) {
    fprintf(stderr, "\r%60s\r", "");
  } else if (done % (of / 50 + 1) == 0) {
    fprintf(stderr, "\r%s, %s: %d %% ", name, engine, (int)(100.0 * done / of));
  }
}
