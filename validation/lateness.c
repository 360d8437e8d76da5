// SPDX-License-Identifier: Apache-2.0
// How late the servo of one device is while the peer of another one misbehaves.
//
// One servo has three devices: an emulated one in this program; one that speaks the UDP protocol,
// whose port gets a flood; and one behind Haply's service, whose connection passes a relay of ours
// that can stop, drip or lie. Conditions follow each other in short turns, round after round, and
// the times of each are collected over all rounds, so that the load of the machine, which comes and
// goes, is the same for all of them. Judged is the 99th percentile of the lateness of the servo,
// relative to quiet turns of the same run.
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "emulate/emulate.h"

#include "validation/cases.h"

typedef enum Condition { QUIET, FLOOD, STALL, DRIP, LIE, CONDITIONS } Condition;

static const char* const condition_names[CONDITIONS] = {"quiet", "flood of packets", "stalled peer",
                                                        "dripping peer", "lying peer"};

enum {
  ROUNDS_SHORT = 4,
  ROUNDS_FULL = 20,
  TURN_MS = 500,
  FLOOD_A_MS = 100,  // packets
  PACKET = 96,
  BELOW_SERVO = 10  // priority of the flood, as of interrupts of a network: above other programs
};

static const char key[] = "#000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

typedef struct Scene {
  HeftServo* servo;
  HeftDevice* device[3];
  const HeftStandIn* stand_in[2];
  void* far[2];
  int udp_port, service_port, relay_port, listener;
  atomic_int condition, quit;
  atomic_long packets;
  pthread_t thread[3];
  int threads;
  HeftError error;
} Scene;

typedef struct Times {
  long late[HEFT_SERVO_BINS], latency[HEFT_SERVO_BINS];
  long packets;
  double seconds;
} Times;

// ---- sockets

