// SPDX-License-Identifier: Apache-2.0
// Version 2 of the UDP protocol: replay, change of order, forgery, flood, another key, another
// version. Forces go to the device that proved itself alone, and nothing else changes a state.
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
#include "device/secure.h"
#include "support/check.h"

enum { PORT = 7473, MS = 1000000, KEPT = 64 };
static const char address[] =
    "7473#000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
static unsigned char key[SECURE_KEY];
static const HeftDeviceInfo thing = {
    .name = "thing", .axes_sensed = 3, .axes_driven = 3, .force_max = 8, .rate = 1000};
static const HeftDeviceForce push = {.force = {0, 0, 2}};

typedef struct Bytes {
  unsigned char bytes[SECURE_MAX];
  size_t size;
} Bytes;

// A driver, a device at the other end of a socket, and everything that the device sent.
typedef struct Pair {
  HeftDevice* device;
  int socket;
  struct sockaddr_in host;
  SecureDevice end;
  uint64_t now;
  Bytes hello, confirm, state[KEPT];
  int states;
} Pair;

static void plug_in(Pair* p) {
  p->socket = socket(AF_INET, SOCK_DGRAM, 0);
  assert_true(p->socket >= 0);
  p->host.sin_family = AF_INET;
  p->host.sin_port = htons(PORT);
  p->host.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

static void send_bytes(const Pair* p, const Bytes* b) {
  assert_int_equal(
      sendto(p->socket, b->bytes, b->size, 0, (const struct sockaddr*)&p->host, sizeof p->host),
      (ssize_t)b->size);
}

static int receive(const Pair* p, Bytes* b) {
  const ssize_t size = recv(p->socket, b->bytes, sizeof b->bytes, MSG_DONTWAIT);
  b->size = size > 0 ? (size_t)size : 0;
  return size > 0;
}

// Packets with forces that came to a socket, whoever can read them.
static int forces(const Pair* p) {
  int count = 0;
  Bytes b;
  while (receive(p, &b)) count += b.bytes[5] == PACKET_FORCE;
  return count;
}

static HeftDeviceRead look(Pair* p, HeftDeviceSample* sample) {
  p->now += MS;
  const HeftDeviceRead read = heft_device_read(p->device, p->now, sample);
  heft_device_write(p->device, p->now, &push, NULL);
  return read;
}

static int shake_hands(Pair* p) {
  HeftDeviceSample sample;
  HeftDeviceForce force;
  Bytes b;
  p->hello.size = tunnel_guest_hello(&p->end.tunnel, p->hello.bytes);
  send_bytes(p, &p->hello);
  look(p, &sample);
  if (!receive(p, &b)) return 0;
  if (secure_device_take(&p->end, b.bytes, b.size, &force, p->confirm.bytes, &p->confirm.size) !=
      SECURE_ANSWER)
    return 0;
  send_bytes(p, &p->confirm);
  look(p, &sample);
  return 1;
}

static void make_state(Pair* p, double z) {
  const HeftDeviceSample s = {.pos = {0, 0, z}, .rot = {1, 0, 0, 0}};
  Bytes* b = &p->state[p->states++ % KEPT];
  b->size = secure_device_state(&p->end, &s, b->bytes);
}

static void send_state(Pair* p, double z) {
  make_state(p, z);
  send_bytes(p, &p->state[(p->states - 1) % KEPT]);
}

static Pair opened(void) {
  Pair p = {.now = 1000000000u};
  HeftError error = {0};
  HeftDeviceDef def = heft_device_def_default();
  def.guard.ramp = 0;
  def.guard.passivity = 0;
  if (heft_device_open(&p.device, &heft_driver_udp, address, &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  // the driver has the clock of the machine for its first pair of keys
  p.now = heft_clock_ns();
  plug_in(&p);
  assert_true(secure_device_make(&p.end, key, &thing));
  return p;
}

static Pair connected(void) {
  Pair p = opened();
  assert_true(shake_hands(&p));
  return p;
}

static void end(Pair* p) {
  heft_device_close(p->device);
  close(p->socket);
}

static void samples_and_forces_pass(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  HeftDeviceForce force = {0};
  Bytes b, unused;
  assert_int_equal(forces(&p), 0);  // no state, no force
  for (int i = 1; i <= 20; ++i) {
    send_state(&p, 0.001 * i);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    assert_true(sample.pos.z == 0.001 * i && sample.number == (uint64_t)i);
    assert_true(receive(&p, &b));
    assert_int_equal(
        secure_device_take(&p.end, b.bytes, b.size, &force, unused.bytes, &unused.size),
        SECURE_FORCE);
    // once, and not to itself
    assert_int_equal(
        secure_device_take(&p.end, b.bytes, b.size, &force, unused.bytes, &unused.size),
        SECURE_NOTHING);
  }
  assert_true(force.force.z > 0);
  assert_string_equal(heft_device_info(p.device).name, "thing");
  end(&p);
}

static void order_is_kept(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  for (int i = 0; i < 4; ++i) make_state(&p, 0.001 * i);
  send_bytes(&p, &p.state[1]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  send_bytes(&p, &p.state[1]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_NOTHING);
  send_bytes(&p, &p.state[0]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_NOTHING);
  send_bytes(&p, &p.state[3]);
  send_bytes(&p, &p.state[2]);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  assert_true(sample.pos.z == 0.003);
  end(&p);
}

// Everything that was ever sent, in any order, by somebody without the key.
static void replays_change_nothing(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  for (int i = 0; i < KEPT; ++i) {
    send_state(&p, 0);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  }
  const Pair first = p;
  assert_true(forces(&p) > 0);
  // a second session, so that there is an older one
  for (int ms = 0; ms < 1200; ++ms) look(&p, &sample);
  forces(&p);
  assert_true(tunnel_guest_restart(&p.end.tunnel));
  p.states = 0;
  assert_true(shake_hands(&p));
  for (int i = 0; i < KEPT; ++i) send_state(&p, 0), look(&p, &sample);
  assert_true(forces(&p) > 0);
  // while the device is alive, and after it has become silent
  Pair thief = p;
  plug_in(&thief);
  for (int silent = 0; silent < 2; ++silent) {
    for (int ms = 0; silent && ms < 1200; ++ms) look(&thief, &sample);
    for (int round = 0; round < 4; ++round) {
      const Pair* from = round % 2 ? &first : &p;
      if (round > 1) send_bytes(&thief, &first.hello);
      send_bytes(&thief, &from->hello);
      assert_int_equal(look(&thief, &sample), HEFT_DEVICE_NOTHING);
      send_bytes(&thief, &from->confirm);
      assert_int_equal(look(&thief, &sample), HEFT_DEVICE_NOTHING);
      for (int i = 0; i < KEPT; ++i) {
        send_bytes(&thief, &from->state[i]);
        assert_int_equal(look(&thief, &sample), HEFT_DEVICE_NOTHING);
      }
      assert_int_equal(forces(&thief), 0);
    }
  }
  // the device itself goes on where it was
  send_state(&p, 0.005);
  p.now = thief.now;
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  assert_int_equal(forces(&thief), 0);
  close(thief.socket);
  end(&p);
}

// Every bit of every packet counts, and every length.
static void forgeries_are_dropped(void** state) {
  (void)state;
  SecureHost host;
  SecureDevice device;
  HeftDeviceSample sample;
  HeftDeviceForce force;
  Bytes hello, welcome, confirm, packet, answer;
  uint64_t now = 1;
  assert_true(secure_host_make(&host, key, now));
  assert_true(secure_device_make(&device, key, &thing));
  hello.size = tunnel_guest_hello(&device.tunnel, hello.bytes);
#define HOST_DROPS(packet_)                                                              \
  for (size_t i = 0; i < 8 * (packet_).size; ++i) {                                      \
    Bytes forged = (packet_);                                                            \
    forged.bytes[i / 8] ^= (unsigned char)(1u << i % 8);                                 \
    const SecureHost before = host;                                                      \
    assert_int_equal(secure_host_take(&host, now, 1, forged.bytes, forged.size, &sample, \
                                      answer.bytes, &answer.size),                       \
                     SECURE_NOTHING);                                                    \
    forged = (packet_);                                                                  \
    forged.size = i / 8;                                                                 \
    assert_int_equal(secure_host_take(&host, now, 1, forged.bytes, forged.size, &sample, \
                                      answer.bytes, &answer.size),                       \
                     SECURE_NOTHING);                                                    \
    assert_memory_equal(&before, &host, sizeof host);                                    \
  }
  HOST_DROPS(hello)
  assert_int_equal(secure_host_take(&host, now, 1, hello.bytes, hello.size, &sample, welcome.bytes,
                                    &welcome.size),
                   SECURE_ANSWER);
  assert_true(welcome.size <= hello.size);  // nothing is amplified
  for (size_t i = 0; i < 8 * welcome.size; ++i) {
    Bytes forged = welcome;
    forged.bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    assert_int_equal(
        secure_device_take(&device, forged.bytes, forged.size, &force, answer.bytes, &answer.size),
        SECURE_NOTHING);
  }
  assert_int_equal(secure_device_take(&device, welcome.bytes, welcome.size, &force, confirm.bytes,
                                      &confirm.size),
                   SECURE_ANSWER);
  HOST_DROPS(confirm)
  assert_int_equal(secure_host_take(&host, now, 1, confirm.bytes, confirm.size, &sample,
                                    answer.bytes, &answer.size),
                   SECURE_SESSION);
  const HeftDeviceSample s = {.pos = {1, 2, 3}, .rot = {1, 0, 0, 0}};
  packet.size = secure_device_state(&device, &s, packet.bytes);
  HOST_DROPS(packet)
  assert_int_equal(secure_host_force(&host, &push, answer.bytes), 0);  // no state yet
  assert_int_equal(secure_host_take(&host, now, 1, packet.bytes, packet.size, &sample, answer.bytes,
                                    &answer.size),
                   SECURE_STATE);
  packet.size = secure_host_force(&host, &push, packet.bytes);
  assert_int_equal(secure_host_take(&host, now, 1, packet.bytes, packet.size, &sample, answer.bytes,
                                    &answer.size),
                   SECURE_NOTHING);  // a reflection
  for (size_t i = 0; i < 8 * packet.size; ++i) {
    Bytes forged = packet;
    forged.bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    assert_int_equal(
        secure_device_take(&device, forged.bytes, forged.size, &force, answer.bytes, &answer.size),
        SECURE_NOTHING);
  }
  // numbers that are not finite are dropped although they are genuine
  HeftDeviceSample bad = s;
  bad.vel.y = (double)NAN;
  packet.size = secure_device_state(&device, &bad, packet.bytes);
  assert_int_equal(secure_host_take(&host, now, 1, packet.bytes, packet.size, &sample, answer.bytes,
                                    &answer.size),
                   SECURE_NOTHING);
}

// A confirm is good for a few seconds, and for one session.
static void a_confirm_ages(void** state) {
  (void)state;
  SecureHost host;
  SecureDevice device;
  HeftDeviceSample sample;
  HeftDeviceForce force;
  Bytes hello, welcome, confirm, answer;
  const uint64_t second = 1000000000u;
  assert_true(secure_host_make(&host, key, second));
  for (int late = 0; late < 2; ++late) {
    assert_true(secure_device_make(&device, key, &thing));
    hello.size = tunnel_guest_hello(&device.tunnel, hello.bytes);
    assert_int_equal(secure_host_take(&host, second, 1, hello.bytes, hello.size, &sample,
                                      welcome.bytes, &welcome.size),
                     SECURE_ANSWER);
    assert_int_equal(secure_device_take(&device, welcome.bytes, welcome.size, &force, confirm.bytes,
                                        &confirm.size),
                     SECURE_ANSWER);
    const uint64_t then = late ? 6 * second : second;
    assert_int_equal(secure_host_take(&host, then, 1, confirm.bytes, confirm.size, &sample,
                                      answer.bytes, &answer.size),
                     late ? SECURE_NOTHING : SECURE_SESSION);
    assert_int_equal(secure_host_take(&host, then, 1, confirm.bytes, confirm.size, &sample,
                                      answer.bytes, &answer.size),
                     SECURE_NOTHING);
  }
}

static void another_key_gets_no_answer(void** state) {
  (void)state;
  Pair p = opened();
  unsigned char other[SECURE_KEY];
  memcpy(other, key, sizeof other);
  other[31] ^= 1;
  assert_true(secure_device_make(&p.end, other, &thing));
  assert_false(shake_hands(&p));
  assert_int_equal(forces(&p), 0);
  assert_string_equal(heft_device_info(p.device).name, "udp");
  // the right one does
  assert_true(secure_device_make(&p.end, key, &thing));
  assert_true(shake_hands(&p));
  end(&p);
}

static void version_1_gets_no_answer(void** state) {
  (void)state;
  Pair p = opened();
  HeftDeviceSample sample;
  const Packet hello = {.type = PACKET_HELLO, .device_nonce = 5, .info = thing};
  Bytes b;
  b.size = packet_write(&hello, key, b.bytes);  // the first half of the key
  send_bytes(&p, &b);
  look(&p, &sample);
  assert_false(receive(&p, &b));
  // a hello whose version was changed on the way
  b.size = tunnel_guest_hello(&p.end.tunnel, b.bytes);
  b.bytes[4] = 1;
  send_bytes(&p, &b);
  look(&p, &sample);
  assert_false(receive(&p, &b));
  end(&p);
}

// A flood of packets of all kinds between the states of a device: all states arrive, and the flood
// gets nothing.
static void a_flood_is_endured(void** state) {
  (void)state;
  Pair p = connected();
  Pair thief = p;
  plug_in(&thief);
  HeftDeviceSample sample;
  uint64_t seed = 88172645463325252u;
  enum { TURNS = 200, A_TURN = 100 };  // 100 packets in a millisecond
  send_state(&p, 0);
  look(&p, &sample);
  for (int i = 0; i < TURNS; ++i) {
    for (int k = 0; k < A_TURN; ++k) {
      Bytes b = k % 4 == 0 ? p.hello : k % 4 == 1 ? p.confirm : p.state[0];
      if (k % 4 == 3) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        b.bytes[8 + seed % (b.size - 8)] ^= (unsigned char)(seed >> 32 | 1);
      }
      send_bytes(&thief, &b);
    }
    send_state(&p, 1e-5 * i);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    assert_true(sample.pos.z == 1e-5 * i);
  }
  Bytes b;
  assert_false(receive(&thief, &b));
  assert_int_equal(forces(&p), TURNS + 1);
  close(thief.socket);
  end(&p);
}

// A genuine state that somebody on the way sends again, before it arrives, from another place: the
// device keeps its forces, and the other place gets nothing. The same with a confirm. Then the
// device has moved: the session does not follow it, and after a second of silence a new one opens.
static void a_session_keeps_its_place(void** state) {
  (void)state;
  Pair p = opened();
  Pair thief = p;
  HeftDeviceSample sample;
  HeftDeviceForce force;
  Bytes b;
  plug_in(&thief);
  p.hello.size = tunnel_guest_hello(&p.end.tunnel, p.hello.bytes);
  send_bytes(&p, &p.hello);
  look(&p, &sample);
  assert_true(receive(&p, &b));
  assert_true(b.size <= p.hello.size);  // nothing is amplified
  assert_int_equal(
      secure_device_take(&p.end, b.bytes, b.size, &force, p.confirm.bytes, &p.confirm.size),
      SECURE_ANSWER);
  send_bytes(&thief, &p.confirm);
  look(&p, &sample);
  assert_string_equal(heft_device_info(p.device).name, "udp");  // there is no session
  send_bytes(&p, &p.confirm);
  look(&p, &sample);
  enum { STATES = 200 };
  for (int i = 0; i < STATES; ++i) {
    make_state(&p, 1e-5 * i);
    send_bytes(&thief, &p.state[i % KEPT]);
    send_bytes(&p, &p.state[i % KEPT]);
    assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
    assert_true(sample.pos.z == 1e-5 * i);
  }
  assert_int_equal(forces(&p), STATES);
  assert_false(receive(&thief, &b));
  // the device is cut off, and its last states are sent from elsewhere
  for (int i = 0; i < STATES; ++i) {
    make_state(&p, 0);
    send_bytes(&thief, &p.state[(p.states - 1) % KEPT]);
    look(&p, &sample);
  }
  assert_false(receive(&thief, &b));
  // it has moved
  for (int ms = 0; ms < 1200; ++ms) look(&p, &sample);
  p.socket = thief.socket;
  assert_true(tunnel_guest_restart(&p.end.tunnel));
  p.states = 0;
  assert_true(shake_hands(&p));
  send_state(&p, 0.005);
  assert_int_equal(look(&p, &sample), HEFT_DEVICE_FRESH);
  assert_int_equal(forces(&p), 1);
  end(&p);
}

// A flood of genuine hellos, recorded once, gets eight answers in a millisecond.
static void hellos_get_few_answers(void** state) {
  (void)state;
  Pair p = opened();
  HeftDeviceSample sample;
  Bytes b;
  b.size = tunnel_guest_hello(&p.end.tunnel, b.bytes);
  for (int round = 0; round < 2; ++round) {
    int answers = 0;
    for (int i = 0; i < 100; ++i) {
      Bytes hello = b;
      send_bytes(&p, &hello);
    }
    look(&p, &sample);
    for (Bytes a; receive(&p, &a); ++answers) assert_true(a.size <= b.size);
    assert_int_equal(answers, 8);
  }
  end(&p);
}

static void silence_ends_forces(void** state) {
  (void)state;
  Pair p = connected();
  HeftDeviceSample sample;
  send_state(&p, 0);
  look(&p, &sample);
  assert_int_equal(forces(&p), 1);
  for (int ms = 0; ms < 1100; ++ms) look(&p, &sample);
  forces(&p);
  for (int ms = 0; ms < 100; ++ms) look(&p, &sample);
  assert_int_equal(forces(&p), 0);
  // no force before the first state of a new session either
  assert_true(tunnel_guest_restart(&p.end.tunnel));
  assert_true(shake_hands(&p));
  for (int ms = 0; ms < 20; ++ms) look(&p, &sample);
  assert_int_equal(forces(&p), 0);
  end(&p);
}

// Genuine packets of a device that is wrong: another size, a description out of range, a name that
// would spoil a terminal. A guest takes one welcome, for itself.
static void genuine_nonsense_is_dropped(void** state) {
  (void)state;
  static SecureHost host;
  static SecureDevice device, other;
  HeftDeviceSample sample;
  HeftDeviceForce force;
  Bytes hello, welcome, confirm, answer, packet;
  HeftDeviceInfo info = thing;
  memcpy(info.name, "a\033[2Jb", 7);
  for (int good = 0; good < 2; ++good) {
    info.force_max = good ? 8 : -1;
    assert_true(secure_host_make(&host, key, 1));
    assert_true(secure_device_make(&device, key, &info));
    hello.size = tunnel_guest_hello(&device.tunnel, hello.bytes);
    assert_int_equal(secure_host_take(&host, 1, 1, hello.bytes, hello.size, &sample, welcome.bytes,
                                      &welcome.size),
                     SECURE_ANSWER);
    assert_int_equal(secure_device_take(&device, welcome.bytes, welcome.size, &force, confirm.bytes,
                                        &confirm.size),
                     SECURE_ANSWER);
    assert_int_equal(secure_host_take(&host, 1, 1, confirm.bytes, confirm.size, &sample,
                                      answer.bytes, &answer.size),
                     good ? SECURE_SESSION : SECURE_NOTHING);
  }
  assert_string_equal(host.info.name, "a?[2Jb");
  const unsigned char body[PACKET_STATE_BODY + 8] = {0};
  for (int i = 0; i < 3; ++i) {
    const size_t sizes[] = {0, PACKET_STATE_BODY - 8, PACKET_STATE_BODY + 8};
    packet.size = tunnel_guest_seal(&device.tunnel, body, sizes[i], packet.bytes);
    assert_int_equal(secure_host_take(&host, 1, 1, packet.bytes, packet.size, &sample, answer.bytes,
                                      &answer.size),
                     SECURE_NOTHING);
  }
  for (int i = 0; i < 14; ++i) {  // each number of a state
    HeftDeviceSample s = {.rot = {1, 0, 0, 0}};
    double* number[14] = {&s.pos.x, &s.pos.y, &s.pos.z, &s.rot.w,  &s.rot.x,  &s.rot.y,  &s.rot.z,
                          &s.vel.x, &s.vel.y, &s.vel.z, &s.spin.x, &s.spin.y, &s.spin.z, &s.grip};
    *number[i] = i % 2 ? (double)NAN : (double)INFINITY;
    packet.size = secure_device_state(&device, &s, packet.bytes);
    assert_int_equal(secure_host_take(&host, 1, 1, packet.bytes, packet.size, &sample, answer.bytes,
                                      &answer.size),
                     SECURE_NOTHING);
  }
  assert_int_equal(
      secure_device_take(&device, welcome.bytes, welcome.size, &force, answer.bytes, &answer.size),
      SECURE_NOTHING);
  assert_true(secure_device_make(&other, key, &info));
  assert_int_equal(
      secure_device_take(&other, welcome.bytes, welcome.size, &force, answer.bytes, &answer.size),
      SECURE_NOTHING);
}

// The emulated device of `heft emulate udp`; it is switched off and on again.
static void an_emulated_device_is_felt(void** state) {
  (void)state;
  static const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = {0, 0, 1}, .stiffness = 500};
  const HeftStandIn* kind = heft_stand_in_find("udp");
  Pair p = {.now = heft_clock_ns()};
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
      p.now += MS;
      heft_device_read(p.device, p.now, &sample);
      const HeftDeviceForce command = heft_local_model_force(&wall, p.now, &sample);
      given = heft_device_write(p.device, p.now, &command, NULL);
    }
    assert_string_equal(heft_device_info(p.device).name, "omega");
    CHECK_AT_MOST(fabs(sample.pos.z + 0.02 / 6), 1e-5);
    CHECK_AT_MOST(fabs(given.force.z - 10.0 / 6), 5e-3);
    kind->close(self);
    for (int i = 0; i < 1500; ++i) look(&p, &sample);
  }
  free(self);
  heft_device_close(p.device);
}

static int begin(void** state) {
  (void)state;
  for (int i = 0; i < SECURE_KEY; ++i) key[i] = (unsigned char)i;
  return 0;
}

int main(void) {
  if (!tunnel_is_there()) {
    print_message("skipped: this build has no libsodium\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_and_forces_pass),
                                     cmocka_unit_test(order_is_kept),
                                     cmocka_unit_test(replays_change_nothing),
                                     cmocka_unit_test(forgeries_are_dropped),
                                     cmocka_unit_test(a_confirm_ages),
                                     cmocka_unit_test(another_key_gets_no_answer),
                                     cmocka_unit_test(version_1_gets_no_answer),
                                     cmocka_unit_test(a_flood_is_endured),
                                     cmocka_unit_test(a_session_keeps_its_place),
                                     cmocka_unit_test(hellos_get_few_answers),
                                     cmocka_unit_test(silence_ends_forces),
                                     cmocka_unit_test(genuine_nonsense_is_dropped),
                                     cmocka_unit_test(an_emulated_device_is_felt)};
  return cmocka_run_group_tests(tests, begin, NULL);
}
