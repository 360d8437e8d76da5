// SPDX-License-Identifier: Apache-2.0
// Links and controllers overwrite their keys before they give memory back.
#include "link/rig.h"
#include "support/wiped.h"

#define KEY "8c0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e9f"
static unsigned char key[TUNNEL_KEY];
static TunnelHost like;  // with the keys that follow from the key
static char at[120];

static Wiped searched(void) {
  return (Wiped){.secret = {key, like.keys.hello, like.keys.session, KEY},
                 .length = {LINK_KEY, TUNNEL_KEY, TUNNEL_KEY, 2 * TUNNEL_KEY}};
}

static int begin(void** state) {
  for (int i = 0; i < TUNNEL_KEY; ++i) key[i] = (unsigned char)i;
  key[0] = 0x8c;
  key[TUNNEL_KEY - 1] = 0x9f;
  if (!tunnel_host_make(&like, &link_tunnel, key, 1)) return -1;
  snprintf(at, sizeof at, "udp:%d#" KEY, 20000 + (int)getpid() % 20000);
  return open_world(state);
}

static void a_link_is_wiped(void** state) {
  (void)state;
  Wiped wiped = searched();
  const HeftAllocator a = wiped_allocator(&wiped);
  HeftLink* link = NULL;
  assert_int_equal(heft_link_create(&link, at, true, &a, NULL), HEFT_OK);
  heft_link_destroy(link);
  assert_true(wiped.released > 0);
  assert_int_equal(wiped.found, 0);
}

static Wiped of_robot;

static void* open_and_close(void* user) {
  const HeftAllocator a = wiped_allocator(&of_robot);
  HeftRobot* robot = NULL;
  Arm* arm = user;
  arm->failed = heft_robot_open(&robot, at, 60, &a, NULL) != HEFT_OK ||
                !wiped_has(robot, sizeof *robot, like.keys.hello, TUNNEL_KEY);
  while (!arm->failed && heft_robot_wait(robot)) heft_robot_send(robot);
  heft_robot_close(robot);
  return NULL;
}

static void a_robot_is_wiped(void** state) {
  (void)state;
  Arm arm = {.place = at};
  of_robot = searched();
  Rig rig = make_rig(at, "");
  assert_int_equal(pthread_create(&arm.thread, NULL, open_and_close, &arm), 0);
  step(&rig, 5);
  free_rig(&rig);
  stop(&arm);
  assert_true(of_robot.released > 0);
  assert_int_equal(of_robot.found, 0);
}

int main(void) {
  if (!tunnel_is_there()) {
    print_message("skipped: this build has no libsodium\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_link_is_wiped, begin, close_world),
      cmocka_unit_test_setup_teardown(a_robot_is_wiped, begin, close_world)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
