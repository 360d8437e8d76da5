// SPDX-License-Identifier: Apache-2.0
// The driver for the Inverse3, against an emulator of its service: a hand on a wall, messages that
// are garbage, a service that is stopped and started again.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "device/driver_list.h"
#include "device/haply.h"
#include "device/json.h"
#include "device/websocket.h"
#include "emulate/haply_service.h"
#include "emulate/stand_ins.h"
#include "support/check.h"

// ---- the service, in a thread and in the time of the test

typedef struct Service {
  HaplyService self;
  pthread_t thread;
  atomic_int quit;
} Service;

static _Atomic uint64_t the_time = 1000000000u;

static void* live(void* user) {
  Service* s = user;
  while (!atomic_load(&s->quit)) {
    struct pollfd p = {.fd = s->self.head.wait_on, .events = POLLIN};
    poll(&p, 1, 1);
    heft_stand_in_haply.turn(&s->self, atomic_load(&the_time));
  }
  return NULL;
}

// A hand that wants to be 20 mm inside of the wall.
static void start(Service* s, const char* address, HaplyMood mood) {
  HeftEmulator hand;
  HeftError error = {0};
  memset(s, 0, sizeof *s);
  assert_int_equal(
      heft_emulator_read_text(&hand, "ideal,hand-damping=3:0 0 0 0 2; 0.001 0 0 -0.02 2", &error),
      HEFT_OK);
  atomic_init(&s->quit, 0);
  atomic_init(&s->self.mood, (int)mood);
  if (heft_stand_in_haply.open(&s->self, address, &hand, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_int_equal(pthread_create(&s->thread, NULL, live, s), 0);
}

static void stop(Service* s) {
  atomic_store(&s->quit, 1);
  pthread_join(s->thread, NULL);
  heft_stand_in_haply.close(&s->self);
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
  atomic_store(&the_time, now);
  for (int i = 0; i < 200 && read == HEFT_DEVICE_NOTHING; ++i) {
    read = heft_device_read(device, now, s);
    if (read == HEFT_DEVICE_NOTHING) poll(NULL, 0, 1);
  }
  const HeftDeviceForce command = heft_local_model_force(&wall, now, s);
  *given = heft_device_write(device, now, &command, NULL);
  return read;
}

// With the messages of a release.
static void press(const char* address) {
  static Service s;
  start(&s, address, HAPLY_WELL);
  HeftDevice* device = connected();
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  HeftDeviceForce f;
  uint64_t now = atomic_load(&the_time);
  for (int i = 0; i < 4000; ++i) {
    now += 1000000u;
    assert_int_equal(turn(device, now, &sample, &f), HEFT_DEVICE_FRESH);
  }
  print_message("%s: %.4f mm deep, %.4f N\n", address, -1e3 * sample.pos.z, f.force.z);
  CHECK_AT_MOST(fabs(sample.pos.z + 0.02 / 6), 2e-6);
  CHECK_AT_MOST(fabs(f.force.z - 10.0 / 6), 1e-3);
  CHECK_AT_MOST(fabs(sample.rot.w - 1), 1e-12);
  assert_int_equal(sample.buttons, 2);
  // Killed: no force, and when it is there again, it is found.
  stop(&s);
  now += 1000000u;
  turn(device, now, &sample, &f);
  now += 1000000u;
  turn(device, now, &sample, &f);
  assert_false(heft_device_alive(device));
  assert_true(f.force.z == 0);
  start(&s, address, HAPLY_WELL);
  for (int i = 0; i < 3000; ++i) {
    now += 1000000u;
    turn(device, now, &sample, &f);
  }
  assert_true(heft_device_alive(device));
  CHECK_AT_MOST(fabs(f.force.z - 10.0 / 6), 1e-2);
  heft_device_close(device);
  stop(&s);
}

static void a_wall_is_felt_and_the_service_comes_back(void** state) {
  (void)state;
  press("7473");
  press("7473/3.1");
}

static void a_service_may_be_mad(void** state) {
  (void)state;
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  HeftDeviceForce f;
  for (int mood = HAPLY_WRONG_KEY; mood <= HAPLY_HANGS_UP; ++mood) {
    static Service s;
    start(&s, "7473", (HaplyMood)mood);
    HeftDevice* device = NULL;
    HeftError error = {0};
    const HeftStatus status = heft_device_open(&device, &heft_driver_haply, "7473", NULL, &error);
    if (mood == HAPLY_WRONG_KEY) {
      assert_int_not_equal(status, HEFT_OK);
    } else {
      assert_int_equal(status, HEFT_OK);
      HeftDeviceRead last = HEFT_DEVICE_NOTHING;
      for (int i = 0; i < 40; ++i) {
        last = heft_device_read(device, 1000000u * (uint64_t)(i + 1), &sample);
        const HeftDeviceForce command = {.force = {0, 0, 1}};
        f = heft_device_write(device, 1000000u * (uint64_t)(i + 1), &command, NULL);
        if (mood != HAPLY_HANGS_UP) assert_true(f.force.z == 0);
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
  HaplyNews news;
  char text[400];
  const char* const names[] = {"049D", "x\\\"y", "", "a b", "ok-1_2.3:4"};
  const int taken[] = {1, 0, 0, 0, 1};
  for (int i = 0; i < 5; ++i) {
    snprintf(text, sizeof text,
             "{\"inverse3\":[{\"device_id\":\"%s\",\"state\":{\"cursor_position\":{\"x\":1,\"y\":2,"
             "\"z\":3},\"cursor_velocity\":{\"x\":0,\"y\":0,\"z\":0}}}]}",
             names[i]);
    assert_int_equal(haply_parse(text, &news), taken[i]);
  }
}

// Shapes of messages that releases of the service have: old and new, wired grips and wireless ones,
// devices without a velocity, and the small Minverse.
static void messages_of_all_releases_are_read(void** state) {
  (void)state;
  typedef struct Message {
    const char* text;
    int taken;
    double z, vz, w;
    unsigned buttons;
    int small;
  } Message;
  static const Message messages[] = {
      {"{\"inverse3\":[{\"device_id\":\"04BA\",\"config\":{\"type\":\"inverse3\",\"handedness\":"
       "\"right\"},\"state\":{\"angular_position\":{\"a0\":-69.3,\"a1\":137.6,\"a2\":19.8},"
       "\"cursor_position\":{\"x\":0.078,\"y\":-0.148,\"z\":0.143},\"cursor_velocity\":{\"x\":-0."
       "01,"
       "\"y\":0.001,\"z\":-0.043},\"mode\":\"idle\"},\"status\":{\"calibrated\":false}}],"
       "\"verse_grip\":[{\"device_id\":\"61548\",\"state\":{\"button\":true,\"hall\":0,"
       "\"orientation\":{\"x\":0,\"y\":0.6,\"z\":0,\"w\":0.8}}}]}",
       1, 0.143, -0.043, 0.8, 1, 0},
      {"{\"session_id\":7,\"inverse3\":[{\"device_id\":\"049D\",\"config\":{\"type\":\"minverse\"},"
       "\"state\":{\"cursor_position\":{\"x\":0,\"y\":0,\"z\":0.01},\"cursor_velocity\":{\"x\":0,"
       "\"y\":0,\"z\":1},\"transform\":{}},\"status\":{\"ready\":true}}],\"verse_grip\":[],"
       "\"wireless_verse_grip\":[{\"device_id\":\"1\",\"state\":{\"orientation\":{\"x\":0,\"y\":0,"
       "\"z\":0.6,\"w\":0.8},\"buttons\":{\"a\":true,\"b\":false,\"c\":true}}}]}",
       1, 0.01, 1, 0.8, 5, 1},
      {"{\"inverse3\":[{\"device_id\":\"1\",\"state\":{\"cursor_position\":{\"x\":0,\"y\":0,"
       "\"z\":0.25}}}]}",
       1, 0.25, 0, 1, 0, 0},
      {"{\"inverse3\":[{\"device_id\":\"1\",\"state\":{\"cursor_position\":{\"x\":0,\"y\":0,"
       "\"z\":0.25},\"cursor_velocity\":{\"x\":\"fast\"}}}]}",
       0, 0, 0, 1, 0, 0},
      {"{\"inverse3\":[{\"device_id\":\"1\",\"state\":{}}]}", 0, 0, 0, 1, 0, 0},
      {"{\"inverse3\":[]}", 0, 0, 0, 1, 0, 0},
      {"{\"session_id\":7}", 0, 0, 0, 1, 0, 0},
  };
  for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
    const Message* m = &messages[i];
    HaplyNews news = {0};
    assert_int_equal(haply_parse(m->text, &news), m->taken);
    if (!m->taken) continue;
    assert_true(news.sample.pos.z == m->z && news.sample.vel.z == m->vz);
    CHECK_AT_MOST(fabs(news.sample.rot.w - m->w), 1e-12);
    assert_int_equal(news.sample.buttons, m->buttons);
    assert_int_equal(news.small, m->small);
    assert_int_equal(news.has_velocity, i != 2);
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
      cmocka_unit_test(messages_of_all_releases_are_read),
      cmocka_unit_test(a_wall_is_felt_and_the_service_comes_back),
      cmocka_unit_test(a_service_may_be_mad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
