// SPDX-License-Identifier: Apache-2.0
// The Haply Inverse3 through the service of its maker, which speaks JSON over a WebSocket on this
// machine:
//
//   from it
//   {"inverse3":[{"device_id":"..","state":{"cursor_position":{"x":..},"cursor_velocity":..}}],
//             "wireless_verse_grip":[{"state":{"orientation":{..},"buttons":{"a":..}}}]}
//   to it    {"inverse3":[{"device_id":"..","commands":{"set_cursor_force":{"values":{"x":..}}}}]}
//
// The service answers every force with a state. Its axes are ours: x right, y away, z up.
//
// Releases differ. The first message also describes the device ("config"); from 3.5 on it names a
// session, in which a program may send its name once, with its first force:
//   {"session":{"configure":{"profile":{"name":".."}}}, ...}
// A grip on a wire has one button, "button"; one without has three, "buttons". Unknown
// members are skipped.
#include "device/haply.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/json.h"
#include "device/text.h"
#include "device/websocket.h"
#include "math/vec3_limit.h"

enum { PORT = 10001, MESSAGE = 65536, HANDSHAKE_MS = 500 };

static const double velocity_filter = 0.003;  // if the service sends no velocity [s]

typedef struct Haply {
  int socket;
  HaplyNews news;
  int introduced;  // our name was sent
  int small;       // it is a Minverse
  uint64_t number;
  HeftVec3 last, velocity;
  uint64_t last_ns;
  size_t used;  // bytes in `in`
  unsigned char in[MESSAGE + WS_HEAD + 1];
  char text[MESSAGE + 1];
} Haply;

// ---- messages of the service

static int vec3_of(const char* value, HeftVec3* out) {
  double x, y, z;
  if (!json_number(json_member(value, "x"), &x) || !json_number(json_member(value, "y"), &y) ||
      !json_number(json_member(value, "z"), &z))
    return 0;
  *out = heft_vec3(x, y, z);
  return vec3_finite(*out);
}

static void read_grip(const char* root, HeftDeviceSample* s) {
  const char* grip = json_first(json_member(root, "wireless_verse_grip"));
  const char* wired = json_first(json_member(root, "verse_grip"));
  if (!grip) grip = wired;
  const char* state = json_member(grip, "state");
  const char* turn = json_member(state, "orientation");
  const char* buttons = json_member(state, "buttons");
  HeftVec3 xyz;
  double w;
  if (vec3_of(turn, &xyz) && json_number(json_member(turn, "w"), &w)) {
    const HeftQuat q = heft_quat(w, xyz.x, xyz.y, xyz.z);
    const double size = w * w + heft_vec3_dot(xyz, xyz);
    if (size > 0.5 && size < 2) s->rot = heft_quat_normalize(q);
  }
  s->buttons =
      (unsigned)(json_true(json_member(buttons, "a")) || json_true(json_member(state, "button"))) |
      (unsigned)json_true(json_member(buttons, "b")) << 1 |
      (unsigned)json_true(json_member(buttons, "c")) << 2;
}

// Names go back into our own messages: only plain ones are taken.
static int is_plain(const char* id) {
  for (const char* p = id; *p; ++p) {
    const char c = *p;
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          strchr("-_.:", c)))
      return 0;
  }
  return id[0] != '\0';
}

int haply_parse(const char* text, HaplyNews* n) {
  memset(n, 0, sizeof *n);
  n->sample.rot = heft_quat_identity();
  if (!json_check(text)) return 0;
  const char* root = text_skip(text);
  const char* device = json_first(json_member(root, "inverse3"));
  const char* state = json_member(device, "state");
  const char* velocity = json_member(state, "cursor_velocity");
  char type[32] = "";
  if (!json_string(json_member(device, "device_id"), n->id, sizeof n->id) || !is_plain(n->id)) {
    n->id[0] = '\0';
    return 0;
  }
  if (!vec3_of(json_member(state, "cursor_position"), &n->sample.pos) ||
      (velocity && !vec3_of(velocity, &n->sample.vel)))
    return 0;
  n->has_velocity = velocity != NULL;
  n->has_session = json_member(root, "session_id") != NULL;
  n->small = json_string(json_member(json_member(device, "config"), "type"), type, sizeof type) &&
             strcmp(type, "minverse") == 0;
  read_grip(root, &n->sample);
  return 1;
}

