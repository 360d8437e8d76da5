// SPDX-License-Identifier: Apache-2.0
// The triple buffer: the reader gets whole values, the newest, in the order of writing, and neither
// thread ever holds the slot of the other.
#include "base/triple_buffer.h"

#include <pthread.h>

#include "support/check.h"

enum { VALUES = 200000, WORDS = 32 };

typedef struct Value {
  long word[WORDS];
} Value;

typedef struct Channel {
  TripleBuffer buffer;
  Value slot[3];
} Channel;

static void write_value(Channel* c, long value) {
  for (int k = 0; k < WORDS; ++k) c->slot[c->buffer.writing].word[k] = value;
}

static void test_one_thread(void** state) {
  (void)state;
  static Channel c;
  triple_buffer_init(&c.buffer);
  assert_int_equal(triple_buffer_take(&c.buffer), 0);
  write_value(&c, 1);
  assert_int_equal(triple_buffer_publish(&c.buffer), 1);  // nothing was waiting
  write_value(&c, 2);
  assert_int_equal(triple_buffer_publish(&c.buffer), 0);  // the first was never read
  assert_int_equal(triple_buffer_take(&c.buffer), 1);
  assert_int_equal(c.slot[c.buffer.reading].word[0], 2);
  assert_int_equal(triple_buffer_take(&c.buffer), 0);
  assert_int_equal(c.slot[c.buffer.reading].word[0], 2);  // stays
  write_value(&c, 3);
  assert_int_equal(c.slot[c.buffer.reading].word[0], 2);
  assert_int_equal(triple_buffer_publish(&c.buffer), 1);
  const int middle = atomic_load(&c.buffer.middle) & 3;
  assert_true(c.buffer.writing != c.buffer.reading && c.buffer.writing != middle &&
              c.buffer.reading != middle);
}

static void* write_all(void* user) {
  Channel* c = user;
  for (long value = 1; value <= VALUES; ++value) {
    write_value(c, value);
    triple_buffer_publish(&c->buffer);
  }
  return NULL;
}

static void test_two_threads(void** state) {
  (void)state;
  static Channel c;
  triple_buffer_init(&c.buffer);
  pthread_t writer;
#ifdef HEFT_NO_THREADS
  skip();
#endif
  assert_int_equal(pthread_create(&writer, NULL, write_all, &c), 0);
  long last = 0, torn = 0, backwards = 0;
  while (last < VALUES) {
    if (!triple_buffer_take(&c.buffer)) continue;
    const Value* value = &c.slot[c.buffer.reading];
    for (int k = 1; k < WORDS; ++k) torn += value->word[k] != value->word[0];
    backwards += value->word[0] <= last;
    last = value->word[0];
  }
  pthread_join(writer, NULL);
  assert_int_equal(torn, 0);
  assert_int_equal(backwards, 0);
  assert_int_equal(triple_buffer_take(&c.buffer), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_thread),
      cmocka_unit_test(test_two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
