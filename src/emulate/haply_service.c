// SPDX-License-Identifier: Apache-2.0
// The service of Haply's Inverse3: a WebSocket server on this machine. It sends an inventory to who
// connects, and one state for each message that comes. Releases from 3.5 on also send their
// session, the configuration in the inventory, and the status of each device (interact/haply.c).
#include "emulate/haply_service.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "device/json.h"
#include "device/text.h"
#include "emulate/stand_ins.h"

enum { PORT = 10001, LONGEST = 4096 };

static const double let_go_after = 0.1;  // without a message the force ends [s]

// ---- address: [port][/3.1]

static HeftStatus service_open(void* self, const char* address, const HeftEmulator* hand,
                               HeftError* error) {
  HaplyService* s = self;
  char digits[32];
  const char* version = text_split(address, '/', digits, sizeof digits);
  const char* at = digits;
  double port = PORT;
  if ((*at && (!text_number(&at, &port) || *at || !(port >= 1 && port <= 65535))) ||
      (*version && strcmp(version, "3.1") != 0 && strcmp(version, "3.5") != 0))
    return text_error(error, HEFT_ERR_SYNTAX, "the address is not understood", address,
                      "[port][/3.1]");
  struct sockaddr_in place;
  memset(&place, 0, sizeof place);
  place.sin_family = AF_INET;
  place.sin_port = htons((uint16_t)port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  s->head.hand = *hand;
  s->old = strcmp(version, "3.1") == 0;
  s->client = -1;
  s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int one = 1;
  if (s->listener >= 0) setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (s->listener < 0 || bind(s->listener, (const struct sockaddr*)&place, sizeof place) != 0 ||
      listen(s->listener, 4) != 0) {
    const int why = errno;
    if (s->listener >= 0) close(s->listener);
    return heft_error_set(error, HEFT_ERR_FILE, "the port %d cannot be used (errno %d)", (int)port,
                          why);
  }
  s->head.wait_on = s->listener;
  snprintf(s->head.place, sizeof s->head.place, "%d", (int)port);
  return HEFT_OK;
}

static void hang_up(HaplyService* s) {
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  if (s->client >= 0) close(s->client);
  s->client = -1;
  s->greeted = 0;
  s->used = 0;
  s->head.wait_on = s->listener;
  s->head.hand.force = none;
}

static void service_close(void* self) {
  HaplyService* s = self;
  hang_up(s);
  close(s->listener);
}

// ---- messages to the client

static int send_bytes(HaplyService* s, const void* bytes, size_t size) {
  return send(s->client, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

static int say(HaplyService* s, int opcode, const void* text, size_t size) {
  unsigned char out[LONGEST + WS_HEAD];
  return size <= LONGEST && send_bytes(s, out, ws_write(opcode, text, size, NULL, out));
}

static int state_text(const HaplyService* s, int inventory, char* text, size_t size) {
  const HeftDeviceSample* x = &s->sample;
  const char* session = s->old ? "" : "\"session_id\":1,";
  const char* config =
      !inventory ? ""
      : s->old
          ? "\"config\":{\"handedness\":\"right\"},"
          : "\"config\":{\"type\":\"inverse3\",\"preset\":\"defaults\",\"handedness\":\"right\","
            "\"basis\":{\"permutation\":\"XYZ\"}},";
  const char* status =
      s->old ? "" : ",\"status\":{\"calibrated\":true,\"in_use\":true,\"ready\":true}";
  const char* more = s->old ? "\"mode\":\"idle\""
                            : "\"control_domain\":\"cartesian\",\"control_mode\":\"force\","
                              "\"transform\":{}";
  return snprintf(
      text, size,
      "{%s\"inverse3\":[{\"device_id\":\"049D\",%s\"state\":{\"cursor_position\":{\"x\":%.9f,"
      "\"y\":%.9f,\"z\":%.9f},\"cursor_velocity\":{\"x\":%.9f,\"y\":%.9f,\"z\":%.9f},%s}%s}],"
      "\"wireless_verse_grip\":[{\"device_id\":\"61548\",\"state\":{\"orientation\":{\"x\":%.9f,"
      "\"y\":%.9f,\"z\":%.9f,\"w\":%.9f},\"hall\":0,\"buttons\":{\"a\":%s,\"b\":%s,\"c\":%s}}%s}]}",
      session, config, x->pos.x, x->pos.y, x->pos.z, x->vel.x, x->vel.y, x->vel.z, more, status,
      x->rot.x, x->rot.y, x->rot.z, x->rot.w, x->buttons & 1u ? "true" : "false",
      x->buttons & 2u ? "true" : "false", x->buttons & 4u ? "true" : "false", status);
}

static int say_blanks(HaplyService* s) {
  unsigned char out[1024 + WS_HEAD] = {0x81, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xA0};  // 100,000 long
  memset(out + 10, ' ', 1024);
  return send_bytes(s, out, 10 + 1024);
}

static int tell(HaplyService* s, int inventory) {
  char text[LONGEST];
  const int mood = atomic_load(&s->mood);
  if (mood == HAPLY_GARBAGE) return send_bytes(s, "\xff\xff\xff\xff nonsense", 13);
  if (mood == HAPLY_TOO_LONG) return say_blanks(s);
  if (mood == HAPLY_NOT_JSON) return say(s, WS_TEXT, "{\"inverse3\":[{\"device_id\":\"x\",", 30);
  const int n = state_text(s, inventory, text, sizeof text);
  return n > 0 && n < LONGEST && say(s, WS_TEXT, text, (size_t)n);
}

// ---- what it hears

static int greet(HaplyService* s) {
  char answer[256], accept_key[29];
  char* text = (char*)s->in;
  text[s->used] = '\0';
  const char* end = strstr(text, "\r\n\r\n");
  if (!end) return s->used + 1 < sizeof s->in;
  const char* key = strstr(text, "Sec-WebSocket-Key: ");
  if (strncmp(text, "GET / HTTP/1.1\r\n", 16) != 0 || !key || end - key < 19 + 24) return 0;
  ws_accept(key + 19, accept_key);
  if (atomic_load(&s->mood) == HAPLY_WRONG_KEY) accept_key[3] ^= 1;
  const int n = snprintf(answer, sizeof answer,
                         "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                         "Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                         accept_key);
  const size_t taken = (size_t)(end + 4 - text);
  s->used -= taken;
  memmove(s->in, s->in + taken, s->used);
  s->greeted = 1;
  return send_bytes(s, answer, (size_t)n) && tell(s, 1) && say(s, WS_PING, "hi", 2) &&
         atomic_load(&s->mood) != HAPLY_HANGS_UP;
}

static void obey(HaplyService* s, const char* text) {
  if (!json_check(text)) return;
  const char* device = json_first(json_member(text_skip(text), "inverse3"));
  const char* values =
      json_member(json_member(json_member(device, "commands"), "set_cursor_force"), "values");
  HeftDeviceForce force = {{0, 0, 0}, {0, 0, 0}, 0};
  if (json_number(json_member(values, "x"), &force.force.x) &&
      json_number(json_member(values, "y"), &force.force.y) &&
      json_number(json_member(values, "z"), &force.force.z))
    heft_emulator_write(&s->head.hand, &force);
}

// 0 ends the connection.
static int take_frame(HaplyService* s, const WsFrame* f) {
  char text[LONGEST + 1];
  if (f->opcode == WS_CLOSE) return 0;
  if (f->opcode == WS_PING) return say(s, WS_PONG, f->payload, f->size);
  if (f->opcode != WS_TEXT) return 1;
  memcpy(text, f->payload, f->size);
  text[f->size] = '\0';
  obey(s, text);
  ++s->asked;
  return tell(s, 0);
}

static int take_frames(HaplyService* s) {
  for (;;) {
    WsFrame frame;
    const long size = ws_read(s->in, s->used, 1, LONGEST, &frame);
    if (size < 0 || (size > 0 && !take_frame(s, &frame))) return 0;
    if (size == 0) return 1;
    s->used -= (size_t)size;
    memmove(s->in, s->in + size, s->used);
  }
}

static int hear(HaplyService* s, uint64_t now_ns) {
  const ssize_t got = recv(s->client, s->in + s->used, sizeof s->in - 1 - s->used, MSG_DONTWAIT);
  if (got == 0) return 0;
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  s->used += (size_t)got;
  s->heard_ns = now_ns;
  if (!s->greeted && !greet(s)) return 0;
  return !s->greeted || take_frames(s);
}

static void let_in(HaplyService* s, uint64_t now_ns) {
  s->client = accept(s->listener, NULL, NULL);
  if (s->client < 0) return;
  const int one = 1;
  setsockopt(s->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  s->head.wait_on = s->client;
  s->heard_ns = now_ns;
}

static void service_turn(void* self, uint64_t now_ns) {
  HaplyService* s = self;
  HeftDeviceSample sample;
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  if (hand_sample(&s->head, now_ns, &sample)) s->sample = sample;
  if (seconds_since(s->heard_ns, now_ns) > let_go_after) s->head.hand.force = none;
  if (s->client < 0) let_in(s, now_ns);
  if (s->client >= 0 && !hear(s, now_ns)) hang_up(s);
}

const HeftStandIn heft_stand_in_haply = {
    .name = "haply",
    .text = "the service of Haply's Inverse3, with a device",
    .driver = "haply",
    .device = "inverse3",
    .address = "[port][/3.1 for the protocol of older releases], 10001",
    .size = sizeof(HaplyService),
    .open = service_open,
    .close = service_close,
    .turn = service_turn,
};
