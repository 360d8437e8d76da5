// SPDX-License-Identifier: Apache-2.0
// A device: a driver at work, its guard, and the patience to wait until it comes back. While a
// servo runs, a thread of the device does what may wait for another program (isolation.h).
#include <heft/device.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "device/isolation.h"
#include "device/secure.h"
#include "device/servo.h"

struct HeftDevice {
  const HeftDriver* driver;
  HeftDeviceDef def;
  HeftDeviceInfo info;
  HeftGuard guard;
  char address[1024];
  int open;
  int reported;      // the device has sent its description
  uint64_t lost_ns;  // when it was missed, or looked for
  void* self;
  size_t memory_size;
  long losses;  // that the thread reported
  Isolation isolation;
};

void heft_device_def_init(HeftDeviceDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftDeviceDef, def, cookie)) return;
  *def = (HeftDeviceDef){.cookie = cookie,
                         .allocator = heft_allocator_default(),
                         .guard = heft_guard_def_default(),
                         .retry = 0.5};
}

static HeftStatus open_driver(HeftDevice* d, HeftError* error) {
  memset(d->self, 0, d->driver->size);
  const HeftStatus status = d->driver->open(d->self, d->address, error);
  d->open = status == HEFT_OK;
  if (d->open) d->driver->info(d->self, &d->info);
  return status;
}

HeftStatus heft_device_open(HeftDevice** out, const HeftDriver* driver, const char* address,
                            const HeftDeviceDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(driver && driver->open && driver->read && driver->write, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftDeviceDef, heft_device_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftDeviceDef used = def ? *def : heft_device_def_default();
  if (address && strlen(address) >= sizeof((HeftDevice*)0)->address)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the address of the device is too long");
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, HeftDevice);
  arena_take_bytes(&sizes, 1, driver->size);
  HeftDevice* d = used.allocator.allocate(used.allocator.user, sizes.used, ARENA_ALIGNMENT);
  if (!d) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a device");
  memset(d, 0, sizes.used);
  Arena arena = arena_make(d, sizes.used, NULL);
  arena_take(&arena, 1, HeftDevice);
  d->self = arena_take_bytes(&arena, 1, driver->size);
  d->driver = driver;
  d->def = used;
  d->memory_size = sizes.used;
  if (address) memcpy(d->address, address, strlen(address) + 1);
  status = open_driver(d, error);
  if (status != HEFT_OK) {
    used.allocator.release(used.allocator.user, d, d->memory_size);
    return status;
  }
  d->guard = heft_guard_make(&used.guard, &d->info);
  *out = d;
  return HEFT_OK;
}

void heft_device_close(HeftDevice* d) {
  if (!d) return;
  const HeftDeviceForce none = {0};
  device_join(d);
  if (d->open) {
    d->driver->write(d->self, d->guard.force_ns, &none);
    d->driver->close(d->self);
  }
  const HeftAllocator allocator = d->def.allocator;
  const size_t size = d->memory_size;
  tunnel_wipe(d, size);  // an address may contain a key
  allocator.release(allocator.user, d, size);
}

HeftDeviceInfo heft_device_info(const HeftDevice* d) {
  HEFT_REQUIRE(d, ((HeftDeviceInfo){0}));
  return d->info;
}
const char* heft_device_driver(const HeftDevice* d) {
  HEFT_REQUIRE(d, "");
  return d->driver->name;
}
const HeftDriver* device_driver(const HeftDevice* d) { return d->driver; }
void* heft_device_self(HeftDevice* d) {
  HEFT_REQUIRE(d, NULL);
  return d->self;
}
HeftGuardReport heft_device_report(const HeftDevice* d) {
  HEFT_REQUIRE(d, ((HeftGuardReport){0}));
  return d->guard.report;
}
bool heft_device_alive(const HeftDevice* d) {
  HEFT_REQUIRE(d, false);
  return d->open;
}

static int is_whole(const HeftDevice* d) { return d->isolation.running && d->isolation.whole; }

// Some devices send their description with the first sample: the guard's limits follow.
static void learn(HeftDevice* d) {
  d->reported = 1;
  if (!is_whole(d)) d->driver->info(d->self, &d->info);
  d->guard.def = heft_guard_make(&d->def.guard, &d->info).def;
}

static void note_loss(HeftDevice* d, uint64_t now_ns) {
  d->open = d->reported = 0;
  d->lost_ns = now_ns;
  heft_guard_restart(&d->guard, now_ns);
  d->guard.seen = 0;
}

