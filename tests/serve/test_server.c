// SPDX-License-Identifier: Apache-2.0
// A server and its clients over the loopback: what watchers get, what users may do, what is
// refused, and that a client that does not read holds nobody up.
#include <string.h>

#include "base/bytes.h"
#include "serve/frame.h"
#include "serve/served.h"

static Client a, b;

static void join(Client* c, const Served* s) {
  assert_true(client_open(c, s->port, NULL, NULL));
  assert_non_null(strstr(client_text(c), "\"type\":\"welcome\""));
}

static void join_as_user(Client* c, const Served* s) {
  join(c, s);
  assert_true(client_say(c, SERVED_HELLO));
  assert_non_null(strstr(client_text(c), "\"user\":true"));
}

static int has_error(Client* c, const char* part) {
  const char* text = client_text(c);
  return strstr(text, "\"type\":\"error\"") != NULL && strstr(text, part) != NULL;
}

static double f64(const unsigned char* at) {
  double x;
  memcpy(&x, at, sizeof x);
  return x;
}

static int u16(const unsigned char* at) { return at[0] | at[1] << 8; }

// The height of the box in a picture that lists it; negative: it does not.
static double box_height(const unsigned char* p) {
  for (int i = 0; i < u16(p + 24); ++i) {
    const unsigned char* at = p + 100 + 24 * i;
    float z;
    memcpy(&z, at + 20, sizeof z);
    if (u16(at) == 1) return (double)z;
  }
  return -1;
}

// ---- watchers

static void test_watcher(void** state) {
  (void)state;
  Served s;
  served_open(&s, served_def(), 0);
  assert_true(client_open(&a, s.port, NULL, NULL));
  const char* welcome = client_text(&a);
  assert_non_null(strstr(welcome, "\"version\":1"));
  assert_non_null(strstr(welcome, "\"bodies\":[\"world\",\"box\",\"arm\"]"));
  assert_non_null(strstr(welcome, "\"users\":true"));
  assert_null(strstr(welcome, SERVED_TOKEN));
  double time = -1;
  for (int i = 0; i < 10; ++i) {
    const unsigned char* p = client_picture(&a);
    assert_non_null(p);
    assert_int_equal(p[1] & 1, i == 0);  // the first one is whole
    assert_int_equal(p[1] & 2, 2);       // it runs
    assert_true(f64(p + 8) > time);
    time = f64(p + 8);
    assert_int_equal(u16(p + 32), 1);
  }
  assert_true(client_say(&a, "{\"type\":\"hello\",\"version\":1}"));
  assert_non_null(strstr(client_text(&a), "\"user\":false,\"seat\":-1,\"rights\":[]"));
  assert_true(client_say(&a, "{\"type\":\"hello\",\"version\":2}"));
  assert_true(has_error(&a, "version 1"));
  client_close(&a);
  served_close(&s);
}

// The bytes of the model are a model, the same one.
static void test_model(void** state) {
  (void)state;
  Served s;
  served_open(&s, served_def(), 0);
  join(&a, &s);
  assert_true(client_say(&a, "{\"type\":\"model\"}"));
  unsigned char* image = NULL;
  size_t size = 0, got = 0;
  while (!image || got < size) {
    assert_true(client_next(&a));
    if (a.opcode != 2 || a.bytes[0] != 2) continue;
    uint32_t total, offset;
    memcpy(&total, a.bytes + 4, 4);
    memcpy(&offset, a.bytes + 8, 4);
    if (!image) image = malloc(size = total);
    assert_true(offset == got && got + a.size - 12 <= size);
    memcpy(image + offset, a.bytes + 12, a.size - 12);
    got += a.size - 12;
  }
  HeftModel* model = NULL;
  assert_int_equal(heft_model_load(&model, image, size, NULL, NULL), HEFT_OK);
  assert_true(heft_model_hash(model) == heft_model_hash(s.model));
  heft_model_destroy(model);
  free(image);
  client_close(&a);
  served_close(&s);
}

