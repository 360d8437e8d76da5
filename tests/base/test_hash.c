// SPDX-License-Identifier: Apache-2.0
// The hash: the same on every machine, moved by every bit, by the length and by the seed, and well
// spread.
#include <heft/base.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void fill(unsigned char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(i * 37 + 11);
}

// Recorded runs and compiled models hold such numbers: if one changes, all of those break.
static void test_golden_values(void** state) {
  (void)state;
  unsigned char bytes[64];
  fill(bytes, sizeof bytes);
  assert_true(heft_hash(NULL, 0, 0) == heft_hash("", 0, 0));
  const struct {
    uint64_t hash, golden;
  } rows[] = {
      {heft_hash("", 0, 0), UINT64_C(0x48218226FF3CD4BF)},
      {heft_hash("a", 1, 0), UINT64_C(0x0FB32F1BFC935079)},
      {heft_hash("Heft", 4, 0), UINT64_C(0xF80EC742A05F33BE)},
      {heft_hash("Heft", 4, 1), UINT64_C(0x727F71EE62078D7F)},
      {heft_hash(bytes, 8, 0), UINT64_C(0x99484F637CF7DF10)},
      {heft_hash(bytes, 15, 0), UINT64_C(0x278264DA6F45C9F6)},
      {heft_hash(bytes, 64, UINT64_C(0x123456789ABCDEF0)), UINT64_C(0x818CA4919107C19B)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (rows[i].hash != rows[i].golden)
      fail_msg("row %zu is 0x%016llX", i, (unsigned long long)rows[i].hash);
  }
}

static void test_the_address_does_not_matter(void** state) {
  (void)state;
  unsigned char bytes[80], moved[96];
  fill(bytes, sizeof bytes);
  for (size_t shift = 0; shift < 16; ++shift) {
    memcpy(moved + shift, bytes, sizeof bytes);
    assert_true(heft_hash(moved + shift, sizeof bytes, 5) == heft_hash(bytes, sizeof bytes, 5));
  }
}

static int bits_set(uint64_t x) {
  int count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

// Each flipped bit changes the hash, and about half of its bits.
static void test_every_bit_matters(void** state) {
  (void)state;
  unsigned char bytes[67];
  long flips = 0, changed = 0;
  for (size_t size = 1; size <= sizeof bytes; ++size) {
    fill(bytes, size);
    const uint64_t before = heft_hash(bytes, size, 0);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      const uint64_t after = heft_hash(bytes, size, 0);
      bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
      assert_true(after != before);
      assert_true(bits_set(after ^ before) >= 8);
      flips++;
      changed += bits_set(after ^ before);
    }
  }
  CHECK_AT_MOST(fabs((double)changed / (double)flips - 32), 0.25);
}

static void test_every_bit_of_the_seed_matters(void** state) {
  (void)state;
  unsigned char bytes[24];
  fill(bytes, sizeof bytes);
  const uint64_t before = heft_hash(bytes, sizeof bytes, 0);
  for (int bit = 0; bit < 64; ++bit)
    assert_true(heft_hash(bytes, sizeof bytes, UINT64_C(1) << bit) != before);
}

static void test_the_length_matters(void** state) {
  (void)state;
  const unsigned char zeros[100] = {0};
  uint64_t seen[101];
  for (size_t size = 0; size <= 100; ++size) {
    seen[size] = heft_hash(zeros, size, 0);
    for (size_t i = 0; i < size; ++i) assert_true(seen[i] != seen[size]);
  }
}

// Chained calls tell apart where one part ends and the next begins, and their order.
static void test_chaining(void** state) {
  (void)state;
  const uint64_t ab_c = heft_hash("c", 1, heft_hash("ab", 2, 0));
  const uint64_t a_bc = heft_hash("bc", 2, heft_hash("a", 1, 0));
  const uint64_t c_ab = heft_hash("ab", 2, heft_hash("c", 1, 0));
  const uint64_t abc = heft_hash("abc", 3, 0);
  const uint64_t abc_none = heft_hash("", 0, abc);
  assert_true(ab_c != a_bc && ab_c != c_ab && a_bc != c_ab);
  assert_true(abc != ab_c && abc != a_bc && abc != abc_none);
  assert_true(ab_c == heft_hash("c", 1, heft_hash("ab", 2, 0)));
}

// A quarter of a million small numbers, no two alike: what neighbouring states look like.
static int by_value(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return x < y ? -1 : x > y;
}

static void test_no_collisions_among_neighbours(void** state) {
  (void)state;
  enum { COUNT = 1 << 18 };
  static uint64_t hashes[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    const double pair[2] = {i * 1e-3, -i * 1e-3};
    hashes[i] = heft_hash(pair, sizeof pair, 0);
  }
  qsort(hashes, COUNT, sizeof *hashes, by_value);
  for (int i = 1; i < COUNT; ++i) assert_true(hashes[i] != hashes[i - 1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden_values),
      cmocka_unit_test(test_the_address_does_not_matter),
      cmocka_unit_test(test_every_bit_matters),
      cmocka_unit_test(test_every_bit_of_the_seed_matters),
      cmocka_unit_test(test_the_length_matters),
      cmocka_unit_test(test_chaining),
      cmocka_unit_test(test_no_collisions_among_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
