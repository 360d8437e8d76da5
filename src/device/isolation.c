// SPDX-License-Identifier: Apache-2.0
#include "device/isolation.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

// Without a descriptor to wait for, the thread looks for samples every millisecond.
enum { LOOK_MS = 1, PATIENCE_MS = 20 };

// ---- waking

static void wake(const Isolation* s) {
  send(s->wake[1], "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);  // if it is full, a byte is there already
}

// Waits for the servo, for the descriptor unless it is -1, or for the time.
static void wait_for_news(const Isolation* s, int descriptor, int ms) {
  struct pollfd p[2] = {{.fd = s->wake[0], .events = POLLIN}, {.fd = descriptor, .events = POLLIN}};
  char bytes[64];
  poll(p, descriptor >= 0 ? 2 : 1, ms);
  while (recv(s->wake[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}

// ---- the thread

static void publish(Isolation* s, HeftDeviceRead read, const HeftDeviceSample* sample) {
  Reading* r = &s->reading[s->reading_buffer.writing];
  *r = (Reading){.read = read, .open = s->open, .losses = s->losses};
  if (sample) r->sample = *sample;
  if (s->open) s->driver->info(s->self, &r->info);
  triple_buffer_publish(&s->reading_buffer);
}

static void close_lost(Isolation* s) {
  s->driver->close(s->self);
  s->open = 0;
  ++s->losses;
}

static void try_to_open(Isolation* s) {
  wait_for_news(s, -1, s->retry < 60 ? (int)(1e3 * s->retry) + 1 : 60000);
  if (atomic_load(&s->quit)) return;
  memset(s->self, 0, s->driver->size);
  s->open = s->driver->open(s->self, s->address, NULL) == HEFT_OK;
}

// One look of a thread that has the driver for good.
static void look(Isolation* s) {
  const int descriptor = s->driver->wait_on(s->self);
  wait_for_news(s, descriptor, descriptor >= 0 ? PATIENCE_MS : LOOK_MS);
  HeftDeviceSample sample = {0};
  const HeftDeviceRead read = s->driver->read(s->self, heft_clock_ns(), &sample);
  int lost = read == HEFT_DEVICE_LOST;
  if (read == HEFT_DEVICE_FRESH) publish(s, read, &sample);
  if (!lost && triple_buffer_take(&s->force_buffer)) {
    const HeftDeviceForce force = s->force[s->force_buffer.reading];
    lost = !s->driver->write(s->self, heft_clock_ns(), &force);
  }
  if (!lost) return;
  close_lost(s);
  publish(s, HEFT_DEVICE_LOST, NULL);
}

static void* serve_whole(void* user) {
  Isolation* s = user;
  while (!atomic_load(&s->quit)) {
    if (s->open) {
      look(s);
      continue;
    }
    try_to_open(s);
    if (s->open) publish(s, HEFT_DEVICE_NOTHING, NULL);
  }
  return NULL;
}

static void* serve_losses(void* user) {
  Isolation* s = user;
  while (!atomic_load(&s->quit)) {
    if (!atomic_load(&s->has_driver)) {
      wait_for_news(s, -1, -1);
      continue;
    }
    if (s->open) close_lost(s);
    try_to_open(s);
    if (s->open) atomic_store(&s->has_driver, 0);
  }
  return NULL;
}

HeftStatus isolation_start(Isolation* s, const HeftDriver* driver, void* self, const char* address,
                           double retry, int open, HeftError* error) {
  *s = (Isolation){.driver = driver,
                   .self = self,
                   .address = address,
                   .retry = retry,
                   .whole = driver->wait_on != NULL,
                   .open = open};
  triple_buffer_init(&s->reading_buffer);
  triple_buffer_init(&s->force_buffer);
  atomic_init(&s->quit, 0);
  atomic_init(&s->has_driver, s->whole || !open);
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s->wake) != 0)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no sockets for the thread of a device");
  if (pthread_create(&s->thread, NULL, s->whole ? serve_whole : serve_losses, s) != 0) {
    close(s->wake[0]);
    close(s->wake[1]);
    return heft_error_set(error, HEFT_ERR_MEMORY, "the thread of a device could not be started");
  }
  s->running = 1;
  return HEFT_OK;
}

int isolation_stop(Isolation* s) {
  atomic_store(&s->quit, 1);
  wake(s);
  pthread_join(s->thread, NULL);
  close(s->wake[0]);
  close(s->wake[1]);
  s->running = 0;
  return s->open;
}

// ---- the servo

void isolation_lose(Isolation* s) {
  atomic_store(&s->has_driver, 1);
  wake(s);
}

int isolation_found(const Isolation* s) { return !atomic_load(&s->has_driver); }

const Reading* isolation_take(Isolation* s) {
  return triple_buffer_take(&s->reading_buffer) ? &s->reading[s->reading_buffer.reading] : NULL;
}

void isolation_write(Isolation* s, const HeftDeviceForce* force) {
  s->force[s->force_buffer.writing] = *force;
  triple_buffer_publish(&s->force_buffer);
  wake(s);
}