static void test_watcher_may_not_act(void** state) {
  (void)state;
  enum { STEPS = 300 };
  static const char* const acts[] = {
      "{\"type\":\"pull\",\"body\":1,\"at\":[0,0,0],\"target\":[0,0,3]}",
      "{\"type\":\"push\",\"body\":1,\"at\":[0,0,0],\"impulse\":[0,0,3]}",
      "{\"type\":\"control\",\"actuator\":0,\"value\":1}",
      "{\"type\":\"run\",\"running\":false}",
      "{\"type\":\"step\",\"count\":1}",
      "{\"type\":\"reset\"}",
      "{\"type\":\"release\"}"};
  Served s;
  HeftServeDef def = served_def();
  def.watcher_rate = 1e6;
  served_open(&s, def, STEPS);
  join(&a, &s);
  for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
    assert_true(client_say(&a, acts[i]));
    assert_true(has_error(&a, "needs the token"));
  }
  SERVED_WAIT(&s, r.steps == STEPS);
  const HeftServeReport r = heft_server_report(s.server);
  assert_int_equal(r.forbidden, 7);
  assert_int_equal(r.commands, 0);
  served_stop(&s);
  assert_true(heft_world_hash(s.world) == served_alone(STEPS));
  client_close(&a);
  served_close(&s);
}

// ---- users

static void test_user(void** state) {
  (void)state;
  Served s;
  served_open(&s, served_def(), 0);
  join(&a, &s);
  join_as_user(&b, &s);
  double height = 0;
  for (int i = 0; i < 400 && height < 1; ++i) {
    assert_true(client_say(&b, "{\"type\":\"pull\",\"body\":1,\"at\":[0,0,0],\"target\":[0,0,2]}"));
    const unsigned char* p = client_picture(&b);
    height = box_height(p);
  }
  assert_true(height >= 1);
  const unsigned char* p = client_picture(&a);  // a watcher sees it, too, and the hand
  while (p && !(box_height(p) >= 1)) p = client_picture(&a);
  assert_non_null(p);
  assert_int_equal(u16(p + 28), 1);
  assert_int_equal(u16(p + 34), 1);
  assert_true(client_say(&b, "{\"type\":\"run\",\"running\":false}"));
  while ((p = client_picture(&a)) && (p[1] & 2)) {
  }
  assert_non_null(p);
  assert_true(client_say(&b, "{\"type\":\"reset\",\"key\":\"high\"}"));
  while ((p = client_picture(&a)) && !(fabs(box_height(p) - 1) < 1e-6)) {
  }
  assert_non_null(p);
  assert_true(client_say(&b, "{\"type\":\"reset\",\"key\":\"hihg\"}"));
  assert_true(has_error(&b, "did you mean 'high'"));
  client_close(&a);
  client_close(&b);
  served_close(&s);
}

// The hand of a user who leaves lets go.
static void test_user_leaves(void** state) {
  (void)state;
  Served s;
  served_open(&s, served_def(), 0);
  join(&a, &s);
  join_as_user(&b, &s);
  assert_true(client_say(&b, "{\"type\":\"pull\",\"body\":1,\"at\":[0,0,0],\"target\":[0,0,2]}"));
  const unsigned char* p = NULL;
  while ((p = client_picture(&a)) && u16(p + 28) != 1) {
  }
  assert_non_null(p);
  client_close(&b);
  const double left = f64(p + 8);
  while ((p = client_picture(&a)) && u16(p + 28) != 0) {
  }
  assert_non_null(p);
  CHECK_AT_MOST(f64(p + 8) - left, 0.9);  // before the dead man's second
  SERVED_WAIT(&s, r.users == 0);
  client_close(&a);
  served_close(&s);
}

static void test_rights(void** state) {
  (void)state;
  Served s;
  HeftServeDef def = served_def();
  def.rights = 1u << HEFT_RIGHT_PUSH;
  def.user_max = 1;
  served_open(&s, def, 0);
  join_as_user(&a, &s);
  assert_true(client_say(&a, "{\"type\":\"reset\"}"));
  assert_true(has_error(&a, "does not allow to reset"));
  assert_true(client_say(&a, "{\"type\":\"push\",\"body\":9,\"at\":[0,0,0],\"impulse\":[0,0,1]}"));
  assert_true(has_error(&a, "no body 9"));
  join(&b, &s);
  assert_true(client_say(&b, SERVED_HELLO));
  assert_true(has_error(&b, "seats"));
  client_close(&a);
  SERVED_WAIT(&s, r.users == 0);
  assert_true(client_say(&b, SERVED_HELLO));
  assert_non_null(strstr(client_text(&b), "\"rights\":[\"push\"]"));
  client_close(&b);
  served_close(&s);
}

