// SPDX-License-Identifier: Apache-2.0
// A pool of threads.
//
// A loop is open from the moment that its round number is announced until its indices are used up.
// Threads that look at the round number enter an open loop and fetch indices; the caller takes
// part, closes the loop and waits for those that are inside. Nobody waits for a thread that has not
// come: on a busy machine the caller does the work by itself.
//
// The indices are divided into as many parts as there are threads. Each thread begins with its own
// part, and helps with the others afterwards. So the same thread mostly treats the same bodies in
// all loops of a step, and finds them in its cache.
//
// A step has dozens of loops, one soon after the other. So threads look at the round number for a
// while before they sleep, and so does the caller at the end of a loop. A thread that sleeps is
// woken by the next loop and is there for the one after.
//
// Entering is a store followed by a load (inside, open), closing the same the other way round
// (open, inside), both sequentially consistent: either the thread sees that the loop is closed, or
// the caller sees that it is inside. Falling asleep and waking work alike: a thread by (sleeping,
// round), the caller by (waiting, inside).
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"

enum { THREADS_MAX = 64, LOOKS = 4000 };

// The part of a loop that belongs to a thread.
typedef struct LoopPart {
  _Alignas(64) atomic_int next;  ///< the next index
  int end;
} LoopPart;

// Numbers that several threads change lie in lines of their own.
struct HeftPool {  // NOLINT(clang-analyzer-optin.performance.Padding)
  HeftAllocator allocator;
  size_t memory_size;
  int threads;
  int started;  ///< threads that run beside the caller
  pthread_t* thread;
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  HeftTask* task;
  void* arg;
  LoopPart* part;                  ///< threads
  _Alignas(64) atomic_uint round;  ///< changes when there is something to do
  atomic_int open;                 ///< 1 while threads may enter
  atomic_int ending;
  _Alignas(64) atomic_int inside;  ///< threads that may fetch indices
  atomic_int sleeping;             ///< threads that sleep, or are about to
  atomic_int waiting;              ///< 1 while the caller sleeps, or is about to
  atomic_int entered;              ///< gives each thread its number
};

static inline void pause_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void work_on(HeftPool* pool, LoopPart* part, int worker) {
  while (atomic_load_explicit(&part->next, memory_order_relaxed) < part->end) {
    const int index = atomic_fetch_add_explicit(&part->next, 1, memory_order_relaxed);
    if (index >= part->end) return;
    pool->task(pool->arg, worker, index);
  }
}

static void work(HeftPool* pool, int worker) {
  for (int k = 0; k < pool->threads; ++k)
    work_on(pool, &pool->part[(worker + k) % pool->threads], worker);
}

static void divide(HeftPool* pool, int count) {
  for (int k = 0; k < pool->threads; ++k) {
    const int64_t first = (int64_t)count * k / pool->threads;
    atomic_store_explicit(&pool->part[k].next, (int)first, memory_order_relaxed);
    pool->part[k].end = (int)((int64_t)count * (k + 1) / pool->threads);
  }
}

static void sleep_until_round(HeftPool* pool, unsigned seen) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->sleeping, 1);
  while (atomic_load(&pool->round) == seen) pthread_cond_wait(&pool->wake, &pool->lock);
  atomic_fetch_sub(&pool->sleeping, 1);
  pthread_mutex_unlock(&pool->lock);
}

// Waits for a round other than `seen`. Returns it.
static unsigned wait_for_round(HeftPool* pool, unsigned seen) {
  for (int i = 0; i < LOOKS; ++i) {
    const unsigned round = atomic_load_explicit(&pool->round, memory_order_acquire);
    if (round != seen) return round;
    pause_a_little();
  }
  sleep_until_round(pool, seen);
  return atomic_load(&pool->round);
}

static void leave(HeftPool* pool) {
  atomic_fetch_sub(&pool->inside, 1);
  if (!atomic_load(&pool->waiting)) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->lock);
}

