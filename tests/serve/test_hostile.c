// SPDX-License-Identifier: Apache-2.0
// 100,000 malformed or hostile messages change nothing: the world ends in the bits of an
// undisturbed run. A third comes from a watcher, who sends commands of any form; a third from a
// user with the token, who sends commands that are broken in some way; the rest breaks the rules of
// WebSocket or of HTTP.
#include <string.h>

#include "serve/message.h"
#include "serve/served.h"

enum { MESSAGES = 100000, STEPS = 1500, ROOM = 4096 };

static uint64_t seed = 1;

static uint32_t draw(uint32_t below) {  // SplitMix64
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) >> 33) % below;
}

static const char* const commands[] = {
    "{\"type\":\"pull\",\"body\":1,\"at\":[0,0,0],\"target\":[0,0,3]}",
    "{\"type\":\"push\",\"body\":1,\"at\":[0,0,0.1],\"impulse\":[5,0,3]}",
    "{\"type\":\"control\",\"actuator\":0,\"value\":0.7}",
    "{\"type\":\"run\",\"running\":false}",
    "{\"type\":\"step\",\"count\":10}",
    "{\"type\":\"reset\",\"key\":\"high\"}",
    "{\"type\":\"reset\"}",
};
enum { COMMANDS = (int)(sizeof commands / sizeof *commands) };

// Commands that are understood, but not of this model, or in numbers that are none.
static const char* const wrong[] = {
    "{\"type\":\"pull\",\"body\":0,\"at\":[0,0,0],\"target\":[0,0,3]}",
    "{\"type\":\"pull\",\"body\":-1,\"at\":[0,0,0],\"target\":[0,0,3]}",
    "{\"type\":\"pull\",\"body\":3,\"at\":[0,0,0],\"target\":[0,0,3]}",
    "{\"type\":\"push\",\"body\":2147483647,\"at\":[0,0,0],\"impulse\":[0,0,3]}",
    "{\"type\":\"push\",\"body\":1,\"at\":[1e400,0,0],\"impulse\":[0,0,3]}",
    "{\"type\":\"push\",\"body\":1,\"at\":[0,0,0],\"impulse\":[0,0,null]}",
    "{\"type\":\"control\",\"actuator\":1,\"value\":0.7}",
    "{\"type\":\"control\",\"actuator\":-1,\"value\":0.7}",
    "{\"type\":\"control\",\"actuator\":0,\"value\":\"0.7\"}",
    "{\"type\":\"control\",\"actuator\":0,\"value\":NaN}",
    "{\"type\":\"step\",\"count\":100000}",
    "{\"type\":\"step\",\"count\":-1}",
    "{\"type\":\"reset\",\"key\":\"../../etc/passwd\"}",
    "{\"type\":\"load\",\"file\":\"/etc/passwd\"}",
    "{\"__proto__\":{\"type\":\"reset\"}}",
};
enum { WRONG = (int)(sizeof wrong / sizeof *wrong) };

// A command that is broken for certain. Returns its size.
static size_t broken(char out[ROOM]) {
  const char* text = commands[draw(COMMANDS)];
  const size_t size = strlen(text);
  memcpy(out, text, size);
  switch (draw(6)) {
    case 0:  // its beginning alone
      return draw((uint32_t)size);
    case 1:  // something behind it
      out[size] = "}],:x1\""[draw(7)];
      return size + 1;
    case 2:  // twice
      memcpy(out + size, text, size);
      return 2 * size;
    case 3:  // deeper than anything
      memset(out, draw(2) ? '[' : '{', 1500);
      return 1500;
    case 4:  // a byte that belongs into no command
      out[draw((uint32_t)size)] = (char)(1 + draw(8));
      return size;
    default:
      text = wrong[draw(WRONG)];
      memcpy(out, text, strlen(text));
      return strlen(text);
  }
}

// Any bytes, or a command with some bytes changed, as text that is UTF-8.
static size_t any_text(char out[ROOM]) {
  size_t size = draw(200);
  if (draw(4)) {
    const char* text = commands[draw(COMMANDS)];
    size = strlen(text);
    memcpy(out, text, size);
    for (uint32_t i = draw(5); i > 0; --i) out[draw((uint32_t)size)] = (char)(1 + draw(127));
  } else {
    for (size_t i = 0; i < size; ++i) out[i] = (char)draw(128);
  }
  return size;
}

static long sent;
static Client client;

static void send_texts(const Served* s, int as_user, long count) {
  char text[ROOM];
  assert_true(client_open(&client, s->port, NULL, NULL));
  if (as_user) client_say(&client, SERVED_HELLO);
  if (as_user) SERVED_WAIT(s, r.users == 1);
  for (long i = 0; i < count; ++i, ++sent) {
    const size_t size = as_user ? broken(text) : any_text(text);
    if (!client_frame(&client, 0x81, text, size)) {
      client_closed(&client);
      fail_msg("closed with %d after %ld messages", client.close_code, i);
    }
    if (i % 16 == 0) client_drain(&client);
  }
  client_finish(&client);
}

// Frames of any kind, until the server has had enough.
static void send_frames(const Served* s, long count) {
  char bytes[ROOM];
  while (count > 0) {
    if (!client_open(&client, s->port, NULL, NULL)) {
      client_close(&client);
      continue;
    }
    for (int k = 0; k < 8 && count > 0; ++k, --count, ++sent) {
      const size_t size = any_text(bytes);
      for (uint32_t i = draw(4); i > 0 && size > 0; --i)
        bytes[draw((uint32_t)size)] = (char)draw(256);
      const int first = draw(3) ? 0x81 : (int)draw(256);
      if (!client_frame(&client, first, bytes, size)) break;
    }
    client_finish(&client);
  }
}

// Not even HTTP.
static void send_garbage(const Served* s, long count) {
  char bytes[ROOM];
  for (; count > 0; --count, ++sent) {
    const int fd = client_socket(s->port);
    if (fd < 0) continue;
    size_t size = 1 + draw(ROOM - 1);
    for (size_t i = 0; i < size; ++i) bytes[i] = (char)draw(256);
    if (draw(2)) {
      static const char head[] = "GET / HTTP/1.1\r\nUpgrade: websocket\r\nHost: ";
      memcpy(bytes, head, sizeof head - 1 < size ? sizeof head - 1 : size);
    }
    client_put(fd, bytes, size);
    close(fd);
  }
}

static void test_hostile(void** state) {
  (void)state;
  Served s;
  HeftServeDef def = served_def();
  def.message_rate = def.watcher_rate = 1e9;  // otherwise the connection is closed at once
  def.mistake_max = 1 << 30;
  served_open(&s, def, STEPS);
  send_texts(&s, 1, MESSAGES / 3);
  send_texts(&s, 0, MESSAGES / 3);
  send_garbage(&s, 300);
  send_frames(&s, MESSAGES - sent);
  SERVED_WAIT(&s, r.steps == STEPS && r.clients == 0);
  const HeftServeReport r = heft_server_report(s.server);
  print_message("%ld messages sent, %ld read, %ld mistakes, %ld without the right, %ld closed\n",
                sent, r.messages, r.mistakes, r.forbidden, r.closed);
  assert_true(sent >= MESSAGES && r.messages > MESSAGES / 2 && r.commands == 0);
  assert_true(client_open(&client, s.port, NULL, NULL));  // it still serves
  assert_non_null(strstr(client_text(&client), "welcome"));
  client_close(&client);
  served_stop(&s);
  assert_true(heft_world_hash(s.world) == served_alone(STEPS));
  served_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
