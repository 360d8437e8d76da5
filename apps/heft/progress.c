// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <heft/base.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
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

// ---- seconds

typedef struct Watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  const char* what;
  int running, visible;
} Watch;

static Watch watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void* count_seconds(void* unused) {
  struct timespec until;
  (void)unused;
  (void)clock_gettime(CLOCK_REALTIME, &until);
  pthread_mutex_lock(&watch.lock);
  for (int seconds = 1; watch.running; ++seconds) {
    ++until.tv_sec;
    while (watch.running && pthread_cond_timedwait(&watch.ended, &watch.lock, &until) == 0)
      continue;
    if (!watch.running) break;
    watch.visible = 1;
    fprintf(stderr, "\r%3d s  %-60.60s", seconds, watch.what);
    fflush(stderr);
  }
  pthread_mutex_unlock(&watch.lock);
  return NULL;
}

void progress_watch(const char* what) {
  if (!isatty(STDERR_FILENO) || watch.running) return;
  watch.what = what;
  watch.visible = 0;
  watch.running = 1;
  if (pthread_create(&watch.thread, NULL, count_seconds, NULL) != 0) watch.running = 0;
}

void progress_unwatch(void) {
  if (!watch.running) return;
  pthread_mutex_lock(&watch.lock);
  watch.running = 0;
  pthread_cond_signal(&watch.ended);
  pthread_mutex_unlock(&watch.lock);
  pthread_join(watch.thread, NULL);
  if (watch.visible) fprintf(stderr, "\r%70s\r", "");
}
