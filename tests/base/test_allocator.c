// SPDX-License-Identifier: Apache-2.0
// The default allocator: aligned as asked, usable to the last byte, NULL where there is no memory.
#include <heft/base.h>
#include <string.h>

#include "support/check.h"

static void test_alignment_and_size(void** state) {
  (void)state;
  const HeftAllocator heap = heft_allocator_default();
  const size_t sizes[] = {0, 1, 7, 8, 63, 64, 65, 1000, 4096, 100000};
  for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      void* memory = heap.allocate(heap.user, sizes[i], alignment);
      assert_non_null(memory);
      assert_int_equal((uintptr_t)memory % alignment, 0);
      memset(memory, 0x5A, sizes[i]);
      heap.release(heap.user, memory, sizes[i]);
    }
  }
}

static void test_too_much_is_null(void** state) {
  (void)state;
  const HeftAllocator heap = heft_allocator_default();
  assert_null(heap.allocate(heap.user, SIZE_MAX, 64));
  assert_null(heap.allocate(heap.user, SIZE_MAX - 32, 64));
}

static void test_null_may_be_released(void** state) {
  (void)state;
  const HeftAllocator heap = heft_allocator_default();
  heap.release(heap.user, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alignment_and_size),
      cmocka_unit_test(test_too_much_is_null),
      cmocka_unit_test(test_null_may_be_released),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
