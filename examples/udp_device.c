// SPDX-License-Identifier: Apache-2.0
// A device that uses Heft's UDP protocol, version 2, in one file. The part up to "the program"
// needs libsodium and nothing of Heft and may be copied into the firmware or the bridge of a
// device. The protocol is described in docs/manual/writing-a-driver.md.
//
//     udp_device                           tests itself against Heft's own driver
//     udp_device IP PORT KEYFILE SECONDS   serves a host: start `heft feel FILE --device udp` there
//
// To build it alone: cc -DHEFT_EXAMPLE_CLIENT_ALONE udp_device.c -lsodium -lm
#include <stdio.h>
#if defined HEFT_EXAMPLE_CLIENT_ALONE || defined HEFT_HAVE_SODIUM
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// ---- bytes

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

// ---- the client

enum { KEY = 32, TAG = 16, STATE = 1, FORCE = 2, HELLO = 3, WELCOME = 4, CONFIRM = 5 };

typedef struct Client {
  int socket;
  struct sockaddr_in host;
  uint8_t hello_key[KEY], welcome_key[KEY], confirm_key[KEY], session_key[KEY];
  uint8_t public_key[KEY], secret_key[KEY];  // of this session
  uint8_t out_key[KEY], in_key[KEY];
  int connected;
  uint64_t number, answered;
  double heard;     // when the host was heard last [s]
  double force[3];  // [N]
} Client;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint8_t* begin(uint8_t* p, int type, int size) {
  memcpy(p, "HEFT", 4);
  p[4] = 2;  // version
  p[5] = (uint8_t)type;
  return store(p + 6, (uint64_t)size, 2);
}

static void send_bytes(const Client* c, const uint8_t* p, int size) {
  sendto(c->socket, p, (size_t)size, 0, (const struct sockaddr*)&c->host, sizeof c->host);
}

static void put_tag(uint8_t* p, int size, const uint8_t key[KEY]) {
  crypto_generichash(p + size - TAG, TAG, p, (size_t)size - TAG, key, KEY);
}

// Encrypts size bytes behind the first `head` bytes of a packet, which are authenticated with them.
static void seal(uint8_t* p, int head, const uint8_t* body, int size, uint64_t number,
                 const uint8_t key[KEY]) {
  uint8_t nonce[12] = {0};
  store(nonce + 4, number, 8);
  crypto_aead_chacha20poly1305_ietf_encrypt(p + head, NULL, body, (size_t)size, p, (size_t)head,
                                            NULL, nonce, key);
}

// A new pair of keys for a new session.
static void restart(Client* c) {
  crypto_kx_keypair(c->public_key, c->secret_key);
  c->connected = 0;
  c->number = c->answered = 0;
}

static void say_hello(const Client* c) {
  uint8_t p[104] = {0};
  memcpy(begin(p, HELLO, 104), c->public_key, KEY);
  put_tag(p, 104, c->hello_key);
  send_bytes(c, p, 104);
}

static void mix(const Client* c, uint8_t out[KEY], const uint8_t shared[KEY],
                const uint8_t host[KEY]) {
  crypto_generichash_state h;
  crypto_generichash_init(&h, c->session_key, KEY, KEY);
  crypto_generichash_update(&h, shared, KEY);
  crypto_generichash_update(&h, c->public_key, KEY);
  crypto_generichash_update(&h, host, KEY);
  crypto_generichash_final(&h, out, KEY);
}

// Answers a welcome with the description of the device: name, axes, workspace, limits, damping and
// friction.
static void confirm(Client* c, const uint8_t* welcome) {
  const uint8_t* host = welcome + 8 + KEY;
  uint8_t tag[TAG], in[KEY], out[KEY], p[272], body[152] = "example device";
  crypto_generichash(tag, TAG, welcome, 104 - TAG, c->welcome_key, KEY);
  if (c->connected || sodium_memcmp(tag, welcome + 104 - TAG, TAG) != 0 ||
      memcmp(welcome + 8, c->public_key, KEY) != 0 ||
      crypto_kx_client_session_keys(in, out, c->public_key, c->secret_key, host) != 0)
    return;
  mix(c, c->in_key, in, host);
  mix(c, c->out_key, out, host);
  uint8_t* at = store(body + 32, 3 | 3 << 8, 8);
  const double numbers[14] = {-0.1, -0.1, -0.1, 0.1, 0.1, 0.1, 8, 0, 2, 0.1, 0.5, 0.1, 1e-5, 1000};
  for (int i = 0; i < 14; ++i) at = store_double(at, numbers[i]);
  at = begin(p, CONFIRM, 272);
  memcpy(at, welcome + 8, 2 * KEY + TAG);  // both keys, and the proof of our place
  seal(p, 88, body, 152, 0, c->out_key);
  put_tag(p, 272, c->confirm_key);
  send_bytes(c, p, 272);
  c->connected = 1;
  c->heard = seconds();
}