static void test_no_users(void** state) {
  (void)state;
  Served s;
  HeftServeDef def = served_def();
  def.token = NULL;
  served_open(&s, def, 0);
  assert_true(client_open(&a, s.port, NULL, NULL));
  assert_non_null(strstr(client_text(&a), "\"users\":false,\"rights\":[]"));
  for (int i = 0; i < 3; ++i) {
    assert_true(client_say(&a, SERVED_HELLO));
    if (i < 2) assert_true(has_error(&a, "no users"));
  }
  assert_true(client_closed(&a));  // after three wrong tokens
  assert_int_equal(a.close_code, 1008);
  client_close(&a);
  served_close(&s);
}

// ---- limits

static void expect_close(const Served* s, int first, const char* bytes, size_t size, int code) {
  join(&a, s);
  client_frame(&a, first, bytes, size);
  assert_true(client_closed(&a));
  if (code) assert_int_equal(a.close_code, code);
  client_close(&a);
}

static void test_limits(void** state) {
  (void)state;
  static char large[60000];
  Served s;
  memset(large, ' ', sizeof large);
  served_open(&s, served_def(), 0);
  expect_close(&s, 0x81, large, sizeof large, 0);  // what was not read may cost the reason
  expect_close(&s, 0x81, large, 2049, 1009);
  expect_close(&s, 0x82, "{}", 2, 1003);        // not a text
  expect_close(&s, 0x81, "\xff\xfe", 2, 1007);  // no UTF-8
  expect_close(&s, 0xc1, "{}", 2, 0);           // a reserved bit
  expect_close(&s, 0x83, "{}", 2, 0);           // an unknown opcode
  expect_close(&s, 0x89, large, 126, 0);        // too long a ping
  expect_close(&s, 0x80, "{}", 2, 0);           // a continuation of nothing
  join(&a, &s);
  int mistakes = 0;  // each is answered, until there are too many, or too many a second
  while (client_say(&a, "{") && strstr(client_text(&a), "\"type\":\"error\"")) ++mistakes;
  assert_true(mistakes >= 10 && mistakes < 20);
  assert_int_equal(a.close_code, 1008);
  client_close(&a);
  join(&a, &s);  // a message in parts that is too long together
  client_frame(&a, 0x01, large, 1500);
  client_frame(&a, 0x80, large, 1500);
  assert_true(client_closed(&a));
  assert_int_equal(a.close_code, 1009);
  client_close(&a);
  SERVED_WAIT(&s, r.clients == 0);
  served_close(&s);
}

static void test_too_many(void** state) {
  (void)state;
  Served s;
  HeftServeDef def = served_def();
  def.client_max = 2;
  def.token = NULL;  // tests/serve/test_crowd.c has users
  static Client third;
  served_open(&s, def, 0);
  join(&a, &s);
  join(&b, &s);
  assert_false(client_open(&third, s.port, NULL, NULL));
  assert_int_equal(third.status, 403);
  client_close(&third);
  client_close(&a);
  SERVED_WAIT(&s, r.clients == 1);
  join(&third, &s);
  client_close(&third);
  client_close(&b);
  served_close(&s);
}

static void test_origin_and_host(void** state) {
  (void)state;
  Served s;
  served_open(&s, served_def(), 0);
  assert_false(client_open(&a, s.port, NULL, "Origin: http://evil.example\r\n"));
  assert_int_equal(a.status, 403);
  client_close(&a);
  assert_false(client_open(&a, s.port, NULL, "Origin: null\r\n"));
  client_close(&a);
  assert_false(client_open(&a, s.port, "evil.example", NULL));
  client_close(&a);
  assert_true(client_open(&a, s.port, NULL, "Origin: http://localhost:5173\r\n"));
  client_close(&a);
  served_close(&s);
}

