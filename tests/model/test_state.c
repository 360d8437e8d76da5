// SPDX-License-Identifier: Apache-2.0
// States: where they begin, snapshots by copying, keyframes, a hash that sees every bit.
#include <heft/model.h>
#include <string.h>

#include "support/check.h"
#include "support/sample.h"

static HeftModel* m;
static HeftState *a, *b;

static int make(void** state) {
  (void)state;
  m = sample_create(NULL, NULL);
  if (!m || heft_state_create(&a, m, NULL, NULL) != HEFT_OK) return -1;
  return heft_state_create(&b, m, NULL, NULL) == HEFT_OK ? 0 : -1;
}

static int destroy(void** state) {
  (void)state;
  heft_state_destroy(a);
  heft_state_destroy(b);
  heft_model_destroy(m);
  return 0;
}

static void fill(HeftState* s) {
  for (int i = 0; i < s->count; ++i) s->time[i] = 0.5 + i;
}

static void test_begins_at_the_default_pose_at_rest(void** state) {
  (void)state;
  assert_true(*a->time == 0);
  assert_memory_equal(a->q, m->q_default, (size_t)m->nq * sizeof(double));
  for (int i = 0; i < m->nv; ++i) assert_true(a->v[i] == 0);
  for (int i = 0; i < m->nact; ++i) assert_true(a->act[i] == 0);
  assert_true(m->nact > 0);
  fill(a);
  heft_state_reset(a, m);
  assert_true(heft_state_hash(a) == heft_state_hash(b));
}

// One block, without gaps: copying the numbers is copying the state.
static void test_one_block(void** state) {
  (void)state;
  assert_int_equal(a->count, 1 + m->nq + m->nv + m->nact + 13 * m->nmoved + 6 * m->nconveyor);
  assert_ptr_equal(a->q, a->time + 1);
  assert_ptr_equal(a->v, a->q + m->nq);
  assert_ptr_equal(a->act, a->v + m->nv);
  assert_ptr_equal(a->moved, a->act + m->nact);
  assert_ptr_equal(a->conveyor, a->moved + 13L * m->nmoved);
  assert_int_equal((uintptr_t)a->time % 64, 0);
}

static void test_a_copy_is_a_snapshot(void** state) {
  (void)state;
  fill(a);
  heft_state_copy(b, a);
  assert_memory_equal(a->time, b->time, (size_t)a->count * sizeof(double));
  assert_true(heft_state_hash(a) == heft_state_hash(b));
  a->v[2] += 1;
  assert_true(b->v[2] != a->v[2]);
  heft_state_copy(a, b);
  assert_true(heft_state_hash(a) == heft_state_hash(b));
}

static void test_the_hash_sees_every_bit(void** state) {
  (void)state;
  fill(a);
  const uint64_t before = heft_state_hash(a);
  unsigned char* bytes = (unsigned char*)a->time;
  for (long bit = 0; bit < 64L * a->count; ++bit) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_true(heft_state_hash(a) != before);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  assert_true(heft_state_hash(a) == before);
}

static void test_finite_looks_at_every_number(void** state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  fill(a);
  assert_int_equal(heft_state_finite(a), 1);
  for (int i = 0; i < a->count; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double before = a->time[i];
      a->time[i] = bad[k];
      assert_int_equal(heft_state_finite(a), 0);
      a->time[i] = before;
    }
  }
}

static void test_keyframes(void** state) {
  (void)state;
  heft_state_set_key(a, m, heft_model_find(m, HEFT_NAMED_KEY, "bent"));
  assert_true(*a->time == 2.5 && a->q[11] == 0.7 && a->v[5] == 0.05 && a->act[1] == 1.5);
  const int rest = heft_model_find(m, HEFT_NAMED_KEY, "rest");
  heft_state_set_key(a, m, rest);
  assert_true(heft_state_hash(a) == heft_state_hash(b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_begins_at_the_default_pose_at_rest, make, destroy),
      cmocka_unit_test_setup_teardown(test_one_block, make, destroy),
      cmocka_unit_test_setup_teardown(test_a_copy_is_a_snapshot, make, destroy),
      cmocka_unit_test_setup_teardown(test_the_hash_sees_every_bit, make, destroy),
      cmocka_unit_test_setup_teardown(test_finite_looks_at_every_number, make, destroy),
      cmocka_unit_test_setup_teardown(test_keyframes, make, destroy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