// ---- the connection: [ip:]port, only of this machine

static HeftStatus read_address(const char* address, struct sockaddr_in* at, HeftError* error) {
  char ip[64];
  const char* port = text_split(address, ':', ip, sizeof ip);
  if (!strchr(address, ':')) {
    port = address;
    ip[0] = '\0';
  }
  double number = PORT;
  memset(at, 0, sizeof *at);
  at->sin_family = AF_INET;
  at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if ((*port && (!text_number(&port, &number) || *port || !(number >= 1 && number <= 65535))) ||
      (ip[0] && inet_pton(AF_INET, ip, &at->sin_addr) != 1))
    return text_error(error, HEFT_ERR_SYNTAX, "the address is not understood", address,
                      "[ip:]port");
  at->sin_port = htons((uint16_t)number);
  return HEFT_OK;
}

static int send_all(int socket, const void* bytes, size_t size) {
  return send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

static int wait_for(int socket, short what, int ms) {
  struct pollfd p = {.fd = socket, .events = what};
  return poll(&p, 1, ms) == 1 && (p.revents & what);
}

static int connect_to(int socket, const struct sockaddr_in* at) {
  if (connect(socket, (const struct sockaddr*)at, sizeof *at) == 0) return 1;
  int failure = 1;
  socklen_t length = sizeof failure;
  return errno == EINPROGRESS && wait_for(socket, POLLOUT, HANDSHAKE_MS) &&
         getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 && failure == 0;
}

// Reads the answer to the end of its headers, byte by byte: the bytes after them belong to frames.
// The time limit is for the whole answer: a peer that sends a byte now and then gets no more of it.
static int shake_hands(int socket, uint16_t port) {
  unsigned char random[16];
  char key[25], text[1024];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return 0;
  ws_key(random, key);
  const int n = snprintf(text, sizeof text,
                         "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
                         "Sec-WebSocket-Version: 13\r\n\r\n",
                         port, key);
  if (n <= 0 || !send_all(socket, text, (size_t)n)) return 0;
  size_t used = 0;
  const uint64_t start = heft_clock_ns();
  while (used + 1 < sizeof text) {
    const uint64_t ms = (heft_clock_ns() - start) / 1000000u;
    if (ms >= HANDSHAKE_MS || !wait_for(socket, POLLIN, HANDSHAKE_MS - (int)ms)) break;
    if (recv(socket, text + used, 1, MSG_DONTWAIT) != 1) return 0;
    text[++used] = '\0';
    if (used >= 4 && memcmp(text + used - 4, "\r\n\r\n", 4) == 0) return ws_accepted(text, key);
  }
  return 0;
}

static HeftStatus haply_open(void* self, const char* address, HeftError* error) {
  Haply* h = self;
  struct sockaddr_in at;
  const HeftStatus status = read_address(address, &at, error);
  if (status != HEFT_OK) return status;
  h->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int one = 1;
  if (h->socket >= 0) setsockopt(h->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (h->socket >= 0 && connect_to(h->socket, &at) && shake_hands(h->socket, ntohs(at.sin_port)))
    return HEFT_OK;
  if (h->socket >= 0) close(h->socket);
  return heft_error_set(error, HEFT_ERR_FILE,
                        "the service of Haply does not answer on port %d; is it running?",
                        ntohs(at.sin_port));
}

static void haply_close(void* self) { close(((Haply*)self)->socket); }

static void haply_info(void* self, HeftDeviceInfo* info) {
  const Haply* h = self;
  heft_emulator_device("inverse3", info);
  memcpy(info->name, "Haply Inverse3", 15);
  info->axes_sensed = 6;
  if (!h->small) return;
  memcpy(info->name, "Haply Minverse", 15);
  info->lowest = heft_vec3(-0.04, -0.04, -0.04);
  info->highest = heft_vec3(0.04, 0.04, 0.04);
  info->force_max = 3;  // unknown: a low guess
}

// ---- frames

static int send_frame(Haply* h, int opcode, const void* payload, size_t size) {
  unsigned char out[512 + WS_HEAD], mask[4];
  if (size > 512 || getrandom(mask, sizeof mask, 0) != (ssize_t)sizeof mask) return 0;
  return send_all(h->socket, out, ws_write(opcode, payload, size, mask, out));
}

// 1: a state was received, 0: another message, -1: the end.
static int take_frame(Haply* h, const WsFrame* f) {
  if (f->opcode == WS_CLOSE) return -1;
  if (f->opcode == WS_PING) return send_frame(h, WS_PONG, f->payload, f->size) ? 0 : -1;
  if (f->opcode != WS_TEXT || memchr(f->payload, 0, f->size)) return 0;
  memcpy(h->text, f->payload, f->size);
  h->text[f->size] = '\0';
  HaplyNews news;
  if (!haply_parse(h->text, &news)) return 0;
  h->small |= news.small;
  news.has_session |= h->news.has_session;
  h->news = news;
  return 1;
}

// The velocity of the message, or one from positions.
static HeftVec3 velocity_of(Haply* h, uint64_t now_ns) {
  const HeftVec3 pos = h->news.sample.pos;
  const double dt = h->last_ns ? (double)(int64_t)(now_ns - h->last_ns) * 1e-9 : 0;
  if (dt > 0) {
    const HeftVec3 rate = heft_vec3_scale(1 / dt, heft_vec3_sub(pos, h->last));
    h->velocity = heft_vec3_add_scaled(h->velocity, dt / (dt + velocity_filter),
                                       heft_vec3_sub(rate, h->velocity));
  }
  h->last = pos;
  h->last_ns = now_ns;
  return h->news.has_velocity ? h->news.sample.vel : h->velocity;
}

static HeftDeviceRead haply_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  Haply* h = self;
  HeftDeviceRead read = HEFT_DEVICE_NOTHING;
  for (int i = 0; i < 16; ++i) {
    const ssize_t got = recv(h->socket, h->in + h->used, sizeof h->in - 1 - h->used, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
      return HEFT_DEVICE_LOST;
    if (got > 0) h->used += (size_t)got;
    WsFrame frame;
    const long size = ws_read(h->in, h->used, 0, MESSAGE, &frame);
    if (size < 0) return HEFT_DEVICE_LOST;
    if (size == 0 && got < 0) break;
    if (size == 0) continue;
    const int reported = take_frame(h, &frame);
    if (reported < 0) return HEFT_DEVICE_LOST;
    if (reported > 0) read = HEFT_DEVICE_FRESH;
    h->used -= (size_t)size;
    memmove(h->in, h->in + size, h->used);
  }
  if (read != HEFT_DEVICE_FRESH) return read;
  *sample = h->news.sample;
  sample->vel = velocity_of(h, now_ns);
  sample->time_ns = now_ns;
  sample->number = ++h->number;
  return read;
}

static const char hello[] = "\"session\":{\"configure\":{\"profile\":{\"name\":\"heft\"}}},";

static bool haply_write(void* self, uint64_t now_ns, const HeftDeviceForce* f) {
  Haply* h = self;
  char text[512];
  (void)now_ns;
  if (h->news.id[0] == '\0') return 1;  // its name is not known yet
  const int introduce = h->news.has_session && !h->introduced;
  h->introduced |= introduce;
  const int n =
      snprintf(text, sizeof text,
               "{%s\"inverse3\":[{\"device_id\":\"%s\",\"commands\":{\"set_cursor_force\":{"
               "\"values\":{\"x\":%.6f,\"y\":%.6f,\"z\":%.6f}}}}]}",
               introduce ? hello : "", h->news.id, f->force.x, f->force.y, f->force.z);
  return n > 0 && (size_t)n < sizeof text && send_frame(h, WS_TEXT, text, (size_t)n);
}

// Another program is at the other end, which may be slow or send long messages.
static int haply_wait_on(void* self) { return ((Haply*)self)->socket; }

const HeftDriver heft_driver_haply = {
    .name = "haply",
    .text = "Inverse3 of Haply, through the service of its maker",
    .address = "[ip:]port, 127.0.0.1:10001",
    .size = sizeof(Haply),
    .open = haply_open,
    .close = haply_close,
    .info = haply_info,
    .read = haply_read,
    .write = haply_write,
    .wait_on = haply_wait_on,
};
