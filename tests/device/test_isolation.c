// SPDX-License-Identifier: Apache-2.0
// A driver that waits, in open() or in read(), does not delay the other device of a servo. Judged
// by counted turns, not by the clock: while one driver waits until the test lets it go on, the
// other one is read hundreds of times.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/driver_list.h"
#include "support/check.h"

enum { TURNS = 300, PATIENCE_MS = 60000 };

// ---- a driver that is quick, and one that is stuck

static atomic_long quick_reads, stuck_opens, stuck_reads, stuck_writes;
static atomic_int stuck_in_open, stuck_in_read, say_lost, go_on;

static HeftStatus quick_open(void* self, const char* address, HeftError* error) {
  (void)self, (void)address, (void)error;
  return HEFT_OK;
}

static void quick_close(void* self) { (void)self; }

static void quick_info(void* self, HeftDeviceInfo* info) {
  (void)self;
  *info = (HeftDeviceInfo){.name = "quick", .axes_sensed = 3, .axes_driven = 3, .rate = 1000};
}

static HeftDeviceRead quick_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  (void)self;
  const long number = atomic_fetch_add(&quick_reads, 1) + 1;
  *sample = (HeftDeviceSample){.time_ns = now_ns, .number = (uint64_t)number, .rot = {1, 0, 0, 0}};
  return HEFT_DEVICE_FRESH;
}

static bool quick_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)self, (void)now_ns, (void)force;
  return true;
}

static void be_stuck(atomic_int* where) {
  atomic_store(where, 1);
  while (!atomic_load(&go_on)) poll(NULL, 0, 1);
  atomic_store(where, 0);
}

static HeftStatus stuck_open(void* self, const char* address, HeftError* error) {
  (void)self, (void)address, (void)error;
  if (atomic_fetch_add(&stuck_opens, 1) > 0) be_stuck(&stuck_in_open);
  return HEFT_OK;
}

static HeftDeviceRead stuck_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  (void)self;
  atomic_fetch_add(&stuck_reads, 1);
  if (atomic_exchange(&say_lost, 0)) return HEFT_DEVICE_LOST;
  *sample = (HeftDeviceSample){.time_ns = now_ns, .rot = {1, 0, 0, 0}};
  return HEFT_DEVICE_FRESH;
}

static HeftDeviceRead slow_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  if (!atomic_load(&go_on)) be_stuck(&stuck_in_read);
  return stuck_read(self, now_ns, sample);
}

static bool stuck_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)self, (void)now_ns, (void)force;
  atomic_fetch_add(&stuck_writes, 1);
  return true;
}

static int no_descriptor(void* self) {
  (void)self;
  return -1;
}

static const HeftDriver quick = {"quick",     "of the test", "",         8,           quick_open,
                                 quick_close, quick_info,    quick_read, quick_write, NULL,
                                 NULL,        NULL,          NULL};
static const HeftDriver opens_slowly = {
    "slow",     "of the test", "",   8,    stuck_open, quick_close, quick_info,
    stuck_read, stuck_write,   NULL, NULL, NULL,       NULL};
static const HeftDriver reads_slowly = {
    "slow",    "of the test", "",   8,    stuck_open, quick_close,  quick_info,
    slow_read, stuck_write,   NULL, NULL, NULL,       no_descriptor};

// ---- waiting for conditions

static int wait_until_set(atomic_int* flag) {
  for (int ms = 0; ms < PATIENCE_MS && !atomic_load(flag); ++ms) poll(NULL, 0, 1);
  return atomic_load(flag);
}

static int wait_until_above(atomic_long* count, long value) {
  for (int ms = 0; ms < PATIENCE_MS && atomic_load(count) <= value; ++ms) poll(NULL, 0, 1);
  return atomic_load(count) > value;
}

typedef struct Both {
  HeftDevice* device[2];
  HeftServo* servo;
} Both;

