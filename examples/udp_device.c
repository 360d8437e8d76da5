// SPDX-License-Identifier: Apache-2.0
// A device that uses Heft's UDP protocol, in one file. The part up to "the program" needs nothing
// of Heft and may be copied into the firmware or the bridge of a device. The protocol is described
// in docs/manual/udp-protocol.md.
//
//     udp_device                       tests itself against Heft's own driver
//     udp_device IP PORT KEY SECONDS   serves a host: start `heft feel FILE --device udp` there
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// ---- bytes and tag

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t load(const uint8_t* p, int n) {
  uint64_t x = 0;
  for (int i = 0; i < n; ++i) x |= (uint64_t)p[i] << (8 * i);
  return x;
}

static uint8_t* store(uint8_t* p, uint64_t x, int n) {
  for (int i = 0; i < n; ++i) p[i] = (uint8_t)(x >> (8 * i));
  return p + n;
}

static uint8_t* store_double(uint8_t* p, double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return store(p, bits, 8);
}

static double load_double(const uint8_t* p) {
  const uint64_t bits = load(p, 8);
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

static void sip_rounds(uint64_t v[4], int rounds) {
  for (int i = 0; i < rounds; ++i) {
    v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
    v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
  }
}

static uint64_t sip(const uint8_t key[16], const uint8_t* p, int size) {
  const uint64_t k0 = load(key, 8), k1 = load(key + 8, 8);
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                   k1 ^ 0x7465646279746573};
  for (int i = 0; i <= size / 8; ++i) {
    const int left = size - 8 * i;
    const uint64_t m =
        left >= 8 ? load(p + 8 * i, 8) : load(p + 8 * i, left) | (uint64_t)(size & 255) << 56;
    v[3] ^= m;
    sip_rounds(v, 2);
    v[0] ^= m;
  }
  v[2] ^= 255;
  sip_rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// ---- the client

typedef struct Client {
  int socket;
  struct sockaddr_in host;
  uint8_t key[16];
  uint64_t nonce, host_nonce, number, answered;
  double heard;     // when a force came last [s]
  double force[3];  // [N]
} Client;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint8_t* begin(const Client* c, uint8_t* p, int type, int size) {
  memcpy(p, "HEFT", 4);
  p[4] = 1;  // version
  p[5] = (uint8_t)type;
  store(p + 6, (uint64_t)size, 2);
  store(p + 8, c->nonce, 8);
  store(p + 16, c->host_nonce, 8);
  store(p + 24, c->number, 8);
  return p + 32;
}

static void finish(const Client* c, uint8_t* p, int size) {
  store(p + size - 8, sip(c->key, p, size - 8), 8);
  sendto(c->socket, p, (size_t)size, 0, (const struct sockaddr*)&c->host, sizeof c->host);
}

// The description of the device: name, axes, workspace, limits, damping and friction.
static void say_hello(Client* c) {
  uint8_t p[192] = {0};
  uint8_t* at = begin(c, p, 3, 192);
  store(p + 16, 0, 8);
  memcpy(at, "example device", 14);
  at = store(at + 32, 3 | 3 << 8, 8);
  const double numbers[14] = {-0.1, -0.1, -0.1, 0.1, 0.1, 0.1, 8, 0, 2, 0.1, 0.5, 0.1, 1e-5, 1000};
  for (int i = 0; i < 14; ++i) at = store_double(at, numbers[i]);
  finish(c, p, 192);
}

static void send_state(Client* c, const double pos[3], const double vel[3], unsigned buttons) {
  uint8_t p[168] = {0};
  ++c->number;
  uint8_t* at = begin(c, p, 1, 168);
  at = store(at, (uint64_t)(1e9 * seconds()), 8);
  for (int i = 0; i < 3; ++i) at = store_double(at, pos[i]);
  for (int i = 0; i < 4; ++i) at = store_double(at, i == 0);  // rotation: none
  for (int i = 0; i < 3; ++i) at = store_double(at, vel[i]);
  for (int i = 0; i < 3; ++i) at = store_double(at, 0);
  at = store(at, buttons, 8);
  store_double(at, 0);  // gripper
  finish(c, p, 168);
}

// Reads all packets that have arrived. A force older than 100 ms is ignored.
static void receive(Client* c) {
  uint8_t p[256];
  for (;;) {
    const ssize_t size = recv(c->socket, p, sizeof p, MSG_DONTWAIT);
    if (size < 40) break;
    if (memcmp(p, "HEFT\1", 5) != 0 || (ssize_t)load(p + 6, 2) != size ||
        load(p + size - 8, 8) != sip(c->key, p, (int)size - 8) || load(p + 8, 8) != c->nonce)
      continue;
    if (p[5] == 4) c->host_nonce = load(p + 16, 8);
    if (p[5] != 2 || size != 104 || load(p + 24, 8) <= c->answered) continue;
    c->answered = load(p + 24, 8);
    for (int i = 0; i < 3; ++i) c->force[i] = load_double(p + 40 + 8 * i);
    c->heard = seconds();
  }
  if (seconds() - c->heard > 0.1) memset(c->force, 0, sizeof c->force);
  if (seconds() - c->heard > 1) {  // the host is gone or was started anew
    c->host_nonce = c->answered = 0;
    c->heard = seconds() - 0.5;
  }
}

static int client_open(Client* c, const char* ip, int port, const char* key) {
  *c = (Client){.socket = socket(AF_INET, SOCK_DGRAM, 0)};
  c->host.sin_family = AF_INET;
  c->host.sin_port = htons((uint16_t)port);
  for (int i = 0; i < 16 && strlen(key) == 32; ++i) {
    unsigned byte = 0;
    if (sscanf(key + 2 * i, "%2x", &byte) != 1) return 0;
    c->key[i] = (uint8_t)byte;
  }
  FILE* random = fopen("/dev/urandom", "rb");
  if (!random || fread(&c->nonce, 8, 1, random) != 1) return 0;
  fclose(random);
  c->heard = seconds() - 0.5;
  return c->socket >= 0 && inet_pton(AF_INET, ip, &c->host.sin_addr) == 1;
}

// ---- the program: a mass of 0.2 kg in a hand that presses down and releases periodically

typedef struct Hand {
  double pos[3], vel[3];
} Hand;

static void move(Hand* h, const double force[3], double time, double dt) {
  const double want[3] = {0, 0, -0.02 * sin(time)};
  for (int i = 0; i < 3; ++i) {
    const double pull = force[i] + 100 * (want[i] - h->pos[i]) - 3 * h->vel[i];
    h->vel[i] += dt * pull / 0.2;
    h->pos[i] += dt * h->vel[i];
  }
}

static void turn(Client* c, Hand* h, double time) {
  receive(c);
  if (c->host_nonce == 0) {
    if (fmod(time, 0.1) < 1e-3) say_hello(c);
    return;
  }
  move(h, c->force, time, 1e-3);
  send_state(c, h->pos, h->vel, 0);
}

#ifndef HEFT_EXAMPLE_CLIENT_ALONE
#include <heft/device.h>

// Test against the driver of Heft, with a wall of 500 N/m at z = 0.
static int try_it(void) {
  const char* key = "00112233445566778899aabbccddeeff";
  HeftDevice* device = NULL;
  HeftError error = {0};
  if (heft_device_open(&device, heft_driver_find("udp"), "7471#00112233445566778899aabbccddeeff",
                       NULL, &error) != HEFT_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 77;  // the port is taken: nothing was tried
  }
  Client c;
  Hand hand = {{0}, {0}};
  if (!client_open(&c, "127.0.0.1", 7471, key)) return 1;
  const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = {0, 0, 1}, .stiffness = 500};
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  double deepest = 0, largest = 0;
  const uint64_t start = heft_clock_ns();
  for (int i = 0; i < 6000; ++i) {
    turn(&c, &hand, 1e-3 * i);
    const uint64_t now = start + 1000000u * (uint64_t)(i + 1);  // faster than real time
    heft_device_read(device, now, &sample);
    const HeftDeviceForce command = heft_local_model_force(&wall, now, &sample);
    heft_device_write(device, now, &command, NULL);
    deepest = fmin(deepest, hand.pos[2]);
    largest = fmax(largest, c.force[2]);
  }
  printf("%s: deepest %.3f mm, largest force %.3f N\n", heft_device_info(device).name,
         1e3 * deepest, largest);
  heft_device_close(device);
  close(c.socket);
  // 100 N/m against 500 N/m, 20 mm deep: 3.33 mm and 1.67 N.
  return fabs(deepest + 0.02 / 6) < 2e-4 && fabs(largest - 5.0 / 3) < 0.1 ? 0 : 1;
}
#endif

int main(int argc, char** argv) {
#ifndef HEFT_EXAMPLE_CLIENT_ALONE
  if (argc < 5) return try_it();
#endif
  if (argc < 5) return 2;
  Client c;
  Hand hand = {{0}, {0}};
  if (!client_open(&c, argv[1], atoi(argv[2]), argv[3])) return 1;
  const double start = seconds(), end = start + atof(argv[4]);
  for (long i = 0; seconds() < end; ++i) {
    turn(&c, &hand, 1e-3 * (double)i);
    const double wait = start + 1e-3 * (double)(i + 1) - seconds();
    if (wait > 0) poll(NULL, 0, (int)ceil(1e3 * wait));
    if (i % 1000 == 0) printf("z %.2f mm, force %.2f N\n", 1e3 * hand.pos[2], c.force[2]);
  }
  close(c.socket);
  return 0;
}
