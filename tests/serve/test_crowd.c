// SPDX-License-Identifier: Apache-2.0
// Crowds: requests that never end do not keep others out, and watchers do not keep users out.
#include <sys/resource.h>

#include "serve/served.h"

static Client a, b, c;

static void watch(Client* client, const Served* s) {
  assert_true(client_open(client, s->port, NULL, NULL));
}

// More half requests than the server has places for them; those that it ends come again, and each
// gets a byte now and then. Handshakes take less than a second meanwhile, not the five after which
// the server gives up a request.
static void test_half_requests(void** state) {
  (void)state;
  enum { HALVES = 2600, ROUNDS_MIN = 4, ROUNDS = 12 };  // the server has room for 2400 connections
  static const char half[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ";
  static int fd[HALVES];
  struct rlimit files;
  Served s;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 2 * HALVES + 100) skip();
  served_open(&s, served_def(), 0);
  for (int i = 0; i < HALVES; ++i) fd[i] = -1;
  double fastest = 1e9, second = 1e9;  // a busy machine may be slow for a while
  for (int round = 0; round < ROUNDS && (round < ROUNDS_MIN || second > 1); ++round) {
    for (int i = 0; i < HALVES; ++i) {
      char byte;
      const int ended = fd[i] >= 0 && recv(fd[i], &byte, 1, MSG_DONTWAIT) == 0;
      if (fd[i] >= 0 && !ended && send(fd[i], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) continue;
      if (fd[i] >= 0) close(fd[i]);
      fd[i] = client_socket(s.port);
      assert_true(fd[i] >= 0 && client_put(fd[i], half, sizeof half - 1));
    }
    const uint64_t begun = heft_clock_ns();
    watch(&a, &s);
    const double seconds = 1e-9 * (double)(heft_clock_ns() - begun);
    second = seconds < second ? (seconds > fastest ? seconds : fastest) : second;
    fastest = seconds < fastest ? seconds : fastest;
    client_close(&a);
  }
  print_message("handshakes took %.3f s, %.3f s and more\n", fastest, second);
  CHECK_AT_MOST(second, 1);
  SERVED_WAIT(&s, r.refused > HALVES - 2400);  // it has ended the oldest
  for (int i = 0; i < HALVES; ++i) close(fd[i]);
  served_close(&s);
}

// A whole request keeps its connection while the row of those that wait is not full.
static void test_pages_stay(void** state) {
  (void)state;
  Served s;
  char text[512] = "";
  served_open(&s, served_def(), 0);
  const int fd = client_socket(s.port);
  static const char request[] = "GET /none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    assert_true(client_put(fd, request, sizeof request - 1));
    assert_true(client_get(fd, text, 12));
    assert_memory_equal(text, "HTTP/1.1 404", 12);
    while (recv(fd, text, sizeof text, MSG_DONTWAIT) > 0) {
    }
    nanosleep(&(struct timespec){0, 100000000}, NULL);
    while (recv(fd, text, sizeof text, MSG_DONTWAIT) > 0) {
    }
  }
  close(fd);
  served_close(&s);
}

static void test_hosts_of_pages(void** state) {
  (void)state;
  static const char* const host[] = {"127.0.0.1", "evil.example"};
  Served s;
  served_open(&s, served_def(), 0);
  for (int i = 0; i < 2; ++i) {
    char text[512] = "";
    const int fd = client_socket(s.port);
    snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", host[i]);
    assert_true(client_put(fd, text, strlen(text)));
    assert_true(client_get(fd, text, 12));
    assert_memory_equal(text, i == 0 ? "HTTP/1.1 200" : "HTTP/1.1 403", 12);
    close(fd);
  }
  served_close(&s);
}

// Silence saves messages for one second, not more.
static void test_no_saved_flood(void** state) {
  (void)state;
  Served s;
  HeftServeDef def = served_def();
  def.watcher_rate = 10;
  def.mistake_max = 1000;
  served_open(&s, def, 0);
  watch(&a, &s);
  nanosleep(&(struct timespec){2, 500000000}, NULL);
  for (int i = 0; i < 20; ++i) client_say(&a, "{\"type\":\"hello\",\"version\":1}");
  assert_true(client_closed(&a));  // what was still on its way may hide the code
  SERVED_WAIT(&s, r.closed == 1);
  client_close(&a);
  def.mistake_max = 3;  // mistakes have an end of their own
  def.watcher_rate = 1000;
  served_close(&s);
  served_open(&s, def, 0);
  watch(&a, &s);
  for (int i = 0; i < 3; ++i) client_say(&a, "{");
  assert_true(client_closed(&a));
  SERVED_WAIT(&s, r.closed == 1);
  client_close(&a);
  served_close(&s);
}

static void test_seats_are_kept(void** state) {
  (void)state;
  enum { SEEKERS = 40 };
  static Client seeker[SEEKERS];  // of one MiB each
  Served s;
  HeftServeDef def = served_def();
  def.client_max = 2;
  served_open(&s, def, 0);
  watch(&a, &s);
  watch(&b, &s);
  // one more watcher gets no picture, and must go
  const uint64_t begun = heft_clock_ns();
  watch(&c, &s);
  while (client_next(&c)) assert_int_equal(c.opcode, 1);
  assert_int_equal(c.close_code, 1013);
  assert_true(heft_clock_ns() - begun > 2000000000u);
  client_close(&c);
  // many of them do not keep a user out, who stays
  for (int i = 0; i < SEEKERS; ++i) client_open(&seeker[i], s.port, NULL, NULL);
  int tries = 0;
  while (!client_open(&c, s.port, NULL, NULL) && ++tries < 100) {
    client_close(&c);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
  }
  assert_true(client_say(&c, SERVED_HELLO));
  for (int i = 0; i < 200; ++i) assert_non_null(client_picture(&c));
  SERVED_WAIT(&s, r.clients == 3 && r.users == 1);
  for (int i = 0; i < SEEKERS; ++i) client_close(&seeker[i]);
  client_close(&a), client_close(&b), client_close(&c);
  served_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_half_requests), cmocka_unit_test(test_pages_stay),
      cmocka_unit_test(test_hosts_of_pages), cmocka_unit_test(test_no_saved_flood),
      cmocka_unit_test(test_seats_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