static Both started(const HeftDriver* other) {
  Both b = {0};
  HeftServoDef def = heft_servo_def_default();
  HeftDeviceDef device = heft_device_def_default();
  device.retry = 0.001;
  def.priority = def.lock_memory = 0;
  atomic_store(&quick_reads, 0);
  atomic_store(&stuck_opens, 0);
  atomic_store(&stuck_reads, 0);
  atomic_store(&stuck_writes, 0);
  assert_int_equal(heft_device_open(&b.device[0], other, "", &device, NULL), HEFT_OK);
  assert_int_equal(heft_device_open(&b.device[1], &quick, "", &device, NULL), HEFT_OK);
  assert_int_equal(heft_servo_create(&b.servo, &def, NULL), HEFT_OK);
  for (int i = 0; i < 2; ++i) assert_int_equal(heft_servo_add(b.servo, b.device[i], NULL), i);
  assert_int_equal(heft_servo_start(b.servo, NULL), HEFT_OK);
  return b;
}

static void end(Both* b) {
  heft_servo_destroy(b->servo);
  for (int i = 0; i < 2; ++i) heft_device_close(b->device[i]);
}

// ---- the tests

static void opening_again_delays_nobody(void** state) {
  (void)state;
  atomic_store(&go_on, 0);
  Both b = started(&opens_slowly);
  assert_true(wait_until_above(&stuck_reads, 5));
  atomic_store(&say_lost, 1);
  assert_true(wait_until_set(&stuck_in_open));
  const long before = atomic_load(&quick_reads), other = atomic_load(&stuck_reads);
  assert_true(wait_until_above(&quick_reads, before + TURNS));
  assert_true(atomic_load(&stuck_in_open));
  assert_int_equal(atomic_load(&stuck_reads), other);
  // and it comes back
  atomic_store(&go_on, 1);
  assert_true(wait_until_above(&stuck_reads, other + 5));
  end(&b);
}

static void reading_and_writing_delay_nobody(void** state) {
  (void)state;
  atomic_store(&go_on, 0);
  Both b = started(&reads_slowly);
  assert_true(wait_until_set(&stuck_in_read));
  const long before = atomic_load(&quick_reads);
  assert_true(wait_until_above(&quick_reads, before + TURNS));
  assert_true(atomic_load(&stuck_in_read));
  atomic_store(&go_on, 1);
  assert_true(wait_until_above(&stuck_reads, 5));
  assert_true(wait_until_above(&stuck_writes, 5));
  // lost and found again, all in its thread
  const long opens = atomic_load(&stuck_opens);
  atomic_store(&say_lost, 1);
  assert_true(wait_until_above(&stuck_opens, opens));
  const long reads = atomic_load(&stuck_reads);
  assert_true(wait_until_above(&stuck_reads, reads + 5));
  end(&b);
}

// A service that sends one byte of its answer now and then gets the time of one answer. In all it
// would take minutes.
typedef struct Dripping {
  int socket;
  atomic_int quit;
  atomic_long bytes;
} Dripping;

static void* drip(void* user) {
  Dripping* d = user;
  const int peer = accept(d->socket, NULL, NULL);
  while (!atomic_load(&d->quit) && send(peer, "x", 1, MSG_NOSIGNAL) == 1) {
    atomic_fetch_add(&d->bytes, 1);
    poll(NULL, 0, 200);
  }
  close(peer);
  return NULL;
}

static void a_dripping_service_is_given_up(void** state) {
  (void)state;
  static Dripping d;
  struct sockaddr_in at = {.sin_family = AF_INET};
  socklen_t length = sizeof at;
  char address[16];
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  d.socket = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(d.socket, (struct sockaddr*)&at, sizeof at), 0);
  assert_int_equal(getsockname(d.socket, (struct sockaddr*)&at, &length), 0);
  assert_int_equal(listen(d.socket, 1), 0);
  snprintf(address, sizeof address, "%d", ntohs(at.sin_port));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, drip, &d), 0);
  HeftDevice* device = NULL;
  HeftError error = {0};
  assert_int_equal(heft_device_open(&device, &heft_driver_haply, address, NULL, &error),
                   HEFT_ERR_FILE);
  assert_true(atomic_load(&d.bytes) < 500);  // 1023 would fill the buffer of the answer
  atomic_store(&d.quit, 1);
  pthread_join(thread, NULL);
  close(d.socket);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(opening_again_delays_nobody),
                                     cmocka_unit_test(reading_and_writing_delay_nobody),
                                     cmocka_unit_test(a_dripping_service_is_given_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
