// SPDX-License-Identifier: Apache-2.0
// Each thread has a worker of its own and takes the next chunk when it is free; nothing is shared
// but the number of that chunk. The thread of the command waits and shows progress.
#include "sweep/engine.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sweep/results.h"

enum { WORKERS_MAX = 1024 };

typedef struct Crew {
  const SweepJob* job;
  SweepWorker* worker[WORKERS_MAX];
  int count, running;
  atomic_llong next;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  SweepTally tally;
  HeftError error;  ///< the first
} Crew;

typedef struct Member {
  Crew* crew;
  int index;
} Member;

// Ctrl-C, SIGTERM or a closed terminal ends the sweep after the present steps; a second signal
// ends the program.
static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) {
  interrupted = 1;
  signal(signal_number, SIG_DFL);
}

// ---- results

void sweep_tally_add(SweepTally* t, const Sweep* s, const Hdf5File* f, int64_t runs) {
  const int status = s->first_result;
  for (int64_t i = 0; i < runs; ++i) {
    const uint64_t x = hdf5_get(f, status, i);
    if (x < SWEEP_STATUS_COUNT) ++t->status[x];
  }
  for (int k = 0; k < s->plan->event_count; ++k) {
    const int column = sweep_find_column(s, s->plan->event[k].name);
    for (int64_t i = 0; i < runs && column >= 0; ++i) t->event[k] += hdf5_get(f, column, i) == 1;
  }
  t->runs += runs;
  ++t->chunks;
}

void sweep_tally_join(SweepTally* t, const SweepTally* other) {
  t->chunks += other->chunks;
  t->runs += other->runs;
  for (int i = 0; i < SWEEP_STATUS_COUNT; ++i) t->status[i] += other->status[i];
  for (int k = 0; k < PLAN_EVENT_MAX; ++k) t->event[k] += other->event[k];
  memcpy(t->message, other->message, sizeof t->message);
}

void sweep_tally_print(const SweepTally* t, const Sweep* s) {
  for (int i = 0; i < SWEEP_STATUS_COUNT; ++i)
    if (t->status[i] > 0)
      printf("  %-20s%lld runs (%.2f %%)\n", sweep_status_name(i), (long long)t->status[i],
             100 * (double)t->status[i] / (double)t->runs);
  for (int k = 0; k < s->plan->event_count; ++k)
    printf("  event %-14s%lld runs (%.2f %%)\n", s->plan->event[k].name, (long long)t->event[k],
           100 * (double)t->event[k] / (double)(t->runs > 0 ? t->runs : 1));
  if (t->message[0]) printf("  a broken run says   %s\n", t->message);
}

// ---- threads

static void note_error(Crew* c, const HeftError* error) {
  pthread_mutex_lock(&c->lock);
  if (c->error.status == HEFT_OK) c->error = *error;
  pthread_mutex_unlock(&c->lock);
  for (int i = 0; i < c->count; ++i) sweep_worker_stop(c->worker[i]);
}

static HeftStatus compute(Crew* c, int index, int64_t chunk, HeftError* error) {
  const SweepJob* j = c->job;
  const int64_t runs = plan_chunk_runs(j->sweep->plan, chunk);
  Hdf5File file = {0};
  if (j->bare) {
    const HeftStatus status = sweep_worker_bare(c->worker[index], chunk, error);
    pthread_mutex_lock(&c->lock);
    c->tally.runs += status == HEFT_OK ? runs : 0;
    pthread_mutex_unlock(&c->lock);
    return status;
  }
  HeftStatus status = sweep_worker_chunk(c->worker[index], chunk, &file, error);
  if (status == HEFT_OK && j->folder)
    status = results_store(j->folder, chunk, file.bytes, file.size, error);
  if (status == HEFT_OK) {
    pthread_mutex_lock(&c->lock);
    sweep_tally_add(&c->tally, j->sweep, &file, runs);
    if (sweep_worker_message(c->worker[index])[0])
      snprintf(c->tally.message, sizeof c->tally.message, "%s",
               sweep_worker_message(c->worker[index]));
    pthread_mutex_unlock(&c->lock);
  }
  hdf5_release(&file);
  return status;
}

