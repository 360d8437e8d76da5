// SPDX-License-Identifier: Apache-2.0
// The region of a load: zeroed and aligned memory, the limit, products that overflow, lists that
// grow, and the release of every block.
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
  Region r = region_make((HeftAllocator){count_allocate, count_release, &count}, 1 << 20);
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

static void the_limit_counts_all_memory(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default(), 4096);
  assert_non_null(region_take(&r, 4080, 1));
  assert_null(region_take(&r, 17, 1));
  assert_non_null(region_take(&r, 16, 1));
  assert_null(region_take(&r, 1, 1));
  assert_int_equal(r.used, 4096);
  region_release(&r);
}

static void products_that_overflow_are_refused(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default(), SIZE_MAX);
  assert_null(region_take(&r, SIZE_MAX / 2, 4));
  const size_t half = (size_t)1 << (sizeof(size_t) * 4 + 1);  // more than the root of SIZE_MAX
  assert_null(region_take(&r, half, half));
  assert_non_null(region_take(&r, 0, 8));
  region_release(&r);
}

static void texts_end_with_a_zero_byte(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default(), 1 << 20);
  memset(region_take(&r, 64, 1), 'x', 64);
  assert_string_equal(region_text(&r, "abcdef", 3), "abc");
  assert_string_equal(region_text(&r, "", 0), "");
  region_release(&r);
}

static void lists_keep_their_items_while_they_grow(void** state) {
  (void)state;
  Region r = region_make(heft_allocator_default(), 1 << 20);
  Grow list = {0};
  for (int i = 0; i < 1000; ++i) {
    int* slot = grow_add(&list, sizeof(int), &r);
    assert_non_null(slot);
    *slot = 3 * i;
  }
  assert_int_equal(list.count, 1000);
  for (int i = 0; i < 1000; ++i) assert_int_equal(GROW_AT(list, int, i), 3 * i);
  region_release(&r);
  Region small = region_make(heft_allocator_default(), 64);
  Grow cut = {0};
  int added = 0;
  while (grow_add(&cut, sizeof(int), &small)) ++added;
  assert_int_equal(added, 8);
  assert_int_equal(cut.count, 8);
  region_release(&small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_zeroed_and_aligned),
      cmocka_unit_test(the_limit_counts_all_memory),
      cmocka_unit_test(products_that_overflow_are_refused),
      cmocka_unit_test(texts_end_with_a_zero_byte),
      cmocka_unit_test(lists_keep_their_items_while_they_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
