// SPDX-License-Identifier: Apache-2.0
// A pool of threads.
//
// A loop is announced by a new round number under the lock; the threads wake, take indices from a
// common counter, and the last one out wakes the caller. Between loops they look at the round
// number for a short while before they sleep, because the next loop of a step mostly comes soon.
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

enum { THREADS_MAX = 64, LOOKS = 2000 };

struct HeftPool {
  HeftAllocator allocator;
  size_t memory_size;
  int threads;
  int started;  ///< threads that run beside the caller
  pthread_t* thread;
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  atomic_uint round;  ///< changes when there is something to do
  int ending;
  int busy;  ///< threads that have not finished this round
  HeftTask* task;
  void* arg;
  int count;
  atomic_int next;
  atomic_int entered;  ///< gives each thread its number
};

static void work(HeftPool* pool, int worker) {
  for (;;) {
    const int index = atomic_fetch_add(&pool->next, 1);
    if (index >= pool->count) return;
    pool->task(pool->arg, worker, index);
  }
}

// Waits for a round other than `seen`. Returns it.
static unsigned wait_for_round(HeftPool* pool, unsigned seen) {
  for (int i = 0; i < LOOKS; ++i) {
    if (atomic_load_explicit(&pool->round, memory_order_acquire) != seen) break;
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->round) == seen) pthread_cond_wait(&pool->wake, &pool->lock);
  const unsigned round = atomic_load(&pool->round);
  pthread_mutex_unlock(&pool->lock);
  return round;
}

static void* thread_main(void* arg) {
  HeftPool* pool = arg;
  const int worker = 1 + atomic_fetch_add(&pool->entered, 1);
  unsigned seen = 0;
  for (;;) {
    seen = wait_for_round(pool, seen);
    if (pool->ending) return NULL;
    work(pool, worker);
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0) pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void announce(HeftPool* pool) {
  pthread_mutex_lock(&pool->lock);
  pool->busy = pool->started;
  atomic_fetch_add(&pool->round, 1);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

HeftStatus heft_pool_create(HeftPool** out, int threads, const HeftAllocator* allocator,
                            HeftError* error) {
  HEFT_ASSERT(out && allocator);
  *out = NULL;
  if (threads < 1 || threads > THREADS_MAX)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d threads were asked for, expected 1 to %d",
                          threads, THREADS_MAX);
  Arena measure = arena_measure();
  arena_take(&measure, 1, HeftPool);
  arena_take(&measure, threads, pthread_t);
  HeftPool* pool = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
  if (!pool) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a pool of threads");
  memset(pool, 0, measure.used);
  Arena arena = arena_make(pool, measure.used, NULL);
  arena_take(&arena, 1, HeftPool);
  pool->thread = arena_take(&arena, threads, pthread_t);
  pool->allocator = *allocator;
  pool->memory_size = measure.used;
  pool->threads = threads;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
  while (pool->started < threads - 1) {
    if (pthread_create(&pool->thread[pool->started], NULL, thread_main, pool) != 0) {
      heft_pool_destroy(pool);
      return heft_error_set(error, HEFT_ERR_MEMORY, "thread %d of %d could not be started",
                            pool->started + 2, threads);
    }
    ++pool->started;
  }
  *out = pool;
  return HEFT_OK;
}

void heft_pool_destroy(HeftPool* pool) {
  if (!pool) return;
  pool->ending = 1;
  announce(pool);
  for (int i = 0; i < pool->started; ++i) pthread_join(pool->thread[i], NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  const HeftAllocator allocator = pool->allocator;
  allocator.release(allocator.user, pool, pool->memory_size);
}

int heft_pool_threads(const HeftPool* pool) { return pool ? pool->threads : 1; }

void heft_pool_run(HeftPool* pool, int count, HeftTask* task, void* arg) {
  HEFT_ASSERT(task);
  if (!pool || pool->started == 0 || count < 2) {
    for (int i = 0; i < count; ++i) task(arg, 0, i);
    return;
  }
  pool->task = task;
  pool->arg = arg;
  pool->count = count;
  atomic_store(&pool->next, 0);
  announce(pool);
  work(pool, 0);
  pthread_mutex_lock(&pool->lock);
  while (pool->busy > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}
