// SPDX-License-Identifier: Apache-2.0
// Controllers over UDP, with somebody on the way who records, repeats, races and reflects: the
// world answers nobody who has not proved a key and a place, and whoever reads along finds no text.
#define _GNU_SOURCE  // memmem
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "link/rig.h"

enum { MOST = 4096, ROOM = 2000 };
#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
static unsigned char key[TUNNEL_KEY];
static int port;
static char at_world[120], at_relay[120];

static int begin(void** state) {
  for (int i = 0; i < TUNNEL_KEY; ++i) key[i] = (unsigned char)i;
  port = 20000 + (int)getpid() % 20000;
  snprintf(at_world, sizeof at_world, "udp:%d#" KEY, port);
  snprintf(at_relay, sizeof at_relay, "udp:%d#" KEY, port + 1);
  return open_world(state);
}

static int udp_socket(int bound) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)bound)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int end = socket(AF_INET, SOCK_DGRAM, 0);
  assert_true(end >= 0);
  assert_int_equal(bind(end, (struct sockaddr*)&at, sizeof at), 0);
  at.sin_port = htons((uint16_t)port);
  if (bound == 0) assert_int_equal(connect(end, (struct sockaddr*)&at, sizeof at), 0);
  return end;
}

// Bytes that have come to a socket; *last is the last datagram.
static size_t bytes_at(int end, unsigned char* last) {
  unsigned char room[70000];
  size_t bytes = 0;
  for (ssize_t size; (size = recv(end, room, sizeof room, MSG_DONTWAIT)) > 0; bytes += (size_t)size)
    if (last) memcpy(last, room, (size_t)size < MOST ? (size_t)size : MOST);
  return bytes;
}

// ---- somebody on the way

typedef struct Kept {
  unsigned char bytes[MOST];
  size_t size;
  int from_world;
} Kept;

typedef struct Relay {
  int up, down, thief;  // to the controller, to the world, and a place of its own
  int race;             // each datagram is sent to the world from the own place first
  atomic_int end;
  Kept* kept;
  int count;
  pthread_t thread;
} Relay;

static void* pass_on(void* user) {
  Relay* r = user;
  struct sockaddr_in controller;
  socklen_t length = 0;
  while (!r->end) {
    struct pollfd look[2] = {{.fd = r->up, .events = POLLIN}, {.fd = r->down, .events = POLLIN}};
    if (poll(look, 2, 20) <= 0) continue;
    for (int side = 0; side < 2; ++side) {
      if (!(look[side].revents & POLLIN)) continue;
      Kept* k = &r->kept[r->count < ROOM - 1 ? r->count++ : ROOM - 1];
      socklen_t size = sizeof controller;
      const ssize_t got = side == 0 ? recvfrom(r->up, k->bytes, MOST, MSG_DONTWAIT,
                                               (struct sockaddr*)&controller, &size)
                                    : recv(r->down, k->bytes, MOST, MSG_DONTWAIT);
      k->size = got > 0 ? (size_t)got : 0;
      k->from_world = side;
      if (side == 0) length = size;
      if (got > 0 && side == 0 && r->race) send(r->thief, k->bytes, k->size, 0);
      if (got > 0 && side == 0) send(r->down, k->bytes, k->size, 0);
      if (got > 0 && side == 1 && length > 0)
        sendto(r->up, k->bytes, k->size, 0, (struct sockaddr*)&controller, length);
    }
  }
  return NULL;
}

static Relay start_relay(void) {
  Relay r = {.up = udp_socket(port + 1), .down = udp_socket(0), .thief = udp_socket(0)};
  r.kept = calloc(ROOM, sizeof *r.kept);
  assert_non_null(r.kept);
  return r;
}

static void end_relay(Relay* r) {
  r->end = 1;
  pthread_join(r->thread, NULL);
  close(r->up), close(r->down);
}

static void nobody_reads_steals_or_repeats(void** state) {
  (void)state;
  Relay r = start_relay();
  r.race = 1;
  assert_int_equal(pthread_create(&r.thread, NULL, pass_on, &r), 0);
  Arm arm = {.place = at_relay};
  Rig rig = make_rig(at_world, "");
  start(&arm);
  step(&rig, 200);
  assert_true(value(&rig, "lost") == 0 && !heft_link_broken(rig.link));
  const size_t stolen = bytes_at(r.thief, NULL);
  // all that was recorded is sent again, beside the living controller and to its place
  for (int i = 0; i < r.count; ++i) send(r.thief, r.kept[i].bytes, r.kept[i].size, 0);
  step(&rig, 20);
  assert_int_equal(bytes_at(r.thief, NULL), 0);
  free_rig(&rig);
  stop(&arm);
  assert_int_equal(arm.states, 220);
  end_relay(&r);
  size_t hellos = 0;
  for (int i = 0; i < r.count; ++i) {
    hellos += r.kept[i].bytes[5] == 3 ? TUNNEL_HELLO : 0;
    assert_null(memmem(r.kept[i].bytes, r.kept[i].size, "shoulder", 8));
    assert_true(r.kept[i].size < 5 || memcmp(r.kept[i].bytes, "HFTC\2", 5) == 0);
  }
  // in the race all was with the controller, and the thief got what a hello gets
  assert_true(stolen <= hellos);
  // ... and to a world that was started anew, and has no controller: a hello gets its size
  rig = make_rig(at_world, "");
  set_option(&rig, "wait", 0.02);
  for (int i = 0; i < r.count; ++i) {
    send(r.thief, r.kept[i].bytes, r.kept[i].size, 0);
    if (i % 50 == 0) step(&rig, 1);
  }
  step(&rig, 5);
  assert_true(value(&rig, "connected") == 0);
  assert_true(bytes_at(r.thief, NULL) <= hellos);
  free_rig(&rig);
  close(r.thief);
  free(r.kept);
}