static void send_state(Client* c, const double pos[3], const double vel[3], unsigned buttons) {
  uint8_t p[160], body[128];
  uint8_t* at = store(body, (uint64_t)(1e9 * seconds()), 8);
  for (int i = 0; i < 3; ++i) at = store_double(at, pos[i]);
  for (int i = 0; i < 4; ++i) at = store_double(at, i == 0);  // rotation: none
  for (int i = 0; i < 3; ++i) at = store_double(at, vel[i]);
  for (int i = 0; i < 3; ++i) at = store_double(at, 0);
  at = store(at, buttons, 8);
  store_double(at, 0);  // gripper
  store(begin(p, STATE, 160), ++c->number, 8);
  seal(p, 16, body, 128, c->number, c->out_key);
  send_bytes(c, p, 160);
}

static void take_force(Client* c, const uint8_t* p) {
  const uint64_t number = load(p + 8, 8);
  uint8_t nonce[12] = {0}, body[64];
  store(nonce + 4, number, 8);
  if (!c->connected || number <= c->answered ||
      crypto_aead_chacha20poly1305_ietf_decrypt(body, NULL, NULL, p + 16, 80, p, 16, nonce,
                                                c->in_key) != 0)
    return;
  c->answered = number;
  for (int i = 0; i < 3; ++i) c->force[i] = load_double(body + 8 + 8 * i);
  c->heard = seconds();
}

// Reads all packets that have arrived. A force older than 100 ms is ignored.
static void receive(Client* c) {
  uint8_t p[256];
  for (;;) {
    const ssize_t size = recv(c->socket, p, sizeof p, MSG_DONTWAIT);
    if (size < 8) break;
    if (memcmp(p, "HEFT\2", 5) != 0 || (ssize_t)load(p + 6, 2) != size) continue;
    if (p[5] == WELCOME && size == 104) confirm(c, p);
    if (p[5] == FORCE && size == 96) take_force(c, p);
  }
  const double silence = seconds() - c->heard;
  if (silence > 0.1) memset(c->force, 0, sizeof c->force);
  // the confirm was lost, or the host is gone or was started anew
  if (c->connected && silence > (c->answered == 0 ? 0.25 : 1)) restart(c);
}

// key: 64 hexadecimal digits
static int client_open(Client* c, const char* ip, int port, const char* key) {
  uint8_t shared[KEY];
  size_t size = 0;
  *c = (Client){.socket = socket(AF_INET, SOCK_DGRAM, 0)};
  c->host.sin_family = AF_INET;
  c->host.sin_port = htons((uint16_t)port);
  if (sodium_init() < 0 || sodium_hex2bin(shared, KEY, key, strlen(key), NULL, &size, NULL) != 0 ||
      size != KEY)
    return 0;
  crypto_kdf_derive_from_key(c->hello_key, KEY, 1, "heftudp2", shared);
  crypto_kdf_derive_from_key(c->welcome_key, KEY, 2, "heftudp2", shared);
  crypto_kdf_derive_from_key(c->confirm_key, KEY, 3, "heftudp2", shared);
  crypto_kdf_derive_from_key(c->session_key, KEY, 4, "heftudp2", shared);
  restart(c);
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
  if (!c->connected) {
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
  const char* key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  HeftDevice* device = NULL;
  HeftError error = {0};
  char address[100];
  snprintf(address, sizeof address, "7471#%s", key);
  if (heft_device_open(&device, heft_driver_find("udp"), address, NULL, &error) != HEFT_OK) {
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
  char key[65] = "";  // from a file: 'ps' shows arguments to all users
  FILE* file = fopen(argv[3], "r");
  if (!file || fread(key, 1, 64, file) != 64) return 1;
  fclose(file);
  if (!client_open(&c, argv[1], atoi(argv[2]), key)) return 1;
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
#else
int main(void) {
  printf("skipped: this example needs libsodium\n");
  return 77;
}
#endif
