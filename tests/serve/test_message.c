// SPDX-License-Identifier: Apache-2.0
// Messages of clients: what is understood, and that everything else is refused with a sentence.
#include "serve/message.h"

#include <heft/io.h>
#include <string.h>

#include "serve/command.h"
#include "support/check.h"

static int reads(const char* text, Message* out) {
  char why[MESSAGE_WHY];
  const int good = message_read(text, strlen(text), out, why);
  assert_int_equal(good, why[0] == '\0');
  return good;
}

static void test_good_messages(void** state) {
  (void)state;
  Message m;
  assert_true(reads("{\"type\":\"hello\",\"version\":1,\"token\":\"a\\u00e4\\\"b\"}", &m));
  assert_int_equal(m.kind, MESSAGE_HELLO);
  assert_int_equal(m.version, 1);
  assert_string_equal(m.token, "a\xc3\xa4\"b");
  assert_true(reads(
      " { \"at\" : [1, -2.5e0 ,3E-1],\"target\":[0,0,1],\"body\":4,\"type\":\"pull\" } ", &m));
  assert_int_equal(m.kind, MESSAGE_PULL);
  assert_int_equal(m.body, 4);
  assert_true(m.at[1] == -2.5 && m.at[2] == 0.3 && m.target[2] == 1);
  assert_true(reads("{\"type\":\"run\",\"running\":true}", &m) && m.running == 1);
  assert_true(reads("{\"type\":\"run\",\"running\":false}", &m) && m.running == 0);
  assert_true(reads("{\"type\":\"reset\"}", &m) && m.key[0] == '\0');
  assert_true(reads("{\"type\":\"control\",\"actuator\":0,\"value\":-0.25}", &m) &&
              m.value == -0.25);
}

static void test_bad_messages(void** state) {
  (void)state;
  static const char* const bad[] = {
      "",
      "null",
      "[]",
      "{}",
      "{\"type\":\"run\",\"running\":true",
      "{\"type\":\"run\",\"running\":true}}",
      "{\"type\":\"run\",\"running\":true} x",
      "{\"type\":\"run\",\"running\":true,}",
      "{\"type\":\"run\",,\"running\":true}",
      "{\"type\":\"run\",\"running\":1}",
      "{\"type\":\"run\",\"running\":truex}",
      "{\"type\":\"run\",\"running\":true,\"running\":false}",
      "{\"type\":\"run\",\"type\":\"run\",\"running\":true}",
      "{\"type\":\"run\",\"running\":true,\"extra\":1}",
      "{\"type\":\"run\"}",
      "{\"type\":\"Run\",\"running\":true}",
      "{\"type\":\"run\\u0000\",\"running\":true}",
      "{'type':'run','running':true}",
      "{\"type\":\"step\",\"count\":1.5}",
      "{\"type\":\"step\",\"count\":01}",
      "{\"type\":\"step\",\"count\":+1}",
      "{\"type\":\"step\",\"count\":1.}",
      "{\"type\":\"step\",\"count\":.5}",
      "{\"type\":\"step\",\"count\":1e}",
      "{\"type\":\"step\",\"count\":0x10}",
      "{\"type\":\"step\",\"count\":NaN}",
      "{\"type\":\"control\",\"actuator\":0,\"value\":1e999}",
      "{\"type\":\"control\",\"actuator\":0,\"value\":Infinity}",
      "{\"type\":\"control\",\"actuator\":4294967296,\"value\":0}",
      "{\"type\":\"push\",\"body\":1,\"at\":[0,0],\"impulse\":[0,0,0]}",
      "{\"type\":\"push\",\"body\":1,\"at\":[0,0,0,0],\"impulse\":[0,0,0]}",
      "{\"type\":\"push\",\"body\":1,\"at\":[[0,0,0]],\"impulse\":[0,0,0]}",
      "{\"type\":\"push\",\"body\":\"1\",\"at\":[0,0,0],\"impulse\":[0,0,0]}",
      "{\"type\":\"reset\",\"key\":\"\\ud83d\\ude00\"}",
      "{\"type\":\"reset\",\"key\":\"\\x41\"}",
      "{\"type\":\"reset\",\"key\":\"a\nb\"}",
  };
  Message m;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    if (reads(bad[i], &m)) fail_msg("was understood: %s", bad[i]);
  }
}

