// SPDX-License-Identifier: Apache-2.0
// Devices of 3D Systems (Touch, Phantom) through OpenHaptics, libHD. Its scheduler owns the servo
// thread: it calls us a thousand times a second.
//
// Its axes: x to the right, y up, z towards the person; millimetres.
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/shared_library.h"

// Numbers of hdDefines.h.
enum {
  HD_CURRENT_BUTTONS = 0x2000,
  HD_CURRENT_POSITION = 0x2050,
  HD_CURRENT_VELOCITY = 0x2051,
  HD_CURRENT_TRANSFORM = 0x2052,
  HD_NOMINAL_MAX_CONTINUOUS_FORCE = 0x2604,
  HD_CURRENT_FORCE = 0x2700,
  HD_FORCE_OUTPUT = 0x4000,
  HD_CALLBACK_CONTINUE = 1,
  PRIORITY = 0x7fff  // the middle of what there is
};
static const unsigned invalid_device = 0xffffffffu;

typedef struct HdError {
  unsigned code;
  int internal;
  unsigned device;
} HdError;

typedef unsigned HdCallback(void* user);

typedef struct Hd {
  void* library;
  struct {
    unsigned (*init)(const char* name);
    void (*disable_device)(unsigned device);
    void (*make_current)(unsigned device);
    void (*enable)(unsigned what);
    void (*begin)(unsigned device);
    void (*end)(unsigned device);
    void (*get_double)(unsigned what, double* values);
    void (*get_integer)(unsigned what, int* values);
    void (*set_double)(unsigned what, const double* values);
    HdError (*error)(void);
    unsigned long (*schedule)(HdCallback* callback, void* user, unsigned short priority);
    void (*unschedule)(unsigned long handle);
    void (*start)(void);
    void (*stop)(void);
  } hd;
  unsigned device;
  unsigned long handle;
  int in_frame;  // called from the scheduler
  int running;
  void (*tick)(void* user);
  void* user;
  uint64_t number;
} Hd;

#define SYMBOL(name, field) \
  { name, offsetof(Hd, hd.field) - offsetof(Hd, hd), 0 }
static const Symbol symbols[] = {
    SYMBOL("hdInitDevice", init),
    SYMBOL("hdDisableDevice", disable_device),
    SYMBOL("hdMakeCurrentDevice", make_current),
    SYMBOL("hdEnable", enable),
    SYMBOL("hdBeginFrame", begin),
    SYMBOL("hdEndFrame", end),
    SYMBOL("hdGetDoublev", get_double),
    SYMBOL("hdGetIntegerv", get_integer),
    SYMBOL("hdSetDoublev", set_double),
    SYMBOL("hdGetError", error),
    SYMBOL("hdScheduleAsynchronous", schedule),
    SYMBOL("hdUnschedule", unschedule),
    SYMBOL("hdStartScheduler", start),
    SYMBOL("hdStopScheduler", stop),
};

static HeftVec3 from_theirs(const double* v) { return heft_vec3(v[0], -v[2], v[1]); }

static int failed(Hd* d) { return d->hd.error().code != 0; }

// ---- address: [device][@library]

static HeftStatus hd_open(void* self, const char* address, HeftError* error) {
  static const char* const names[] = {"libHD.so.3.4", "libHD.so", NULL};
  Hd* d = self;
  char name[128] = "";
  const char* at = strchr(address, '@');
  const size_t length = at ? (size_t)(at - address) : strlen(address);
  if (length >= sizeof name)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the name of the device is too long");
  memcpy(name, address, length);
  d->library = shared_open(at ? at + 1 : "", names, "OpenHaptics", symbols,
                           (int)(sizeof symbols / sizeof *symbols), &d->hd, error);
  if (!d->library) return HEFT_ERR_FILE;
  d->device = d->hd.init(name[0] ? name : NULL);
  if (d->device == invalid_device || failed(d)) {
    shared_close(d->library);
    return heft_error_set(error, HEFT_ERR_FILE, "no device \"%s\" of 3D Systems answers",
                          name[0] ? name : "Default Device");
  }
  d->hd.make_current(d->device);
  d->hd.enable(HD_FORCE_OUTPUT);
  return HEFT_OK;
}

