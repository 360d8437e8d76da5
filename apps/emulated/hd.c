// SPDX-License-Identifier: Apache-2.0
// Replaces libHD of OpenHaptics; the device is a Touch. Axes: x to the right, y up, z towards the
// user, in millimetres. The scheduler has a thread of its own.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef struct HdError {
  unsigned code;
  int internal;
  unsigned device;
} HdError;

enum {
  BUTTONS = 0x2000,
  POSITION = 0x2050,
  VELOCITY = 0x2051,
  TRANSFORM = 0x2052,
  MAX_FORCE = 0x2604,
  FORCE = 0x2700,
  NO_DEVICE_ANSWERS = 0x0201,
  THE_DEVICE = 7
};

static unsigned (*callback)(void*);
static void* callback_user;
static pthread_t thread;
static atomic_int quit;
static int frames;

static void to_theirs(HeftVec3 v, double* out) {
  out[0] = 1e3 * v.x, out[1] = 1e3 * v.z, out[2] = -1e3 * v.y;
}

MAKER unsigned hdInitDevice(const char* name) {
  (void)name;
  return hand_start("touch") ? THE_DEVICE : 0xffffffffu;
}
MAKER void hdDisableDevice(unsigned device) {
  (void)device;
  hand_push(heft_vec3(0, 0, 0));
}
MAKER void hdMakeCurrentDevice(unsigned device) { (void)device; }
MAKER void hdEnable(unsigned what) { (void)what; }
MAKER void hdBeginFrame(unsigned device) {
  (void)device;
  ++frames;
}
MAKER void hdEndFrame(unsigned device) {
  (void)device;
  --frames;
}
MAKER void hdGetDoublev(unsigned what, double* v) {
  if (what == POSITION) {
    if (frames == 1) hand_live();
    to_theirs(hand_at.pos, v);
  } else if (what == VELOCITY) {
    to_theirs(hand_at.vel, v);
  } else if (what == TRANSFORM) {
    for (int i = 0; i < 16; ++i) v[i] = i % 5 == 0;
  } else if (what == MAX_FORCE) {
    *v = hand.def.info.force_max;
  }
}
MAKER void hdGetIntegerv(unsigned what, int* v) { *v = what == BUTTONS ? (int)hand_at.buttons : 0; }
MAKER void hdSetDoublev(unsigned what, const double* v) {
  if (what == FORCE) hand_push(heft_vec3(v[0], -v[2], v[1]));
}
MAKER HdError hdGetError(void) {
  const HdError e = {hand_gone ? NO_DEVICE_ANSWERS : 0, 0, THE_DEVICE};
  return e;
}
MAKER unsigned long hdScheduleAsynchronous(unsigned (*call)(void*), void* user,
                                           unsigned short priority) {
  (void)priority;
  callback = call;
  callback_user = user;
  return 1;
}
MAKER void hdUnschedule(unsigned long handle) {
  (void)handle;
  callback = NULL;
}
static void* schedule(void* user) {
  const struct timespec t = {0, 900000};
  (void)user;
  while (!atomic_load(&quit) && callback(callback_user) == 1) nanosleep(&t, NULL);
  return NULL;
}
MAKER void hdStartScheduler(void) {
  atomic_store(&quit, 0);
  pthread_create(&thread, NULL, schedule, NULL);
}
MAKER void hdStopScheduler(void) {
  atomic_store(&quit, 1);
  pthread_join(thread, NULL);
}