// A watcher that does not read gets fewer pictures; the world and the others do not notice.
static void test_slow_watcher(void** state) {
  (void)state;
  enum { PICTURES = 160 };  // more than the system holds, in less time than a ping may take
  Served s;
  HeftServeDef def = served_def();
  def.picture_rate = 500;
  served_open(&s, def, 0);
  client_receive_room = 4096;  // of the system, which holds what is not read
  join(&a, &s);
  client_receive_room = 0;
  join(&b, &s);
  double time = -1;
  uint32_t number = 0;
  for (int i = 0; i < PICTURES; ++i) {
    const unsigned char* p = client_picture(&b);
    assert_non_null(p);
    assert_true(f64(p + 8) > time);
    time = f64(p + 8);
    memcpy(&number, p + 4, sizeof number);
  }
  uint32_t seen = 0, before = 0;
  int count = 0, jumps = 0;
  while (seen < number) {  // it reads again
    const unsigned char* p = client_picture(&a);
    assert_non_null(p);
    memcpy(&seen, p + 4, sizeof seen);
    ++count;
    if (before > 0 && seen != before + 1) {
      ++jumps;
      assert_int_equal(p[1] & 1, 1);  // a whole one
    }
    before = seen;
  }
  print_message("a watcher that did not read got %d of %u pictures\n", count, (unsigned)number);
  assert_true(jumps > 0 && count < PICTURES);
  assert_true(heft_server_report(s.server).skipped > 0);
  client_close(&a);
  client_close(&b);
  served_close(&s);
}

static void test_port_in_use(void** state) {
  (void)state;
  Served s;
  HeftError error = {0};
  HeftServer* second = NULL;
  HeftServeDef def = served_def();
  served_open(&s, def, 0);
  def.port = s.port;
  assert_int_equal(heft_server_create(&second, s.world, &def, &error), HEFT_ERR_FILE);
  assert_null(second);
  assert_non_null(strstr(error.message, "is in use by another program"));
  served_close(&s);
}

// ---- a shared world

// The next binary message of a kind.
static int next_of(Client* c, int kind) {
  while (client_next(c))
    if (c->opcode == 2 && c->bytes[0] == kind) return 1;
  return 0;
}

static void test_shared(void** state) {
  (void)state;
  static FrameInput own[FRAME_RING], all[FRAME_RING * FRAME_USERS];
  HeftProbeDef probes[8];
  unsigned char block[2048] = {0};
  Served s;
  HeftServeDef def = served_def();
  for (int i = 0; i < 8; ++i) probes[i] = heft_probe_def_default();
  def.probes = probes;
  served_open(&s, def, 0);
  join(&a, &s);
  join_as_user(&b, &s);
  assert_true(client_say(&a, "{\"type\":\"join\"}"));
  assert_true(has_error(&a, "needs the token"));
  assert_true(client_frame(&b, 0x82, block, 20));
  assert_true(has_error(&b, "a user who has joined"));
  assert_true(client_say(&b, "{\"type\":\"release\"}"));
  assert_true(has_error(&b, "this world is shared"));
  assert_true(client_say(&b, "{\"type\":\"join\"}"));
  assert_true(next_of(&b, 4) && next_of(&b, 5));
  memset(block, 0xff, sizeof block);
  assert_true(client_frame(&b, 0x82, block, 300));
  assert_true(has_error(&b, "damaged"));
  // An input comes back, final, in the seat of its sender and in its step.
  const HeftProbeInput hand = {.pos = {3, 2, 1}, .rot = {1, 0, 0, 0}, .present = 1};
  for (int k = 0; k < FRAME_RING; ++k) own[k] = frame_input(&hand);
  assert_true(next_of(&b, 5));
  const unsigned char* at = b.bytes + 8;
  const uint64_t present = bytes_get(&at, 8), step = present + 50;
  assert_true(client_frame(&b, 0x82, block, frame_write(own, 1, step, 10, block, sizeof block)));
  for (uint64_t first = 0, next = 0; next <= step;) {
    assert_true(next_of(&b, 5));
    const int count = frame_read(b.bytes + 32, b.size - 32, 8, &first, all);
    assert_true(count >= 0);
    next = first + (uint64_t)count;
    if (first <= step && step < next)
      assert_true(frame_probe(&all[step % FRAME_RING * 8]).pos.y == 2);
    if (first < step && step < next) assert_int_equal(all[(step - 1) % FRAME_RING * 8].flags, 0);
  }
  client_close(&a);
  client_close(&b);
  SERVED_WAIT(&s, r.clients == 0);
  served_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_watcher),
      cmocka_unit_test(test_model),
      cmocka_unit_test(test_watcher_may_not_act),
      cmocka_unit_test(test_user),
      cmocka_unit_test(test_user_leaves),
      cmocka_unit_test(test_rights),
      cmocka_unit_test(test_no_users),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_origin_and_host),
      cmocka_unit_test(test_slow_watcher),
      cmocka_unit_test(test_port_in_use),
      cmocka_unit_test(test_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