// Version 1, without a key, with half of the key, and a ready of any session.
static void the_old_link_gets_nothing(void** state) {
  (void)state;
  Rig rig = make_rig(at_world, "");
  const int end = udp_socket(0);
  unsigned char bytes[100];
  set_option(&rig, "wait", 0.02);
  for (int type = LINK_JOIN; type < LINK_TYPE_END; ++type)
    for (int keyed = 0; keyed < 2; ++keyed) {
      const LinkHead head = {.type = (LinkType)type};
      const size_t size = link_packet_write(&head, 0, keyed ? key : NULL, bytes);
      assert_true(send(end, bytes, size, 0) > 0);
    }
  step(&rig, 5);
  assert_int_equal(bytes_at(end, NULL), 0);
  assert_true(value(&rig, "connected") == 0 && value(&rig, "refused") == 12);
  free_rig(&rig);
  // by name it does
  char old[120];
  snprintf(old, sizeof old, "udp:%d#000102030405060708090a0b0c0d0e0f,version=1", port);
  Arm arm = {.place = old};
  rig = make_rig(old, "");
  start(&arm);
  step(&rig, 20);
  const LinkHead join = {.type = LINK_JOIN};
  send(end, bytes, link_packet_write(&join, 0, NULL, bytes), 0);  // without its tag
  step(&rig, 5);
  assert_int_equal(bytes_at(end, NULL), 0);
  free_rig(&rig);
  stop(&arm);
  assert_int_equal(arm.states, 25);
  close(end);
}

// A hello gets as many bytes as it has. A confirm counts at the place of its welcome, and a session
// ends there if its controller has been silent and another one proves itself.
static void a_place_proves_itself(void** state) {
  (void)state;
  TunnelGuest guest;
  unsigned char hello[TUNNEL_HELLO], welcome[MOST], confirm[MOST], join[100], bytes[MOST];
  Rig rig = make_rig(at_world, "");
  const int end = udp_socket(0), thief = udp_socket(0);
  set_option(&rig, "wait", 0.02);
  // the key of devices, in a packet with the letters of controllers, is another one
  static const TunnelKind devices = {.letters = {'H', 'F', 'T', 'C'},
                                     .context = {'h', 'e', 'f', 't', 'u', 'd', 'p', '2'}};
  assert_true(tunnel_guest_make(&guest, &devices, key, NULL));
  tunnel_guest_hello(&guest, hello);
  assert_true(send(end, hello, sizeof hello, 0) > 0);
  step(&rig, 2);
  assert_int_equal(bytes_at(end, NULL), 0);
  assert_true(tunnel_guest_make(&guest, &link_tunnel, key, NULL));
  for (int wrong = 1; wrong >= 0; --wrong) {
    tunnel_guest_hello(&guest, hello);
    hello[20] ^= (unsigned char)wrong;
    assert_true(send(end, hello, sizeof hello, 0) > 0);
    step(&rig, 2);
    assert_int_equal(bytes_at(end, welcome), wrong ? 0 : sizeof hello);
  }
  TunnelPacket p = {.bytes = welcome, .size = TUNNEL_HELLO, .out = confirm};
  assert_int_equal(tunnel_guest_take(&guest, &p), TUNNEL_ANSWER);
  const LinkHead head = {.type = LINK_JOIN};
  const size_t size =
      tunnel_guest_seal(&guest, bytes, link_packet_write(&head, 0, NULL, bytes), join);
  for (int at = 0; at < 2; ++at) {  // from another place, and from its own
    assert_true(send(at == 0 ? thief : end, confirm, p.out_size, 0) > 0);
    step(&rig, 2);
    assert_true(send(thief, join, size, 0) > 0);
    step(&rig, 2);
    assert_int_equal(bytes_at(thief, NULL), 0);
    assert_int_equal(bytes_at(end, NULL), 0);
  }
  assert_true(send(end, join, size, 0) > 0);
  step(&rig, 2);
  assert_true(bytes_at(end, NULL) > 4 * size);  // the description
  close(end), close(thief);
  free_rig(&rig);
}

// A world that ends without a word, and another one at its place: the controller cannot read it,
// and notices that it offers another session.
static void a_controller_notices_another_world(void** state) {
  (void)state;
  Arm arm = {.place = at_relay};
  Relay r = start_relay();
  assert_int_equal(pthread_create(&r.thread, NULL, pass_on, &r), 0);
  Rig rig = make_rig(at_world, "");
  start(&arm);
  step(&rig, 20);
  end_relay(&r);  // the last word of this world is lost
  free_rig(&rig);
  rig = make_rig(at_world, "");
  set_option(&rig, "wait", 0.01);
  Relay other = start_relay();
  assert_int_equal(pthread_create(&other.thread, NULL, pass_on, &other), 0);
  for (int i = 0; i < 300 && !arm.ended; ++i) {
    poll(NULL, 0, 20);
    step(&rig, 1);
  }
  assert_true(arm.ended);
  stop(&arm);
  free_rig(&rig);
  end_relay(&other);
  close(r.thief), close(other.thief);
  free(r.kept), free(other.kept);
}

int main(void) {
  if (!tunnel_is_there()) {
    print_message("skipped: this build has no libsodium\n");
    return 77;
  }
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, close_world)
  const struct CMUnitTest tests[] = {
      TEST(nobody_reads_steals_or_repeats),
      TEST(the_old_link_gets_nothing),
      TEST(a_place_proves_itself),
      TEST(a_controller_notices_another_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