static void lose(HeftDevice* d, uint64_t now_ns) {
  note_loss(d, now_ns);
  if (d->isolation.running) {
    isolation_lose(&d->isolation);
  } else {
    d->driver->close(d->self);
  }
}

static void look_again(HeftDevice* d, uint64_t now_ns) {
  if (d->isolation.running) {
    if (!isolation_found(&d->isolation)) return;
    d->open = 1;
    d->driver->info(d->self, &d->info);
    heft_guard_restart(&d->guard, now_ns);
    return;
  }
  if ((double)(int64_t)(now_ns - d->lost_ns) * 1e-9 < d->def.retry) return;
  d->lost_ns = now_ns;
  if (open_driver(d, NULL) == HEFT_OK) heft_guard_restart(&d->guard, now_ns);
}

// The newest sample of the thread that has the driver.
static HeftDeviceRead read_whole(HeftDevice* d, uint64_t now_ns, HeftDeviceSample* sample) {
  const Reading* r = isolation_take(&d->isolation);
  if (!r) return d->open ? HEFT_DEVICE_NOTHING : HEFT_DEVICE_LOST;
  if (r->losses != d->losses) note_loss(d, now_ns);
  if (r->open && !d->open) heft_guard_restart(&d->guard, now_ns);
  d->losses = r->losses;
  d->open = r->open;
  if (r->open) d->info = r->info;
  *sample = r->sample;
  return r->read;
}

static HeftDeviceRead read_driver(HeftDevice* d, uint64_t now_ns, HeftDeviceSample* sample) {
  if (!d->open) look_again(d, now_ns);
  if (!d->open) return HEFT_DEVICE_LOST;
  const HeftDeviceRead read = d->driver->read(d->self, now_ns, sample);
  if (read == HEFT_DEVICE_LOST) lose(d, now_ns);
  return read;
}

// After a silence another device may be at the other end of the wire, with smaller limits: it is
// asked for them again, and its force begins at zero. Drivers admit no other device before.
static const double silence = 0.5;  // [s]

static void meet_again(HeftDevice* d, uint64_t now_ns) {
  if (!d->guard.seen || (double)(int64_t)(now_ns - d->guard.sample_ns) * 1e-9 < silence) return;
  d->reported = 0;
  d->guard.seen = 0;
}

HeftDeviceRead heft_device_read(HeftDevice* d, uint64_t now_ns, HeftDeviceSample* sample) {
  HEFT_REQUIRE(d && sample, HEFT_DEVICE_NOTHING);
  HeftDeviceSample fresh;
  HeftDeviceRead read =
      is_whole(d) ? read_whole(d, now_ns, &fresh) : read_driver(d, now_ns, &fresh);
  if (read == HEFT_DEVICE_FRESH) meet_again(d, now_ns);
  if (read == HEFT_DEVICE_FRESH && !heft_guard_sample(&d->guard, now_ns, &fresh))
    read = HEFT_DEVICE_NOTHING;
  if (read == HEFT_DEVICE_FRESH) *sample = fresh;
  if (read == HEFT_DEVICE_FRESH && !d->reported) learn(d);
  return read;
}

HeftDeviceForce heft_device_write(HeftDevice* d, uint64_t now_ns, const HeftDeviceForce* command,
                                  const HeftSpatial* moved) {
  HEFT_REQUIRE(d && command, ((HeftDeviceForce){0}));
  HeftDeviceForce felt = *command;  // forces that a device cannot render do no work
  if (d->info.axes_driven < 6) felt.torque = heft_vec3(0, 0, 0);
  const HeftDeviceForce given = heft_guard_force(&d->guard, now_ns, &felt, moved);
  if (is_whole(d)) {
    isolation_write(&d->isolation, &given);
  } else if (d->open && !d->driver->write(d->self, now_ns, &given)) {
    lose(d, now_ns);
  }
  return given;
}

// ---- the thread

HeftStatus device_isolate(HeftDevice* d, HeftError* error) {
  if (d->isolation.running) return HEFT_OK;
  d->losses = 0;
  return isolation_start(&d->isolation, d->driver, d->self, d->address, d->def.retry, d->open,
                         error);
}

void device_join(HeftDevice* d) {
  if (d->isolation.running) d->open = isolation_stop(&d->isolation);
}
