// SPDX-License-Identifier: Apache-2.0
// Papers: R40.
// Version 1 of the UDP protocol: what is lost, late, twice, forged or garbage does no harm.
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "emulate/emulate.h"

#include "device/driver_list.h"
#include "device/packet.h"
#include "device/siphash.h"
#include "support/check.h"

enum { PORT = 7472, MS = 1000000 };
static const char address[] = "7472#000102030405060708090a0b0c0d0e0f,version=1";
static const unsigned char key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

typedef struct Pair {
  HeftDevice* device;
  int socket;
  struct sockaddr_in host;
  uint64_t nonce, host_nonce, number, now;
} Pair;

static void client(Pair* p, uint64_t nonce) {
  p->socket = socket(AF_INET, SOCK_DGRAM, 0);
  assert_true(p->socket >= 0);
  p->host.sin_family = AF_INET;
  p->host.sin_port = htons(PORT);
  p->host.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  p->nonce = nonce;
}

static void send_bytes(const Pair* p, const unsigned char* bytes, size_t size) {
  assert_int_equal(
      sendto(p->socket, bytes, size, 0, (const struct sockaddr*)&p->host, sizeof p->host),
      (ssize_t)size);
}

static void send_packet(const Pair* p, const Packet* packet) {
  unsigned char bytes[PACKET_MAX];
  send_bytes(p, bytes, packet_write(packet, key, bytes));
}

static int receive(const Pair* p, Packet* packet) {
  unsigned char bytes[512];
  for (;;) {
    const ssize_t size = recv(p->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0) return 0;
    if (packet_read(bytes, (size_t)size, key, packet)) return 1;
  }
}

static HeftDeviceRead look(Pair* p, HeftDeviceSample* sample) {
  p->now += MS;
  return heft_device_read(p->device, p->now, sample);
}

static Packet state_of(Pair* p, double z) {
  return (Packet){.type = PACKET_STATE,
                  .device_nonce = p->nonce,
                  .host_nonce = p->host_nonce,
                  .number = ++p->number,
                  .sample = {.pos = {0, 0, z}, .rot = {1, 0, 0, 0}}};
}

static void shake_hands_as(Pair* p, double force_max) {
  HeftDeviceSample sample;
  const Packet hello = {
      .type = PACKET_HELLO,
      .device_nonce = p->nonce,
      .info = {.name = "thing", .axes_sensed = 3, .force_max = force_max, .rate = 1000}};
  send_packet(p, &hello);
  look(p, &sample);
  Packet answer;
  assert_true(receive(p, &answer));
  assert_int_equal(answer.type, PACKET_WELCOME);
  p->host_nonce = answer.host_nonce;
}

static void shake_hands(Pair* p) { shake_hands_as(p, 8); }

