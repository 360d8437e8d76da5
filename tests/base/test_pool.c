// SPDX-License-Identifier: Apache-2.0
// The pool: every index is done once, by a worker that does one at a time, for any number of
// threads; wrong numbers are refused.
#include "base/pool.h"

#include <stdatomic.h>
#include <string.h>

#include "support/check.h"

enum { INDICES = 1000, THREADS = 8, ROUNDS = 200 };

typedef struct Ledger {
  int done[INDICES];
  atomic_int inside[THREADS];
  atomic_int crowded;
  int threads;
} Ledger;

static void note(void* arg, int worker, int index) {
  Ledger* ledger = arg;
  if (worker < 0 || worker >= ledger->threads || atomic_fetch_add(&ledger->inside[worker], 1) != 0)
    atomic_store(&ledger->crowded, 1);
  ++ledger->done[index];
  atomic_fetch_sub(&ledger->inside[worker], 1);
}

static void test_every_index_is_done_once(void** state) {
  (void)state;
  static Ledger ledger;
  const HeftAllocator allocator = heft_allocator_default();
  for (int threads = 1; threads <= THREADS; ++threads) {
    HeftPool* pool = NULL;
    HeftError error = {0};
    assert_int_equal(heft_pool_create(&pool, threads, &allocator, &error), HEFT_OK);
#ifdef __wasi__  // no threads: the caller works alone
    assert_int_equal(heft_pool_threads(pool), 1);
#else
    assert_int_equal(heft_pool_threads(pool), threads);
#endif
    memset(&ledger, 0, sizeof ledger);
    ledger.threads = threads;
    for (int round = 0; round < ROUNDS; ++round)
      heft_pool_run(pool, round % 3 ? INDICES : round, note, &ledger);
    int wanted[INDICES] = {0};
    for (int round = 0; round < ROUNDS; ++round) {
      for (int i = 0; i < (round % 3 ? INDICES : round); ++i) ++wanted[i];
    }
    assert_memory_equal(ledger.done, wanted, sizeof wanted);
    assert_int_equal(atomic_load(&ledger.crowded), 0);
    heft_pool_destroy(pool);
  }
}

static void test_no_pool_means_the_caller(void** state) {
  (void)state;
  static Ledger ledger;
  memset(&ledger, 0, sizeof ledger);
  ledger.threads = 1;
  heft_pool_run(NULL, 7, note, &ledger);
  for (int i = 0; i < 9; ++i) assert_int_equal(ledger.done[i], i < 7);
  assert_int_equal(heft_pool_threads(NULL), 1);
  heft_pool_destroy(NULL);
}

static void test_wrong_numbers_are_refused(void** state) {
  (void)state;
  const HeftAllocator allocator = heft_allocator_default();
  const int wrong[] = {0, -1, 65, 1 << 20};
  for (int i = 0; i < 4; ++i) {
    HeftPool* pool = (HeftPool*)&allocator;
    HeftError error = {0};
    assert_int_equal(heft_pool_create(&pool, wrong[i], &allocator, &error), HEFT_ERR_ARGUMENT);
    assert_null(pool);
    assert_non_null(strstr(error.message, "expected 1 to 64"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_index_is_done_once),
      cmocka_unit_test(test_no_pool_means_the_caller),
      cmocka_unit_test(test_wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
