// SPDX-License-Identifier: Apache-2.0
// The driver for the Inverse3, against an emulator of its service: a hand on a wall, messages that
// are garbage, a service that is stopped and started again.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "interact/driver_list.h"
#include "interact/haply.h"
#include "interact/json.h"
#include "interact/websocket.h"
#include "support/check.h"

enum { PORT = 7473 };

// ---- the service

typedef enum Mood { WELL, WRONG_KEY, GARBAGE, TOO_LONG, NOT_JSON, HANGS_UP } Mood;

typedef struct Service {
  pthread_t thread;
  int listener;
  atomic_int mood, quit;
  double pos[3], vel[3], force[3];
} Service;

static void move(Service* s) {
  const double wish[3] = {0, 0, -0.02};
  for (int part = 0; part < 10; ++part) {
    for (int i = 0; i < 3; ++i) {
      const double pull = s->force[i] + 100 * (wish[i] - s->pos[i]) - 3 * s->vel[i];
      s->vel[i] += 1e-4 * pull / 0.2;
      s->pos[i] += 1e-4 * s->vel[i];
    }
  }
}

static void say(int socket, const char* text, size_t size) {
  static unsigned char out[40000];
  const size_t n = ws_write(WS_TEXT, text, size, NULL, out);
  if (send(socket, out, n, MSG_NOSIGNAL) < 0) return;
}

static void tell(Service* s, int socket) {
  char text[1024];
  const int mood = atomic_load(&s->mood);
  if (mood == GARBAGE) {
    if (send(socket, "\xff\xff\xff\xff nonsense", 13, MSG_NOSIGNAL) < 0) return;
    return;
  }
  if (mood == TOO_LONG) {
    static char huge[30000];
    memset(huge, ' ', sizeof huge);
    say(socket, huge, sizeof huge);
    return;
  }
  if (mood == NOT_JSON) {
    say(socket, "{\"inverse3\":[{\"device_id\":\"x\",", 30);
    return;
  }
  const int n = snprintf(
      text, sizeof text,
      "{\"inverse3\":[{\"device_id\":\"049D\",\"state\":{\"cursor_position\":{\"x\":%.9f,\"y\":%."
      "9f,"
      "\"z\":%.9f},\"cursor_velocity\":{\"x\":%.9f,\"y\":%.9f,\"z\":%.9f}}}],"
      "\"wireless_verse_grip\":[{\"state\":{\"orientation\":{\"x\":0,\"y\":0,\"z\":0.6,\"w\":0.8},"
      "\"buttons\":{\"a\":false,\"b\":true,\"c\":false}}}]}",
      s->pos[0], s->pos[1], s->pos[2], s->vel[0], s->vel[1], s->vel[2]);
  say(socket, text, (size_t)n);
}