static void* thread_main(void* arg) {
  HeftPool* pool = arg;
  const int worker = 1 + atomic_fetch_add(&pool->entered, 1);
  unsigned seen = 0;
  for (;;) {
    seen = wait_for_round(pool, seen);
    if (atomic_load(&pool->ending)) return NULL;
    atomic_fetch_add(&pool->inside, 1);
    if (atomic_load(&pool->open)) work(pool, worker);
    leave(pool);
  }
}

static void announce(HeftPool* pool) {
  atomic_fetch_add(&pool->round, 1);
  if (atomic_load(&pool->sleeping) == 0) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void wait_for_all(HeftPool* pool) {
  for (int i = 0; i < LOOKS; ++i) {
    if (atomic_load(&pool->inside) == 0) return;
    pause_a_little();
  }
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->waiting, 1);
  while (atomic_load(&pool->inside) > 0) pthread_cond_wait(&pool->done, &pool->lock);
  atomic_store(&pool->waiting, 0);
  pthread_mutex_unlock(&pool->lock);
}

HeftStatus heft_pool_create(HeftPool** out, int threads, const HeftAllocator* allocator,
                            HeftError* error) {
  HEFT_ASSERT(out && allocator);
  *out = NULL;
  if (threads < 1 || threads > THREADS_MAX)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "%d threads were asked for, expected 1 to %d",
                          threads, THREADS_MAX);
#ifdef HEFT_NO_THREADS
  threads = 1;  // the caller does all the work: the same bits
#endif
  Arena measure = arena_measure();
  arena_take(&measure, 1, HeftPool);
  arena_take(&measure, threads, pthread_t);
  arena_take(&measure, threads, LoopPart);
  HeftPool* pool = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
  if (!pool) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a pool of threads");
  memset(pool, 0, measure.used);
  Arena arena = arena_make(pool, measure.used, NULL);
  arena_take(&arena, 1, HeftPool);
  pool->thread = arena_take(&arena, threads, pthread_t);
  pool->part = arena_take(&arena, threads, LoopPart);
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
  atomic_store(&pool->ending, 1);
  announce(pool);
  for (int i = 0; i < pool->started; ++i) pthread_join(pool->thread[i], NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  const HeftAllocator allocator = pool->allocator;
  allocator.release(allocator.user, pool, pool->memory_size);
}

int heft_pool_threads(const HeftPool* pool) { return pool ? pool->threads : 1; }

// 1 if a loop is under way: a task that begins another does it by itself.
static int is_busy(HeftPool* pool) {
  return atomic_load(&pool->open) || atomic_load(&pool->inside) > 0;
}

void heft_pool_run(HeftPool* pool, int count, HeftTask* task, void* arg) {
  HEFT_ASSERT(task);
  if (!pool || pool->started == 0 || count < 2 || is_busy(pool)) {
    for (int i = 0; i < count; ++i) task(arg, 0, i);
    return;
  }
  pool->task = task;
  pool->arg = arg;
  divide(pool, count);
  atomic_store(&pool->open, 1);
  announce(pool);
  work(pool, 0);
  atomic_store(&pool->open, 0);
  wait_for_all(pool);
}

typedef struct Ranges {
  HeftRangeTask* task;
  void* arg;
  int count, size;
} Ranges;

static void run_range(void* arg, int worker, int index) {
  const Ranges* ranges = arg;
  const int first = index * ranges->size;
  const int end = ranges->count - first > ranges->size ? first + ranges->size : ranges->count;
  (void)worker;
  ranges->task(ranges->arg, first, end);
}

void heft_pool_run_ranges(HeftPool* pool, int count, int size, HeftRangeTask* task, void* arg) {
  HEFT_ASSERT(task && size > 0);
  Ranges ranges = {task, arg, count, size};
  heft_pool_run(pool, count / size + (count % size > 0), run_range, &ranges);
}
