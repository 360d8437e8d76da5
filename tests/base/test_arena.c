// SPDX-License-Identifier: Apache-2.0
// The bump arena: what is taken lies apart and aligned, a copy gives back what it took, what does
// not fit is refused and remembered, and a sizing pass asks for exactly what the real one takes.
#include "base/arena.h"

#include <string.h>

#include "support/check.h"

enum { ROOM = 4096 };

typedef struct Block {
  _Alignas(ARENA_ALIGNMENT) unsigned char bytes[ROOM + ARENA_ALIGNMENT];
} Block;

static void test_takes_are_aligned_and_apart(void** state) {
  (void)state;
  Block block;
  Arena arena = arena_make(block.bytes, ROOM, NULL);
  unsigned char* before = block.bytes;
  for (size_t size = 0; size < 70; ++size) {
    unsigned char* at = arena_take_bytes(&arena, size, 1);
    if (!at) break;
    assert_int_equal((uintptr_t)at % ARENA_ALIGNMENT, 0);
    assert_true(at >= before && at + size <= block.bytes + ROOM);
    memset(at, 0xAB, size);
    before = at + size;
  }
  assert_int_equal(arena.used % ARENA_ALIGNMENT, 0);
}

static void take_some(Arena scratch, int depth) {
  assert_non_null(arena_take(&scratch, 10, double));
  if (depth > 1) take_some(scratch, depth - 1);
}

static void test_a_copy_gives_back_what_it_took(void** state) {
  (void)state;
  Block block;
  size_t peak = 0;
  Arena arena = arena_make(block.bytes, ROOM, &peak);
  int* mine = arena_take(&arena, 4, int);
  const size_t used = arena.used;
  take_some(arena, 3);
  assert_int_equal(arena.used, used);
  assert_int_equal(peak, used + 3 * 128);
  // The next take lies where the copies had theirs.
  assert_ptr_equal(arena_take(&arena, 1, char), (char*)mine + used);
  assert_int_equal(peak, used + 3 * 128);
}

static void test_what_fits_exactly_is_given(void** state) {
  (void)state;
  Block block;
  for (size_t size = ARENA_ALIGNMENT; size <= 4 * ARENA_ALIGNMENT; size += ARENA_ALIGNMENT) {
    Arena arena = arena_make(block.bytes, size, NULL);
    assert_ptr_equal(arena_take_bytes(&arena, size, 1), block.bytes);
    assert_int_equal(arena.overflow, 0);
    assert_int_equal(arena.used, size);
    assert_null(arena_take_bytes(&arena, 1, 1));
    assert_int_equal(arena.overflow, 1);
  }
}

static void test_overflow_is_remembered_and_takes_nothing(void** state) {
  (void)state;
  Block block;
  size_t peak = 0;
  Arena arena = arena_make(block.bytes, 256, &peak);
  assert_non_null(arena_take(&arena, 100, char));
  assert_null(arena_take(&arena, 129, char));
  assert_int_equal(arena.overflow, 1);
  assert_int_equal(arena.used, 128);
  assert_int_equal(peak, 128);
  assert_non_null(arena_take(&arena, 128, char));  // smaller things still fit
  assert_int_equal(arena.overflow, 1);
}

static void test_products_that_wrap_around_are_refused(void** state) {
  (void)state;
  Block block;
  const size_t counts[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1};
  const size_t sizes[] = {1, 2, 3, 8, 63, 64, SIZE_MAX / 2, SIZE_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; ++j) {
      Arena arena = arena_make(block.bytes, ROOM, NULL), measure = arena_measure();
      assert_null(arena_take_bytes(&arena, counts[i], sizes[j]));
      assert_null(arena_take_bytes(&measure, counts[i], sizes[j]));
      assert_int_equal(arena.overflow && measure.overflow, 1);
      assert_int_equal(arena.used + measure.used, 0);
    }
  }
}

static void lay_out(Arena* arena, void** out) {
  out[0] = arena_take(arena, 3, double);
  out[1] = arena_take(arena, 0, double);
  out[2] = arena_take(arena, 65, char);
  out[3] = arena_take(arena, 16, int);
  out[4] = arena_take(arena, 1, Block);
}

static void test_measure_is_the_layout(void** state) {
  (void)state;
  void *measured[5], *placed[5];
  Arena measure = arena_measure();
  lay_out(&measure, measured);
  for (int i = 0; i < 5; ++i) assert_null(measured[i]);
  static _Alignas(ARENA_ALIGNMENT) unsigned char memory[3 * sizeof(Block)];
  assert_true(measure.used <= sizeof memory);
  Arena arena = arena_make(memory, measure.used, NULL);
  lay_out(&arena, placed);
  assert_int_equal(arena.overflow, 0);
  assert_int_equal(arena.used, measure.used);
  assert_int_equal((unsigned char*)placed[4] + sizeof(Block) - memory, measure.used);
  arena = arena_make(memory, measure.used - 1, NULL);
  lay_out(&arena, placed);
  assert_int_equal(arena.overflow, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_takes_are_aligned_and_apart),
      cmocka_unit_test(test_a_copy_gives_back_what_it_took),
      cmocka_unit_test(test_what_fits_exactly_is_given),
      cmocka_unit_test(test_overflow_is_remembered_and_takes_nothing),
      cmocka_unit_test(test_products_that_wrap_around_are_refused),
      cmocka_unit_test(test_measure_is_the_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