static int greet(const Service* s, int socket) {
  char text[2048] = "", answer[256], accept[29];
  size_t used = 0;
  while (!strstr(text, "\r\n\r\n")) {
    const ssize_t got = recv(socket, text + used, sizeof text - 1 - used, 0);
    if (got <= 0) return 0;
    used += (size_t)got;
    text[used] = '\0';
  }
  const char* key = strstr(text, "Sec-WebSocket-Key: ");
  if (!key || strncmp(text, "GET / HTTP/1.1\r\n", 16) != 0) return 0;
  ws_accept(key + 19, accept);
  if (atomic_load(&s->mood) == WRONG_KEY) accept[3] ^= 1;
  const int n = snprintf(answer, sizeof answer,
                         "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
                         "Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                         accept);
  return send(socket, answer, (size_t)n, MSG_NOSIGNAL) == n;
}

// One force, one state.
static void obey(Service* s, char* text) {
  const char* values =
      json_member(json_member(json_member(json_first(json_member(text, "inverse3")), "commands"),
                              "set_cursor_force"),
                  "values");
  static const char* const names[3] = {"x", "y", "z"};
  if (!json_check(text)) return;
  for (int i = 0; i < 3; ++i) json_number(json_member(values, names[i]), &s->force[i]);
  move(s);
}

static void serve(Service* s, int socket) {
  static unsigned char in[4096];
  size_t used = 0;
  if (!greet(s, socket)) return;
  tell(s, socket);
  const unsigned char ping[] = "hi";
  unsigned char out[16];
  const size_t n = ws_write(WS_PING, ping, 2, NULL, out);
  if (send(socket, out, n, MSG_NOSIGNAL) < 0) return;
  while (!atomic_load(&s->quit) && atomic_load(&s->mood) != HANGS_UP) {
    struct pollfd p = {.fd = socket, .events = POLLIN};
    if (poll(&p, 1, 10) != 1) continue;
    const ssize_t got = recv(socket, in + used, sizeof in - used, 0);
    if (got <= 0) return;
    used += (size_t)got;
    for (;;) {
      WsFrame frame;
      const long size = ws_read(in, used, 1, 2048, &frame);
      if (size < 0) return;
      if (size == 0) break;
      if (frame.opcode == WS_TEXT) {
        char text[2049];
        memcpy(text, frame.payload, frame.size);
        text[frame.size] = '\0';
        obey(s, text);
        tell(s, socket);
      }
      used -= (size_t)size;
      memmove(in, in + size, used);
    }
  }
}

static void* live(void* user) {
  Service* s = user;
  while (!atomic_load(&s->quit)) {
    struct pollfd p = {.fd = s->listener, .events = POLLIN};
    if (poll(&p, 1, 10) != 1) continue;
    const int socket = accept(s->listener, NULL, NULL);
    if (socket < 0) continue;
    serve(s, socket);
    close(socket);
  }
  return NULL;
}

static void start(Service* s, Mood mood) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  memset(s, 0, sizeof *s);
  atomic_init(&s->mood, (int)mood);
  atomic_init(&s->quit, 0);
  s->listener = socket(AF_INET, SOCK_STREAM, 0);
  const int one = 1;
  setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  assert_int_equal(bind(s->listener, (const struct sockaddr*)&at, sizeof at), 0);
  assert_int_equal(listen(s->listener, 4), 0);
  assert_int_equal(pthread_create(&s->thread, NULL, live, s), 0);
}

static void stop(Service* s) {
  atomic_store(&s->quit, 1);
  pthread_join(s->thread, NULL);
  close(s->listener);
}

// ---- the tests