static void hd_stop(void* self) {
  Hd* d = self;
  if (!d->running) return;
  d->hd.stop();
  d->hd.unschedule(d->handle);
  d->running = 0;
}

static void hd_close(void* self) {
  Hd* d = self;
  hd_stop(d);
  d->hd.disable_device(d->device);
  shared_close(d->library);
}

static void hd_info(void* self, HeftDeviceInfo* info) {
  Hd* d = self;
  double force = 0;
  heft_emulator_device("touch", info);
  d->hd.get_double(HD_NOMINAL_MAX_CONTINUOUS_FORCE, &force);
  if (!failed(d) && force > 0 && force < 100) info->force_max = force;
}

static void begin(Hd* d) {
  if (!d->in_frame) d->hd.begin(d->device);
}

static void end(Hd* d) {
  if (!d->in_frame) d->hd.end(d->device);
}

// The transform is 4 x 4, column by column, as OpenGL has it.
static HeftQuat rotation_of(const double m[16]) {
  const HeftVec3 x = from_theirs(m), y = from_theirs(m + 4), z = from_theirs(m + 8);
  return heft_quat_from_mat3(heft_mat3_from_columns(x, heft_vec3_neg(z), y));
}

static HeftDeviceRead hd_read(void* self, uint64_t now_ns, HeftDeviceSample* s) {
  Hd* d = self;
  double pos[3] = {0}, vel[3] = {0}, transform[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  int buttons = 0;
  begin(d);
  d->hd.get_double(HD_CURRENT_POSITION, pos);
  d->hd.get_double(HD_CURRENT_VELOCITY, vel);
  d->hd.get_double(HD_CURRENT_TRANSFORM, transform);
  d->hd.get_integer(HD_CURRENT_BUTTONS, &buttons);
  end(d);
  // Its own thread cannot close it: there a device that fails is silent until it is well again.
  if (failed(d)) return d->in_frame ? HEFT_DEVICE_NOTHING : HEFT_DEVICE_LOST;
  *s = (HeftDeviceSample){.time_ns = now_ns,
                          .number = ++d->number,
                          .pos = heft_vec3_scale(1e-3, from_theirs(pos)),
                          .rot = rotation_of(transform),
                          .vel = heft_vec3_scale(1e-3, from_theirs(vel)),
                          .buttons = (unsigned)buttons};
  return HEFT_DEVICE_FRESH;
}

static bool hd_write(void* self, uint64_t now_ns, const HeftDeviceForce* f) {
  Hd* d = self;
  const double force[3] = {f->force.x, f->force.z, -f->force.y};
  (void)now_ns;
  begin(d);
  d->hd.set_double(HD_CURRENT_FORCE, force);
  end(d);
  return !failed(d) || d->in_frame;
}

// ---- their thread

static unsigned scheduled(void* user) {
  Hd* d = user;
  d->hd.begin(d->device);
  d->in_frame = 1;
  d->tick(d->user);
  d->in_frame = 0;
  d->hd.end(d->device);
  return HD_CALLBACK_CONTINUE;
}

static HeftStatus hd_run(void* self, void (*tick)(void* user), void* user, HeftError* error) {
  Hd* d = self;
  d->tick = tick;
  d->user = user;
  d->handle = d->hd.schedule(scheduled, d, PRIORITY);
  d->hd.start();
  if (failed(d))
    return heft_error_set(error, HEFT_ERR_FILE, "the scheduler of OpenHaptics does not start");
  d->running = 1;
  return HEFT_OK;
}

const HeftDriver heft_driver_open_haptics = {
    .name = "openhaptics",
    .text = "Touch and Phantom of 3D Systems, through OpenHaptics",
    .address = "[name][@library], the default device @libHD.so",
    .size = sizeof(Hd),
    .open = hd_open,
    .close = hd_close,
    .info = hd_info,
    .read = hd_read,
    .write = hd_write,
    .run = hd_run,
    .stop = hd_stop,
};