static Pair connected_to(const char* host) {
  Pair p = {.now = 1000000000u};
  HeftError error = {0};
  HeftDeviceDef def = heft_device_def_default();
  def.guard.ramp = 0;
  def.guard.passivity = 0;
  if (heft_device_open(&p.device, &heft_driver_udp, host, &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  client(&p, 4711);
  return p;
}

static Pair connected(void) {
  Pair p = connected_to(address);
  shake_hands(&p);
  return p;
}

static void end(Pair* p) {
  heft_device_close(p->device);
  close(p->socket);
}

// The published test vector: bytes 0 to 14 under the key 0 to 15.
static void the_tag_is_siphash(void** state) {
  (void)state;
  unsigned char bytes[15];
  for (int i = 0; i < 15; ++i) bytes[i] = (unsigned char)i;
  assert_true(siphash(key, bytes, 15) == 0xa129ca6149be45e5u);
}

static void packets_come_back_as_they_went(void** state) {
  (void)state;
  unsigned char bytes[PACKET_MAX];
  Packet out, in = {.type = PACKET_STATE, .device_nonce = 5, .host_nonce = 6, .number = 7};
  in.sample = (HeftDeviceSample){.time_ns = 9,
                                 .pos = {0.1, -2, 3},
                                 .rot = {0.5, 0.5, -0.5, 0.5},
                                 .vel = {1, 2, 3},
                                 .spin = {4, 5, 6},
                                 .buttons = 5,
                                 .grip = 0.25};
  size_t size = packet_write(&in, key, bytes);
  assert_int_equal(size, 168);
  assert_true(packet_read(bytes, size, key, &out));
  assert_memory_equal(&in.sample, &out.sample, sizeof in.sample);
  // Every bit counts.
  for (size_t i = 0; i < 8 * size; ++i) {
    bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    assert_false(packet_read(bytes, size, key, &out));
    bytes[i / 8] ^= (unsigned char)(1u << i % 8);
  }
  for (size_t i = 0; i < size; ++i) assert_false(packet_read(bytes, i, key, &out));
  in.sample.vel.y = (double)NAN;
  assert_false(packet_read(bytes, packet_write(&in, key, bytes), key, &out));
}

static void samples_and_forces_pass(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  Packet answer;
  const HeftDeviceForce command = {.force = {0, 0, 2}};
  for (int i = 1; i <= 20; ++i) {
    const Packet s = state_of(&p, 0.001 * i);
    send_packet(&p, &s);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    assert_true(sample.pos.z == 0.001 * i);
    heft_device_write(p.device, p.now, &command, NULL);
    assert_true(receive(&p, &answer));
    assert_int_equal(answer.type, PACKET_FORCE);
    assert_int_equal(answer.echo, i);
  }
  assert_true(answer.force.force.z > 0);
  assert_string_equal(heft_device_info(p.device).name, "thing");
  end(&p);
}

static void duplicates_and_latecomers_are_dropped(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  Packet s[4];
  for (int i = 0; i < 4; ++i) s[i] = state_of(&p, 0.001 * i);
  send_packet(&p, &s[1]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  send_packet(&p, &s[1]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_NOTHING);
  send_packet(&p, &s[0]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_NOTHING);
  send_packet(&p, &s[3]);
  send_packet(&p, &s[2]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  assert_true(sample.pos.z == 0.003);
  end(&p);
}

static void forgeries_are_dropped(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  unsigned char bytes[PACKET_MAX], other[16] = {9};
  Packet s = state_of(&p, 0.01);
  send_bytes(&p, bytes, packet_write(&s, other, bytes));  // wrong key
  s.host_nonce ^= 2;                                      // a packet of another session
  send_packet(&p, &s);
  s = state_of(&p, 0.01);
  s.device_nonce ^= 2;
  send_packet(&p, &s);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_NOTHING);
  // While one device is alive, no other may come.
  s = state_of(&p, 0.01);
  send_packet(&p, &s);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  Pair thief = {.device = p.device, .now = p.now};
  client(&thief, 666);
  const Packet hello = {.type = PACKET_HELLO, .device_nonce = 666, .info = {.rate = 1000}};
  send_packet(&thief, &hello);
  look(&thief, &sample);
  Packet answer;
  assert_false(receive(&thief, &answer));
  close(thief.socket);
  end(&p);
}

// A genuine state that is sent from another place first.
static void a_session_keeps_its_place(void** state) {
  (void)state;
  Pair p = connected();
  Pair thief = {.device = p.device, .now = p.now};
  HeftDeviceSample sample;
  const HeftDeviceForce command = {.force = {0, 0, 2}};
  client(&thief, 0);
  for (int i = 0; i < 20; ++i) {
    const Packet s = state_of(&p, 0.001 * i);
    if (i > 0) send_packet(&thief, &s);
    send_packet(&p, &s);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    heft_device_write(p.device, p.now, &command, NULL);
  }
  Packet answer;
  assert_false(receive(&thief, &answer));
  assert_true(receive(&p, &answer));
  close(thief.socket);
  end(&p);
}

static void garbage_is_dropped(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  uint64_t seed = 88172645463325252u;
  for (int i = 0; i < 2000; ++i) {
    unsigned char bytes[300];
    const size_t size = (size_t)(i % 300) + 1;
    for (size_t k = 0; k < size; ++k) {
      seed ^= seed << 13;
      seed ^= seed >> 7;
      seed ^= seed << 17;
      bytes[k] = (unsigned char)seed;
    }
    if (i % 3 == 0) memcpy(bytes, "HEFT\1\1\250", size < 8 ? size : 8);
    send_bytes(&p, bytes, size);
    if (i % 16 == 0) assert_int_not_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  }
  for (int i = 0; i < 200; ++i) assert_int_not_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  const Packet s = state_of(&p, 0.01);
  send_packet(&p, &s);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  end(&p);
}

// The device is switched off: no force after 50 ms. It comes back with another number.
static void a_device_that_was_off_comes_back(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  const HeftDeviceForce command = {.force = {0, 0, 2}};
  Packet s = state_of(&p, 0);
  send_packet(&p, &s);
  look(&p, &sample);
  assert_true(heft_device_write(p.device, p.now, &command, NULL).force.z > 0);
  close(p.socket);
  int ms = 0;
  for (; ms < 200; ++ms) {
    look(&p, &sample);
    if (heft_device_write(p.device, p.now, &command, NULL).force.z == 0) break;
  }
  CHECK_AT_MOST(ms, 100);
  for (; ms < 1500; ++ms) look(&p, &sample);
  client(&p, 4712);
  p.number = 0;
  shake_hands(&p);
  s = state_of(&p, 0);
  send_packet(&p, &s);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  assert_true(heft_device_write(p.device, p.now, &command, NULL).force.z > 0);
  end(&p);
}

// Bytes of earlier sessions, sent again by somebody without the key, in the order that once gave
// the session away: an old hello, a hello, states.
static double force_felt(Pair* p) {
  HeftDeviceSample sample;
  Packet answer = {0};
  double most = 0;
  for (int i = 0; i < 5; ++i) {
    const HeftDeviceForce command = {.force = {0, 0, 7}};
    const Packet packet = state_of(p, 0);
    send_packet(p, &packet);
    assert_int_equal(look(p, &sample), HEFT_DEVICE_FRESH);
    heft_device_write(p->device, p->now, &command, NULL);
    while (receive(p, &answer)) most = fmax(most, answer.force.force.z);
  }
  return most;
}

// A weak device in the place of a strong one gets no more than it can bear, and a strong one in its
// place is not held back.
static void another_device_has_limits_of_its_own(void** state) {
  (void)state;
  static const double limits[] = {8, 0.5, 8};
  Pair p = connected();
  for (int i = 0; i < 3; ++i) {
    if (i > 0) {
      p.now += 1200u * MS;
      p.nonce += 100;
      p.number = 0;
      shake_hands_as(&p, limits[i]);
    }
    const double felt = force_felt(&p);
    CHECK_AT_MOST(felt, limits[i]);
    CHECK_AT_MOST(fmin(7, limits[i]) - felt, 1e-9);
    assert_true(heft_device_info(p.device).force_max == limits[i]);
  }
  end(&p);
}

// The host states a force of 6 N: it is known before the device says hello, and a device may ask
// for less, but not for more. 0: it states none.
static void the_address_states_a_force(void** state) {
  (void)state;
  static const double stated[] = {8, 0.5, 0, 1e6}, limits[] = {6, 0.5, 6, 6};
  Pair p = connected_to("7472#000102030405060708090a0b0c0d0e0f,force=6,version=1");
  assert_true(heft_device_info(p.device).force_max == 6);
  for (int i = 0; i < 4; ++i) {
    p.now += 1200u * MS;
    p.nonce += 100;
    p.number = 0;
    shake_hands_as(&p, stated[i]);
    const double felt = force_felt(&p);
    CHECK_AT_MOST(fabs(felt - limits[i]), 1e-9);
    assert_true(heft_device_info(p.device).force_max == limits[i]);
  }
  end(&p);
}

static void bytes_of_earlier_sessions_are_dropped(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  enum { KEPT = 50 };
  unsigned char kept[KEPT][PACKET_MAX], hello[2][PACKET_MAX];
  size_t size[KEPT], hello_size[2];
  const HeftDeviceForce command = {.force = {0, 0, 2}};
  for (int i = 0; i < 2; ++i) {
    const Packet h = {.type = PACKET_HELLO,
                      .device_nonce = i == 0 ? 999 : p.nonce,
                      .info = {.name = "thing", .axes_sensed = 3, .force_max = 8, .rate = 1000}};
    hello_size[i] = packet_write(&h, key, hello[i]);
  }
  for (int i = 0; i < KEPT; ++i) {
    const Packet s = state_of(&p, 0);
    size[i] = packet_write(&s, key, kept[i]);
    send_bytes(&p, kept[i], size[i]);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    heft_device_write(p.device, p.now, &command, NULL);
  }
  for (int ms = 0; ms < 1200; ++ms) look(&p, &sample);
  Pair thief = {.device = p.device, .now = p.now};
  client(&thief, 0);
  for (int round = 0; round < 3; ++round) {
    for (int h = 0; h < round; ++h)
      send_bytes(&thief, hello[2 - round + h], hello_size[2 - round + h]);
    look(&thief, &sample);
    for (int i = 0; i < KEPT; ++i) {
      send_bytes(&thief, kept[i], size[i]);
      assert_int_equal(look(&thief, &sample), HEFT_DEVICE_NOTHING);
      heft_device_write(thief.device, thief.now, &command, NULL);
    }
    Packet answer;
    while (receive(&thief, &answer)) assert_int_not_equal(answer.type, PACKET_FORCE);
  }
  close(thief.socket);
  end(&p);
}

// The emulated device of `heft emulate udp`, with a hand that presses on a wall; it is switched off
// and on again.
static void an_emulated_device_is_felt(void** state) {
  (void)state;
  static const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = {0, 0, 1}, .stiffness = 500};
  const HeftStandIn* kind = heft_stand_in_find("udp");
  Pair p = {.now = 1000000000u};
  HeftError error = {0};
  assert_int_equal(heft_device_open(&p.device, &heft_driver_udp, address, NULL, &error), HEFT_OK);
  unsigned char* self = malloc(kind->size);
  assert_non_null(self);
  for (int life = 0; life < 2; ++life) {
    HeftEmulator hand;
    memset(self, 0, kind->size);
    assert_int_equal(
        heft_emulator_read_text(
            &hand, "omega,resolution=0,friction=0:0 0 0 0; 0.5 0 0 0; 0.6 0 0 -0.02", &error),
        0);
    assert_int_equal(kind->open(self, address, &hand, &error), HEFT_OK);
    HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
    HeftDeviceForce given = {0};
    for (int i = 0; i < 6000; ++i) {
      kind->turn(self, p.now);
      look(&p, &sample);
      const HeftDeviceForce command = heft_local_model_force(&wall, p.now, &sample);
      given = heft_device_write(p.device, p.now, &command, NULL);
    }
    print_message("%.5f mm deep, %.4f N, %ld damped\n", -1e3 * sample.pos.z, given.force.z,
                  heft_device_report(p.device).interventions);
    assert_string_equal(heft_device_info(p.device).name, "omega");
    CHECK_AT_MOST(fabs(sample.pos.z + 0.02 / 6), 1e-5);
    CHECK_AT_MOST(fabs(given.force.z - 10.0 / 6), 5e-3);
    kind->close(self);
    for (int i = 0; i < 1500; ++i) look(&p, &sample);
  }
  free(self);
  heft_device_close(p.device);
}

static void addresses_are_checked(void** state) {
  (void)state;
  const char* const wrong[] = {"x",
                               "70000",
                               "7472#12",
                               "0.0.0.0:7472",
                               "1.2.3:7472",
                               "7472#zz",
                               "8.8.8.8:1",
                               "-5",
                               ":x",
                               "7472,version=3",
                               "7472,verison=1",
                               "7472,version=1,",
                               "7472,force=0",
                               "7472,force=41",
                               "7472,force=6N",
                               "7472,force=",
                               "7472#000102030405060708090a0b0c0d0e0f"};  // too short for version 2
  HeftDevice* device = NULL;
  HeftError error;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    error = (HeftError){0};
    if (heft_device_open(&device, &heft_driver_udp, wrong[i], NULL, &error) == HEFT_OK)
      fail_msg("%s was taken", wrong[i]);
    assert_true(error.message[0] != '\0');
    assert_null(device);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tag_is_siphash),
      cmocka_unit_test(packets_come_back_as_they_went),
      cmocka_unit_test(samples_and_forces_pass),
      cmocka_unit_test(duplicates_and_latecomers_are_dropped),
      cmocka_unit_test(forgeries_are_dropped),
      cmocka_unit_test(garbage_is_dropped),
      cmocka_unit_test(a_session_keeps_its_place),
      cmocka_unit_test(a_device_that_was_off_comes_back),
      cmocka_unit_test(another_device_has_limits_of_its_own),
      cmocka_unit_test(the_address_states_a_force),
      cmocka_unit_test(bytes_of_earlier_sessions_are_dropped),
      cmocka_unit_test(an_emulated_device_is_felt),
      cmocka_unit_test(addresses_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