// Every beginning of a message is refused.
static void test_beginnings(void** state) {
  (void)state;
  static const char text[] =
      "{\"type\":\"push\",\"body\":1,\"at\":[0,0,0.5],\"impulse\":[1e1,0,-0]}";
  char why[MESSAGE_WHY];
  Message m;
  assert_true(message_read(text, sizeof text - 1, &m, why));
  for (size_t n = 0; n + 1 < sizeof text; ++n) {
    char exact[sizeof text];  // so that a byte too many is seen by the sanitizers
    memcpy(exact, text, n);
    assert_false(message_read(exact, n, &m, why));
    assert_true(why[0] != '\0');
  }
  char longer[MESSAGE_SIZE_MAX + 1];
  memset(longer, ' ', sizeof longer);
  memcpy(longer, text, sizeof text - 1);
  assert_true(message_read(longer, MESSAGE_SIZE_MAX, &m, why));
  assert_false(message_read(longer, MESSAGE_SIZE_MAX + 1, &m, why));
}

static void test_hints(void** state) {
  (void)state;
  char why[MESSAGE_WHY];
  Message m;
  const char text[] = "{\"type\":\"psuh\",\"body\":1}";
  assert_false(message_read(text, sizeof text - 1, &m, why));
  assert_non_null(strstr(why, "did you mean 'push'"));
}

static void test_commands(void** state) {
  (void)state;
  static const char mjcf[] =
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/></body></worldbody>"
      "<actuator><motor joint='j' ctrllimited='true' ctrlrange='-1 2'/></actuator>"
      "<keyframe><key name='home' qpos='0.1'/></keyframe></mujoco>";
  HeftModel* model = NULL;
  char why[MESSAGE_WHY];
  Command c;
  assert_int_equal(heft_model_load_bytes(&model, mjcf, sizeof mjcf - 1, "m.xml", NULL, NULL),
                   HEFT_OK);
  Message m = {.kind = MESSAGE_CONTROL, .actuator = 0, .value = 5};
  assert_true(command_make(&m, model, 3, &c, why));
  assert_true(c.value == 2 && c.user == 3);
  const Message bad[] = {
      {.kind = MESSAGE_CONTROL, .actuator = 1}, {.kind = MESSAGE_CONTROL, .actuator = -1},
      {.kind = MESSAGE_PULL, .body = 0},        {.kind = MESSAGE_PULL, .body = 2},
      {.kind = MESSAGE_PUSH, .body = -5},       {.kind = MESSAGE_STEP, .count = 0},
      {.kind = MESSAGE_STEP, .count = 1001},    {.kind = MESSAGE_HELLO}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(command_make(&bad[i], model, 0, &c, why));
  m = (Message){.kind = MESSAGE_RESET, .key = "hom"};
  assert_false(command_make(&m, model, 0, &c, why));
  assert_non_null(strstr(why, "home"));
  m = (Message){.kind = MESSAGE_RESET, .key = "home"};
  assert_true(command_make(&m, model, 0, &c, why) && c.index == 0);
  heft_model_destroy(model);
}

static void test_queue(void** state) {
  (void)state;
  static CommandQueue q;
  Command c = {0};
  command_queue_init(&q);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < COMMAND_QUEUE_SIZE; ++i) {
      c.index = i;
      assert_true(command_queue_put(&q, &c));
    }
    assert_false(command_queue_put(&q, &c));
    for (int i = 0; i < COMMAND_QUEUE_SIZE; ++i) {
      assert_true(command_queue_take(&q, &c));
      assert_int_equal(c.index, i);
    }
    assert_false(command_queue_take(&q, &c));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good_messages), cmocka_unit_test(test_bad_messages),
      cmocka_unit_test(test_beginnings),    cmocka_unit_test(test_hints),
      cmocka_unit_test(test_commands),      cmocka_unit_test(test_queue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
