// SPDX-License-Identifier: Apache-2.0
// Datagrams of links: what was written is read, and nothing else is.
#include <string.h>

#include "robot/packet.h"
#include "support/check.h"

static const unsigned char key[LINK_KEY] = {1, 2, 3};

static size_t controls(unsigned char* bytes, const unsigned char* with, uint32_t a, uint32_t b,
                       const double* number, int count) {
  const LinkHead head = {.type = LINK_CONTROLS, .session = 7, .number = 1u << 20, .a = a, .b = b};
  link_put_numbers(bytes + LINK_HEAD, number, count);
  return link_packet_write(&head, 8 * (size_t)count, with, bytes);
}

static void written_is_read(void** state) {
  (void)state;
  unsigned char bytes[200];
  const double number[3] = {1.5, -0.0, 1e300};
  for (int keyed = 0; keyed < 2; ++keyed) {
    const unsigned char* with = keyed ? key : NULL;
    LinkHead head;
    size_t body = 0;
    double out[5] = {9, 9, 9, 9, 9};
    bool forced = false;
    const size_t size = controls(bytes, with, 1, 2, number, 3);
    assert_int_equal(size, LINK_HEAD + 24 + (keyed ? LINK_TAG : 0));
    assert_true(link_packet_read(bytes, size, with, &head, &body));
    assert_int_equal(head.type, LINK_CONTROLS);
    assert_true(head.session == 7 && head.number == 1u << 20 && body == 24);
    assert_true(link_read_controls(&head, bytes + LINK_HEAD, body, 1, 2, out, &forced));
    assert_memory_equal(out, number, sizeof number);
    assert_true(forced && out[3] == 9);
  }
}

static void other_sizes_and_numbers_are_refused(void** state) {
  (void)state;
  unsigned char bytes[200];
  double number[3] = {1, 2, 3}, out[3];
  LinkHead head = {0};
  size_t body;
  bool forced = true;
  size_t size = controls(bytes, NULL, 1, 0, number, 1);
  assert_true(link_packet_read(bytes, size, NULL, &head, &body));
  assert_true(link_read_controls(&head, bytes + LINK_HEAD, body, 1, 2, out, &forced));
  assert_true(!forced && out[1] == 0 && out[2] == 0);
  assert_false(link_read_controls(&head, bytes + LINK_HEAD, body, 2, 2, out, &forced));
  assert_false(link_read_controls(&head, bytes + LINK_HEAD, body - 1, 1, 2, out, &forced));
  head.a = 2;  // with the bytes of one
  assert_false(link_read_controls(&head, bytes + LINK_HEAD, body, 1, 2, out, &forced));
  head.a = 1;
  head.b = UINT32_MAX;
  assert_false(link_read_controls(&head, bytes + LINK_HEAD, body, 1, 2, out, &forced));
  number[2] = (double)NAN;
  size = controls(bytes, NULL, 1, 2, number, 3);
  assert_true(link_packet_read(bytes, size, NULL, &head, &body));
  assert_false(link_read_controls(&head, bytes + LINK_HEAD, body, 1, 2, out, &forced));
}

static void every_byte_counts(void** state) {
  (void)state;
  unsigned char bytes[200];
  const double number[1] = {1};
  LinkHead head;
  size_t body;
  const size_t size = controls(bytes, key, 1, 0, number, 1);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] ^= 16;
    assert_false(link_packet_read(bytes, size, key, &head, &body));
    bytes[i] ^= 16;
  }
  for (size_t i = 0; i < size; ++i) assert_false(link_packet_read(bytes, i, key, &head, &body));
  bytes[4] = LINK_VERSION + 1;
  assert_int_equal(link_packet_version(bytes, size), LINK_VERSION + 1);
  assert_false(link_packet_read(bytes, size, NULL, &head, &body));
  bytes[4] = LINK_VERSION;
  bytes[5] = LINK_TYPE_END;
  assert_false(link_packet_read(bytes, size, NULL, &head, &body));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_is_read),
      cmocka_unit_test(other_sizes_and_numbers_are_refused),
      cmocka_unit_test(every_byte_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