static struct sockaddr_in local(int port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

// A socket on a free port, or -1.
static int bound(int type, int* port) {
  struct sockaddr_in at = local(0);
  socklen_t length = sizeof at;
  const int s = socket(AF_INET, type | SOCK_CLOEXEC, 0);
  if (s < 0) return -1;
  if (bind(s, (struct sockaddr*)&at, sizeof at) != 0 ||
      getsockname(s, (struct sockaddr*)&at, &length) != 0) {
    close(s);
    return -1;
  }
  *port = ntohs(at.sin_port);
  return s;
}

static int free_port(int type) {
  int port = 0;
  const int s = bound(type, &port);
  if (s >= 0) close(s);
  return port;
}

// ---- threads of the other side

static void* live_far(void* user) {
  Scene* s = user;
  while (!atomic_load(&s->quit)) {
    for (int i = 0; i < 2; ++i) s->stand_in[i]->turn(s->far[i], heft_clock_ns());
    poll(NULL, 0, 1);
  }
  return NULL;
}

static void wait_until(uint64_t ns) {
  const struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

// Packets of version 2 with any bytes after their head, and any bytes.
static void* flood(void* user) {
  Scene* s = user;
  const struct sched_param priority = {.sched_priority = BELOW_SERVO};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
  const struct sockaddr_in at = local(s->udp_port);
  const int from = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  unsigned char bytes[PACKET];
  uint64_t random = 7, due = heft_clock_ns();
  while (!atomic_load(&s->quit) && from >= 0) {
    due += 1000000u;
    wait_until(due);
    if (heft_clock_ns() > due + 100000000u) due = heft_clock_ns();  // no burst for what was missed
    if (atomic_load(&s->condition) != FLOOD) continue;
    for (int i = 0; i < FLOOD_A_MS; ++i) {
      for (int k = 0; k < PACKET; k += 8) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        memcpy(bytes + k, &random, 8);
      }
      memcpy(bytes, "HEFT\2", 5);
      bytes[5] = (unsigned char)(i % 6);
      const size_t size = i % 3 == 0 ? PACKET : 16 + (size_t)(random >> 32) % (PACKET - 16);
      bytes[6] = (unsigned char)size;
      bytes[7] = 0;
      if (sendto(from, bytes, size, 0, (const struct sockaddr*)&at, sizeof at) > 0)
        atomic_fetch_add(&s->packets, 1);
    }
  }
  if (from >= 0) close(from);
  return NULL;
}

// Bytes between driver and service, both ways, as the condition says. 0: the connection ended.
static int pass(int from, int to, Condition c, uint64_t* random) {
  char bytes[4096];
  const ssize_t size = recv(from, bytes, c == DRIP ? 1 : sizeof bytes, MSG_DONTWAIT);
  if (size <= 0) return size < 0;
  for (ssize_t i = 0; c == LIE && i < size; ++i) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    if (*random >> 61 == 0) bytes[i] = (char)(*random >> 48);
  }
  return send(to, bytes, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

static void relay_one(Scene* s, int driver) {
  uint64_t random = 11;
  const struct sockaddr_in at = local(s->service_port);
  const int service = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int open = service >= 0 && connect(service, (const struct sockaddr*)&at, sizeof at) == 0;
  while (open && !atomic_load(&s->quit)) {
    const Condition c = (Condition)atomic_load(&s->condition);
    if (c == STALL || c == DRIP) {
      poll(NULL, 0, 5);
      if (c == STALL) continue;
    } else {
      struct pollfd p[2] = {{.fd = driver, .events = POLLIN}, {.fd = service, .events = POLLIN}};
      poll(p, 2, 5);
    }
    open = pass(driver, service, QUIET, &random) && pass(service, driver, c, &random);
  }
  if (service >= 0) close(service);
}

static void* relay(void* user) {
  Scene* s = user;
  while (!atomic_load(&s->quit)) {
    struct pollfd p = {.fd = s->listener, .events = POLLIN};
    if (poll(&p, 1, 20) <= 0) continue;
    const int driver = accept(s->listener, NULL, NULL);
    if (driver < 0) continue;
    relay_one(s, driver);
    close(driver);
  }
  return NULL;
}

// ---- the scene

static int open_far(Scene* s, int i, const char* name, const char* address) {
  HeftEmulator hand;
  s->stand_in[i] = heft_stand_in_find(name);
  void* self = calloc(1, s->stand_in[i]->size);
  if (self && heft_emulator_read_text(&hand, s->stand_in[i]->device, &s->error) == HEFT_OK &&
      s->stand_in[i]->open(self, address, &hand, &s->error) == HEFT_OK) {
    s->far[i] = self;
    return 1;
  }
  free(self);
  return 0;
}

static int open_device(Scene* s, int i, const char* driver, const char* address) {
  HeftDeviceDef def = heft_device_def_default();
  def.retry = 0.1;
  return heft_device_open(&s->device[i], heft_driver_find(driver), address, &def, &s->error) ==
             HEFT_OK &&
         heft_servo_add(s->servo, s->device[i], NULL) == i;
}

static int start_thread(Scene* s, void* (*work)(void*)) {
  if (pthread_create(&s->thread[s->threads], NULL, work, s) != 0) return 0;
  ++s->threads;
  return 1;
}

static int begin(Scene* s) {
  char address[128], port[16];
  memset(s, 0, sizeof *s);
  s->udp_port = free_port(SOCK_DGRAM);
  s->service_port = free_port(SOCK_STREAM);
  s->listener = bound(SOCK_STREAM, &s->relay_port);
  if (s->listener < 0 || listen(s->listener, 4) != 0) return 0;
  snprintf(port, sizeof port, "%d", s->service_port);
  snprintf(address, sizeof address, "127.0.0.1:%d%s", s->udp_port, key);
  if (heft_servo_create(&s->servo, NULL, &s->error) != HEFT_OK || !open_far(s, 0, "udp", address) ||
      !open_far(s, 1, "haply", port))
    return 0;
  if (!start_thread(s, live_far) || !start_thread(s, relay) || !start_thread(s, flood)) return 0;
  if (!open_device(s, 0, "emulated", "touch") || !open_device(s, 1, "udp", address)) return 0;
  snprintf(port, sizeof port, "%d", s->relay_port);
  return open_device(s, 2, "haply", port) && heft_servo_start(s->servo, &s->error) == HEFT_OK;
}

static void end(Scene* s) {
  if (s->servo) heft_servo_destroy(s->servo);
  for (int i = 0; i < 3; ++i) heft_device_close(s->device[i]);
  atomic_store(&s->quit, 1);
  for (int i = 0; i < s->threads; ++i) pthread_join(s->thread[i], NULL);
  for (int i = 0; i < 2; ++i) {
    if (s->far[i]) s->stand_in[i]->close(s->far[i]);
    free(s->far[i]);
  }
  if (s->listener >= 0) close(s->listener);
}

// ---- times

static HeftServoReport report_of(Scene* s) {
  HeftServoView view;
  heft_servo_view(s->servo, 0, &view);
  return view.servo;
}

static void one_turn(Scene* s, Condition c, Times* sum) {
  atomic_store(&s->condition, (int)c);
  poll(NULL, 0, 50);  // the change of condition itself is nobody's
  const long packets = atomic_load(&s->packets);
  const uint64_t begun = heft_clock_ns();
  const HeftServoReport before = report_of(s);
  poll(NULL, 0, TURN_MS);
  const HeftServoReport after = report_of(s);
  sum->seconds += 1e-9 * (double)(heft_clock_ns() - begun);
  sum->packets += atomic_load(&s->packets) - packets;
  for (int i = 0; i < HEFT_SERVO_BINS; ++i) {
    sum->late[i] += after.late[i] - before.late[i];
    sum->latency[i] += after.latency[i] - before.latency[i];
  }
}

// Bins of HeftServoReport: a quarter of an octave each, from 1 µs on. Within a bin the values are
// taken to be spread evenly by their logarithm.
static double quantile(const long* bins, double share) {
  double all = 0, sum = 0;
  for (int i = 0; i < HEFT_SERVO_BINS; ++i) all += (double)bins[i];
  for (int i = 0; i < HEFT_SERVO_BINS; ++i) {
    const double in_bin = (double)bins[i];
    if (in_bin > 0 && sum + in_bin >= share * all)
      return 1e-6 * exp2(0.25 * (i + (share * all - sum) / in_bin));
    sum += in_bin;
  }
  return 0;
}

void case_lateness(Run* run) {
  static Scene s;
  static Times times[CONDITIONS];
  char what[ROW_TEXT];
  memset(times, 0, sizeof times);
  const int rounds = run->full ? ROUNDS_FULL : ROUNDS_SHORT;
  if (!begin(&s)) {
    snprintf(run->engine->reason, sizeof run->engine->reason, "lateness: %.140s", s.error.message);
    end(&s);
    return;
  }
  for (int i = 0; i < rounds * CONDITIONS; ++i) {
    one_turn(&s, (Condition)(i % CONDITIONS), &times[i % CONDITIONS]);
    run_progress(run, (double)(i + 1) / (rounds * CONDITIONS));
  }
  const int real_time = report_of(&s).real_time;
  end(&s);
  const double quiet = quantile(times[QUIET].late, 0.99);
  run_report_error(run, "priority of real time (1: yes)", 1, real_time, 0, 0);
  run_report_error(run, "quiet: 99th percentile of lateness [s]", 0, quiet, 0, 0);
  run_report_error(run, "flood: packets a second", 1e5,
                   (double)times[FLOOD].packets / times[FLOOD].seconds, 0, 0);
  for (int c = FLOOD; c < CONDITIONS; ++c) {
    const double ratio = quantile(times[c].late, 0.99) / quiet;
    snprintf(what, sizeof what, "%s: 99th percentile of lateness, of quiet", condition_names[c]);
    run_report_error(run, what, 1, ratio, fmax(0, ratio - 1), 0.2);
  }
  for (int c = QUIET; c < CONDITIONS; ++c) {
    const double seconds = quantile(times[c].latency, 0.99);
    snprintf(what, sizeof what, "%s: 99th percentile from sample to force [s]", condition_names[c]);
    run_report_error(run, what, 0, seconds, seconds, 1e-3);
  }
}