static HeftDevice* connected(void) {
  HeftDevice* device = NULL;
  HeftError error = {0};
  HeftDeviceDef def = heft_device_def_default();
  def.retry = 0.02;
  if (heft_device_open(&device, &heft_driver_haply, "7473", &def, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return device;
}

// Waits for the answer, then a millisecond of the hand has passed.
static HeftDeviceRead turn(HeftDevice* device, uint64_t now, HeftDeviceSample* s,
                           HeftDeviceForce* given) {
  const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = {0, 0, 1}, .stiffness = 500};
  HeftDeviceRead read = HEFT_DEVICE_NOTHING;
  for (int i = 0; i < 200 && read == HEFT_DEVICE_NOTHING; ++i) {
    read = heft_device_read(device, now, s);
    if (read == HEFT_DEVICE_NOTHING) poll(NULL, 0, 1);
  }
  const HeftDeviceForce wish = heft_local_force(&wall, now, s);
  *given = heft_device_write(device, now, &wish, NULL);
  return read;
}

static void a_wall_is_felt_and_the_service_comes_back(void** state) {
  (void)state;
  Service s;
  start(&s, WELL);
  HeftDevice* device = connected();
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  HeftDeviceForce f;
  uint64_t now = 1000000000u;
  for (int i = 0; i < 4000; ++i) {
    now += 1000000u;
    assert_int_equal(turn(device, now, &sample, &f), HEFT_DEVICE_FRESH);
  }
  print_message("%.4f mm deep, %.4f N\n", -1e3 * sample.pos.z, f.force.z);
  CHECK_AT_MOST(fabs(sample.pos.z + 0.02 / 6), 2e-6);
  CHECK_AT_MOST(fabs(f.force.z - 10.0 / 6), 1e-3);
  CHECK_AT_MOST(fabs(sample.rot.w - 0.8), 1e-12);
  assert_int_equal(sample.buttons, 2);
  // Killed: no force, and when it is there again, it is found.
  stop(&s);
  now += 1000000u;
  turn(device, now, &sample, &f);
  now += 1000000u;
  turn(device, now, &sample, &f);
  assert_false(heft_device_alive(device));
  assert_true(f.force.z == 0);
  start(&s, WELL);
  for (int i = 0; i < 3000; ++i) {
    now += 1000000u;
    turn(device, now, &sample, &f);
  }
  assert_true(heft_device_alive(device));
  CHECK_AT_MOST(fabs(f.force.z - 10.0 / 6), 1e-2);
  heft_device_close(device);
  stop(&s);
}

static void a_service_may_be_mad(void** state) {
  (void)state;
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  HeftDeviceForce f;
  for (int mood = WRONG_KEY; mood <= HANGS_UP; ++mood) {
    Service s;
    start(&s, (Mood)mood);
    HeftDevice* device = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_device_open(&device, &heft_driver_haply, "7473", NULL, &error);
    if (mood == WRONG_KEY) {
      assert_int_not_equal(status, HEFT_OK);
    } else {
      assert_int_equal(status, HEFT_OK);
      HeftDeviceRead last = HEFT_DEVICE_NOTHING;
      for (int i = 0; i < 40; ++i) {
        last = heft_device_read(device, 1000000u * (uint64_t)(i + 1), &sample);
        const HeftDeviceForce wish = {.force = {0, 0, 1}};
        f = heft_device_write(device, 1000000u * (uint64_t)(i + 1), &wish, NULL);
        if (mood != HANGS_UP) assert_true(f.force.z == 0);
        poll(NULL, 0, 1);
      }
      assert_int_not_equal(last, HEFT_DEVICE_FRESH);
    }
    heft_device_close(device);
    stop(&s);
  }
}

static void json_is_strict(void** state) {
  (void)state;
  const char* const good[] = {"{}", " [1, -2.5e3, \"a\\n\", true, null]", "{\"a\":{\"b\":[]}}",
                              "0"};
  const char* const bad[] = {"",    "{",          "[1,]", "{\"a\" 1}", "{a:1}", "[1 2]", "tru",
                             "\"a", "[\"\x01\"]", "{}{}", "[.5]",      "[+1]",  "nul",   "[1,,2]"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) assert_true(json_check(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    if (json_check(bad[i])) fail_msg("taken: %s", bad[i]);
  }
  char deep[200];
  memset(deep, '[', 100);
  memset(deep + 100, ']', 99);
  deep[199] = '\0';
  assert_false(json_check(deep));
  double x = 0;
  assert_true(json_number(json_member("{\"ab\":1,\"a\":{\"x\":2},\"b\":-0.125}", "b"), &x));
  assert_true(x == -0.125);
  assert_null(json_member("{\"ab\":1}", "a"));
}

static void names_are_plain(void** state) {
  (void)state;
  char id[64];
  HeftDeviceSample s;
  char text[400];
  const char* const names[] = {"049D", "x\\\"y", "", "a b", "ok-1_2.3:4"};
  const int taken[] = {1, 0, 0, 0, 1};
  for (int i = 0; i < 5; ++i) {
    snprintf(text, sizeof text,
             "{\"inverse3\":[{\"device_id\":\"%s\",\"state\":{\"cursor_position\":{\"x\":1,\"y\":2,"
             "\"z\":3},\"cursor_velocity\":{\"x\":0,\"y\":0,\"z\":0}}}]}",
             names[i]);
    assert_int_equal(haply_parse(text, id, sizeof id, &s), taken[i]);
  }
}

// The example of RFC 6455, section 1.3.
static void the_handshake_is_that_of_the_standard(void** state) {
  (void)state;
  char out[29];
  ws_accept("dGhlIHNhbXBsZSBub25jZQ==", out);
  assert_string_equal(out, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_handshake_is_that_of_the_standard),
      cmocka_unit_test(json_is_strict),
      cmocka_unit_test(names_are_plain),
      cmocka_unit_test(a_wall_is_felt_and_the_service_comes_back),
      cmocka_unit_test(a_service_may_be_mad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
