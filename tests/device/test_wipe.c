// SPDX-License-Identifier: Apache-2.0
// Keys are overwritten: in memory that is given back, and on the stack of a handshake. The compiler
// may leave out a store to memory that nobody reads, so the tests run on what it made.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef HEFT_HAVE_SODIUM
#include <sodium.h>
#endif

#include "device/driver_list.h"
#include "device/secure.h"
#include "support/check.h"
#include "support/wiped.h"

// AddressSanitizer has stacks of its own, and forbids to look at the one that a thread has left.
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_STACKS_OF_ITS_OWN 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define HAS_STACKS_OF_ITS_OWN 1
#endif

#define KEY "8c0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e9f"
static const char address[] = "7476#" KEY;
static unsigned char key[TUNNEL_KEY];

static void a_closed_device_has_no_key(void** state) {
  (void)state;
  Wiped wiped = {.secret = {key, KEY}, .length = {sizeof key, 2 * sizeof key}};
  HeftDevice* device = NULL;
  HeftError error = {0};
  HeftDeviceDef def = heft_device_def_default();
  def.allocator = wiped_allocator(&wiped);
  if (heft_device_open(&device, &heft_driver_udp, address, &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_true(wiped_has(device, 64, device, 8));  // the search finds what is there
  heft_device_close(device);
  assert_true(wiped.released > 0);
  assert_int_equal(wiped.found, 0);
}

// A lost device is closed and opened again: its block stays.
static void a_closed_port_has_no_key(void** state) {
  (void)state;
  const size_t size = heft_driver_udp.size;
  unsigned char* self = calloc(1, size);
  HeftError error = {0};
  assert_non_null(self);
  assert_int_equal(heft_driver_udp.open(self, address, &error), HEFT_OK);
  assert_true(wiped_has(self, size, key, sizeof key));
  heft_driver_udp.close(self);
  assert_false(wiped_has(self, size, key, sizeof key));
  free(self);
}

#ifndef HAS_STACKS_OF_ITS_OWN

// ---- the stack

static TunnelHost host;
static TunnelGuest guest, before;  // before: with the secrets of the handshake
static unsigned char hello[TUNNEL_HELLO], welcome[TUNNEL_HELLO];
static unsigned char confirm[TUNNEL_CONFIRM + TUNNEL_DESCRIPTION];
static int well;

static void* shake_hands(void* user) {
  static const TunnelKind kind = {.letters = {'T', 'E', 'S', 'T'}, .description = 8};
  TunnelPacket p = {.now_ns = 1, .place = 7, .bytes = hello, .size = TUNNEL_HELLO, .out = welcome};
  (void)user;
  well =
      tunnel_host_make(&host, &kind, key, 1) && tunnel_guest_make(&guest, &kind, key, "12345678");
  tunnel_guest_hello(&guest, hello);
  well = well && tunnel_host_take(&host, 0, &p) == TUNNEL_ANSWER;
  before = guest;
  p = (TunnelPacket){.bytes = welcome, .size = TUNNEL_HELLO, .out = confirm};
  well = well && tunnel_guest_take(&guest, &p) == TUNNEL_ANSWER;
  p = (TunnelPacket){.now_ns = 2, .place = 7, .bytes = confirm, .size = p.out_size, .out = welcome};
  well = well && tunnel_host_take(&host, 0, &p) == TUNNEL_SESSION;
  return NULL;
}

static void a_handshake_leaves_no_key_on_the_stack(void** state) {
  (void)state;
  enum { STACK = 1 << 18 };
  void* stack = NULL;
  pthread_attr_t attributes;
  pthread_t thread;
  assert_int_equal(posix_memalign(&stack, 4096, STACK), 0);
  memset(stack, 0, STACK);
  pthread_attr_init(&attributes);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, shake_hands, NULL), 0);
  pthread_join(thread, NULL);
  assert_true(well);
  assert_memory_equal(host.session.in_key, guest.session.out_key, TUNNEL_KEY);
  assert_true(wiped_has(&guest, sizeof guest, host.session.in_key, TUNNEL_KEY));
  unsigned char in[TUNNEL_KEY] = {1}, out[TUNNEL_KEY] = {1};  // the shared secrets
#ifdef HEFT_HAVE_SODIUM
  assert_int_equal(crypto_kx_client_session_keys(in, out, before.public_key, before.secret_key,
                                                 welcome + 8 + TUNNEL_KEY),
                   0);
#endif
  // a part of a key is enough to find it: its ends may be overwritten by chance
  for (int i = 0; i < TUNNEL_KEY; i += 8) {
    assert_false(wiped_has(stack, STACK, host.session.in_key + i, 8));
    assert_false(wiped_has(stack, STACK, host.session.out_key + i, 8));
    assert_false(wiped_has(stack, STACK, before.secret_key + i, 8));
    assert_false(wiped_has(stack, STACK, in + i, 8));
    assert_false(wiped_has(stack, STACK, out + i, 8));
  }
  free(stack);
}

#endif

static int begin(void** state) {
  (void)state;
  for (int i = 0; i < TUNNEL_KEY; ++i) key[i] = (unsigned char)i;
  key[0] = 0x8c;
  key[TUNNEL_KEY - 1] = 0x9f;
  return 0;
}

int main(void) {
  if (!tunnel_is_there()) {
    print_message("skipped: this build has no libsodium\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_closed_device_has_no_key),
#ifndef HAS_STACKS_OF_ITS_OWN
                                     cmocka_unit_test(a_handshake_leaves_no_key_on_the_stack),
#endif
                                     cmocka_unit_test(a_closed_port_has_no_key)};
  return cmocka_run_group_tests(tests, begin, NULL);
}
