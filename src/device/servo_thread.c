// SPDX-License-Identifier: Apache-2.0
// The thread of a servo: wakes at absolute times, so that being late once does not make it late for
// ever. Turns that were missed by more than a period are left out.
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/assert.h"
#include "base/error.h"
#include "device/servo.h"

// Gives this thread a priority of real time and keeps the program in memory, as far as that is
// permitted; message names the missing permission.
static int make_real_time(const HeftServoDef* def, char* message, size_t size) {
  message[0] = '\0';
  int good = 1;
  if (def->lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    snprintf(message, size,
             "memory may be paged out: raise the limit with \"ulimit -l unlimited\"");
    good = 0;
  }
  if (def->priority > 0) {
    const struct sched_param priority = {.sched_priority = def->priority};
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0) return good;
    snprintf(message, size,
             "no priority of real time: permit it with \"ulimit -r %d\" or a line \"* - rtprio "
             "%d\" in limits.conf",
             def->priority, def->priority);
    return 0;
  }
  return 0;
}

static void sleep_until(uint64_t at_ns) {
  const struct timespec at = {(time_t)(at_ns / 1000000000u), (long)(at_ns % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void note_latency(HeftServo* s, uint64_t begun_ns) {
  // From reading the devices to the last force written.
  const double seconds = (double)(heft_clock_ns() - begun_ns) * 1e-9;
  ++s->report.latency[histogram_bin(servo_bins, seconds)];
}

static void* live(void* user) {
  HeftServo* s = user;
  const uint64_t period = (uint64_t)(1e9 / s->def.rate);
  s->report.real_time = make_real_time(&s->def, s->report.message, sizeof s->report.message);
  uint64_t due = heft_clock_ns() + period;
  while (!atomic_load_explicit(&s->quit, memory_order_relaxed)) {
    sleep_until(due);
    const uint64_t now = heft_clock_ns();
    servo_turn(s, now, now > due ? now - due : 0);
    note_latency(s, now);
    due += period;
    const uint64_t after = heft_clock_ns();
    if (after > due + period) {
      const uint64_t missed = (after - due) / period;
      s->report.missed += (long)missed;
      due += missed * period;
    }
  }
  return NULL;
}

// ---- the SDK's thread

static void sdk_tick(void* user) { servo_turn(user, heft_clock_ns(), 0); }

static void join_devices(HeftServo* s) {
  for (int i = 0; i < s->count; ++i) device_join(s->axis[i].device);
}

HeftStatus heft_servo_start(HeftServo* s, HeftError* error) {
  HEFT_REQUIRE(s && !s->started, HEFT_ERR_ARGUMENT);
  atomic_store(&s->quit, 0);
  if (s->count == 1 && device_driver(s->axis[0].device)->run) {
    const HeftDriver* driver = device_driver(s->axis[0].device);
    const HeftStatus status = driver->run(heft_device_self(s->axis[0].device), sdk_tick, s, error);
    s->started = status == HEFT_OK ? 2 : 0;
    return status;
  }
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < s->count && status == HEFT_OK; ++i)
    status = device_isolate(s->axis[i].device, error);
  if (status == HEFT_OK && pthread_create(&s->thread, NULL, live, s) != 0)
    status = heft_error_set(error, HEFT_ERR_MEMORY, "the thread of the servo could not be started");
  if (status != HEFT_OK) join_devices(s);
  s->started = status == HEFT_OK;
  return status;
}

void heft_servo_stop(HeftServo* s) {
  HEFT_REQUIRE_VOID(s);
  if (!s->started) return;
  atomic_store(&s->quit, 1);
  if (s->started == 1) pthread_join(s->thread, NULL);
  if (s->started == 2) {
    const HeftDriver* driver = device_driver(s->axis[0].device);
    driver->stop(heft_device_self(s->axis[0].device));
  }
  s->started = 0;
  join_devices(s);
  const HeftDeviceForce none = {{0, 0, 0}, {0, 0, 0}, 0};
  for (int i = 0; i < s->count; ++i)
    heft_device_write(s->axis[i].device, heft_clock_ns(), &none, NULL);
}
