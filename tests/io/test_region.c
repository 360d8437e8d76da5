// SPDX-License-Identifier: Apache-2.0
// The region of a load: zeroed and aligned memory, the limit, products that overflow, lists that
// grow, and the release of every block.
#include "io/budget.h"
#include "io/name_table.h"
#include "io/region.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

typedef struct Count {
  long blocks, bytes;
} Count;

static void* count_allocate(void* user, size_t size, size_t alignment) {
  Count* c = user;
  ++c->blocks;
  c->bytes += (long)size;
  void* memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return memory ? memset(memory, 0xaa, size) : NULL;
}

static void count_release(void* user, void* memory, size_t size) {
  Count* c = user;
  --c->blocks;
  c->bytes -= (long)size;
  free(memory);
}

static void memory_is_zeroed_and_aligned(void** state) {
  (void)state;
  Count count = {0};
  Region r = region_make((HeftAllocator){count_allocate, count_release, &count});
  static const unsigned char zero[1000] = {0};
  for (size_t size = 0; size < 1000; size += 37) {
    unsigned char* memory = region_take(&r, size, 1);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 16, 0);
    assert_memory_equal(memory, zero, size);
    memset(memory, 0xff, size);
  }
  assert_true(count.blocks >= 1);
  region_release(&r);
  assert_int_equal(count.blocks, 0);
  assert_int_equal(count.bytes, 0);
}

static Budget budget_of(size_t bytes) {
  const HeftLoadLimits limits = {.total_bytes = bytes, .work = 1e9};
  return budget_make(heft_allocator_default(), &limits);
}

static void the_budget_counts_all_memory(void** state) {
  (void)state;
  Budget budget = budget_of(40000);
  Region r = region_make(budget_allocator(&budget));
  assert_non_null(region_take(&r, 30000, 1));
  assert_false(budget.memory_refused);
  assert_null(region_take(&r, 30000, 1));
  assert_true(budget.memory_refused);
  assert_true(budget.work >= 30000);
  budget_grant(&budget, 10000);  // a file of that size
  assert_non_null(region_take(&r, 30000, 1));
  region_release(&r);
  assert_true(budget.bytes == 0);
}

static void tables_find_all_names(void** state) {
  (void)state;
  enum { COUNT = 20000 };
  static char name[COUNT][16];
  Region r = region_make(heft_allocator_default());
  NameTable table = {0};
  assert_int_equal(name_table_index(&table, 0, "a"), -1);
  for (int i = 0; i < COUNT; ++i) {
    snprintf(name[i], sizeof name[i], "n%d", i / 2);
    assert_int_equal(
        name_table_add(&table, &r, (NameEntry){.name = name[i], .kind = i % 2, .index = i}), 1);
  }
  for (int i = 0; i < COUNT; ++i) assert_int_equal(name_table_index(&table, i % 2, name[i]), i);
  assert_int_equal(name_table_index(&table, 2, "n1"), -1);
  assert_null(name_table_find(&table, 0, "m1"));
  region_release(&r);
}

static void products_that_overflow_are_refused(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default());
  assert_null(region_take(&r, SIZE_MAX / 2, 4));
  const size_t half = (size_t)1 << (sizeof(size_t) * 4 + 1);  // more than the root of SIZE_MAX
  assert_null(region_take(&r, half, half));
  assert_non_null(region_take(&r, 0, 8));
  region_release(&r);
}

static void lists_keep_their_items_while_they_grow(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default());
  Grow list = {0};
  for (int i = 0; i < 1000; ++i) {
    int* slot = grow_add(&list, sizeof(int), &r);
    assert_non_null(slot);
    *slot = 3 * i;
  }
  assert_int_equal(list.count, 1000);
  for (int i = 0; i < 1000; ++i) assert_int_equal(GROW_AT(list, int, i), 3 * i);
  region_release(&r);
  Budget budget = budget_of(20000);
  Region small = region_make(budget_allocator(&budget));
  Grow cut = {0};
  int added = 0;
  while (grow_add(&cut, sizeof(int), &small)) ++added;
  assert_true(added >= 1024 && added < 5000);
  assert_int_equal(cut.count, added);
  region_release(&small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_zeroed_and_aligned),
      cmocka_unit_test(the_budget_counts_all_memory),
      cmocka_unit_test(tables_find_all_names),
      cmocka_unit_test(products_that_overflow_are_refused),
      cmocka_unit_test(lists_keep_their_items_while_they_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
