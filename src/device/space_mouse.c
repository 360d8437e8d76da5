// SPDX-License-Identifier: Apache-2.0
// SpaceMouse and its kin through libspnav and the daemon spacenavd. It senses how far the cap is
// pushed, which is taken as a velocity: the probe moves while the cap is pushed. It renders no
// force.
//
// Its axes: x to the right, y up, z away from the person.
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/shared_library.h"
#include "math/scalar.h"

enum { EVENT_MOTION = 1, EVENT_BUTTON = 2, EVENTS_A_LOOK = 64 };

static const double full = 350;      // of the cap
static const double speed = 0.1;     // at full [m/s]
static const double turn_speed = 1;  // [rad/s]
static const double silence = 0.25;  // the daemon repeats a pushed cap more often than this [s]
static const double reach = 0.15;    // [m]

// As spnav.h has it: int type, then six values, or press and number; room for all kinds.
typedef struct Event {
  int type;
  int value[6];
  unsigned period;
  void* data;
  int more[8];
} Event;

typedef struct Mouse {
  void* library;
  struct {
    int (*open)(void);
    int (*close)(void);
    int (*poll)(Event* event);
  } spnav;
  HeftVec3 pos, vel, spin;
  HeftQuat rot;
  unsigned buttons;
  uint64_t number, last_ns, heard_ns;
} Mouse;

#define SYMBOL(name, field) \
  { name, offsetof(Mouse, spnav.field) - offsetof(Mouse, spnav), 0 }
static const Symbol symbols[] = {SYMBOL("spnav_open", open), SYMBOL("spnav_close", close),
                                 SYMBOL("spnav_poll_event", poll)};

static HeftStatus mouse_open(void* self, const char* address, HeftError* error) {
  static const char* const names[] = {"libspnav.so.0", "libspnav.so", NULL};
  Mouse* m = self;
  m->library = shared_open(address, names, "libspnav", symbols,
                           (int)(sizeof symbols / sizeof *symbols), &m->spnav, error);
  if (!m->library) return HEFT_ERR_FILE;
  if (m->spnav.open() == -1) {
    shared_close(m->library);
    return heft_error_set(error, HEFT_ERR_FILE,
                          "the daemon spacenavd does not answer; install and start it");
  }
  m->rot = heft_quat_identity();
  return HEFT_OK;
}

static void mouse_close(void* self) {
  Mouse* m = self;
  m->spnav.close();
  shared_close(m->library);
}

static void mouse_info(void* self, HeftDeviceInfo* info) {
  (void)self;
  *info = (HeftDeviceInfo){.name = "SpaceMouse",
                           .axes_sensed = 6,
                           .lowest = {-0.15, -0.15, -0.15},
                           .highest = {0.15, 0.15, 0.15},
                           .rate = 1000};
}

static double share(int value) {
  const double x = value / full;
  return x > 1 ? 1 : x < -1 ? -1 : x;
}

static void take(Mouse* m, uint64_t now_ns, const Event* e) {
  if (e->type == EVENT_MOTION) {
    const int* v = e->value;
    m->vel = heft_vec3_scale(speed, heft_vec3(share(v[0]), share(v[2]), share(v[1])));
    m->spin = heft_vec3_scale(turn_speed, heft_vec3(share(v[3]), share(v[5]), share(v[4])));
    m->heard_ns = now_ns;
  }
  if (e->type == EVENT_BUTTON && e->value[1] >= 0 && e->value[1] < 32) {
    const unsigned bit = 1u << e->value[1];
    m->buttons = e->value[0] ? m->buttons | bit : m->buttons & ~bit;
  }
}

static double bounded(double x) { return heft_clamp(x, -reach, reach); }

static HeftDeviceRead mouse_read(void* self, uint64_t now_ns, HeftDeviceSample* s) {
  Mouse* m = self;
  Event e;
  memset(&e, 0, sizeof e);
  for (int i = 0; i < EVENTS_A_LOOK && m->spnav.poll(&e) != 0; ++i) take(m, now_ns, &e);
  const double dt = m->last_ns ? (double)(int64_t)(now_ns - m->last_ns) * 1e-9 : 0;
  if ((double)(int64_t)(now_ns - m->heard_ns) * 1e-9 > silence)
    m->vel = m->spin = heft_vec3(0, 0, 0);
  if (dt > 0 && dt < 0.1) {
    const HeftVec3 p = heft_vec3_add_scaled(m->pos, dt, m->vel);
    m->pos = heft_vec3(bounded(p.x), bounded(p.y), bounded(p.z));
    m->rot =
        heft_quat_normalize(heft_quat_mul(heft_quat_exp(heft_vec3_scale(dt, m->spin)), m->rot));
  }
  m->last_ns = now_ns;
  *s = (HeftDeviceSample){.time_ns = now_ns,
                          .number = ++m->number,
                          .pos = m->pos,
                          .rot = m->rot,
                          .vel = m->vel,
                          .spin = m->spin,
                          .buttons = m->buttons};
  return HEFT_DEVICE_FRESH;
}

static bool mouse_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)self, (void)now_ns, (void)force;
  return 1;
}

// libspnav waits for the daemon. The velocity is integrated, so that there is a sample every
// millisecond.
static int mouse_wait_on(void* self) {
  (void)self;
  return -1;
}

const HeftDriver heft_driver_space_mouse = {
    .name = "spacemouse",
    .text = "SpaceMouse and other 3Dconnexion devices, through libspnav; no force feedback",
    .address = "path of the library, libspnav.so.0",
    .size = sizeof(Mouse),
    .open = mouse_open,
    .close = mouse_close,
    .info = mouse_info,
    .read = mouse_read,
    .write = mouse_write,
    .wait_on = mouse_wait_on,
};