static void* work(void* argument) {
  const Member* m = argument;
  Crew* c = m->crew;
  HeftStatus status = HEFT_OK;
  while (status == HEFT_OK) {
    const int64_t at = atomic_fetch_add(&c->next, 1);
    if (at >= c->job->chunk_count) break;
    HeftError error = {0};
    status = compute(c, m->index, c->job->chunks[at], &error);
    if (status != HEFT_OK) note_error(c, &error);
  }
  pthread_mutex_lock(&c->lock);
  --c->running;
  pthread_cond_signal(&c->ended);
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

// ---- progress

static void show_progress(const Crew* c, const SweepTally* t, double seconds, int terminal) {
  const SweepJob* j = c->job;
  int64_t all = 0;
  for (int64_t i = 0; i < j->chunk_count; ++i) all += plan_chunk_runs(j->sweep->plan, j->chunks[i]);
  const double rate = (double)t->runs / seconds;
  const int64_t failed = t->runs - t->status[SWEEP_DONE] - t->status[SWEEP_ENDED];
  char left[40] = "";
  if (t->runs > 0) {
    const double s = (double)(all - t->runs) / rate;
    if (s < 120)
      snprintf(left, sizeof left, ", %.0f s left", s);
    else if (s < 7200)
      snprintf(left, sizeof left, ", %.0f min left", s / 60);
    else
      snprintf(left, sizeof left, ", %.1f h left", s / 3600);
  }
  fprintf(stderr, "%s%3.0f %%  %lld of %lld runs, %.4g runs/s%s, %lld failed%s",
          terminal ? "\r" : "", 100 * (double)t->runs / (double)all, (long long)t->runs,
          (long long)all, rate, left, (long long)failed, terminal ? "   " : "\n");
  fflush(stderr);
}

// A condition whose timeouts do not follow the date: if that is set back, Ctrl-C must not wait.
static void init_steady(pthread_cond_t* condition) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &clock);
  pthread_condattr_destroy(&clock);
}

// Waits until all threads have ended; looks for Ctrl-C ten times a second.
static void supervise(Crew* c, uint64_t started) {
  const int terminal = isatty(STDERR_FILENO);
  uint64_t shown = started;
  int stopped = 0;
  pthread_mutex_lock(&c->lock);
  while (c->running > 0) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    pthread_cond_timedwait(&c->ended, &c->lock, &until);
    const uint64_t now = heft_clock_ns();
    if (interrupted && !stopped) {
      for (int i = 0; i < c->count; ++i) sweep_worker_stop(c->worker[i]);
      stopped = 1;
    }
    if (c->job->quiet || now - shown < (terminal ? 200000000u : 30000000000u)) continue;
    shown = now;
    const SweepTally tally = c->tally;
    pthread_mutex_unlock(&c->lock);
    show_progress(c, &tally, 1e-9 * (double)(now - started), terminal);
    pthread_mutex_lock(&c->lock);
  }
  pthread_mutex_unlock(&c->lock);
  if (terminal && !c->job->quiet) fprintf(stderr, "\r%100s\r", "");
}

static HeftStatus hire(Crew* c, HeftError* error) {
  const int wanted =
      c->job->workers < 1 ? 1 : (c->job->workers > WORKERS_MAX ? WORKERS_MAX : c->job->workers);
  for (; c->count < wanted; ++c->count) {
    const HeftStatus status = sweep_worker_create(&c->worker[c->count], c->job->sweep, error);
    if (status != HEFT_OK) return status;
  }
  return HEFT_OK;
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

HeftStatus sweep_engine_run(const SweepJob* job, SweepTally* tally, HeftError* error) {
  Crew* c = calloc(1, sizeof *c);
  pthread_t thread[WORKERS_MAX];
  Member member[WORKERS_MAX];
  if (!c) {
    error->status = HEFT_ERR_MEMORY;
    snprintf(error->message, sizeof error->message, "no memory for workers");
    return HEFT_ERR_MEMORY;
  }
  c->job = job;
  atomic_init(&c->next, 0);
  pthread_mutex_init(&c->lock, NULL);
  init_steady(&c->ended);
  HeftStatus status = hire(c, error);
  if (status == HEFT_OK) {
    interrupted = 0;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    const int detached = signal(SIGHUP, interrupt) == SIG_IGN;  // 'nohup'
    if (detached) signal(SIGHUP, SIG_IGN);
    const uint64_t started = heft_clock_ns();
    const double spent = processor_seconds();
    int threads = 0;
    c->running = c->count;
    for (; threads < c->count; ++threads) {
      member[threads] = (Member){c, threads};
      if (pthread_create(&thread[threads], NULL, work, &member[threads]) != 0) break;
    }
    pthread_mutex_lock(&c->lock);
    c->running -= c->count - threads;
    pthread_mutex_unlock(&c->lock);
    supervise(c, started);
    for (int i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
    c->tally.seconds = 1e-9 * (double)(heft_clock_ns() - started);
    c->tally.processor = processor_seconds() - spent;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!detached) signal(SIGHUP, SIG_DFL);
    if (threads == 0) {
      c->error.status = HEFT_ERR_MEMORY;
      snprintf(c->error.message, sizeof c->error.message, "no thread could be started");
    }
    status = c->error.status;
    *error = c->error;
  }
  for (int i = 0; i < c->count; ++i) {
    c->tally.steps += sweep_worker_steps(c->worker[i]);
    sweep_worker_destroy(c->worker[i]);
  }
  *tally = c->tally;
  pthread_cond_destroy(&c->ended);
  pthread_mutex_destroy(&c->lock);
  free(c);
  return status;
}
