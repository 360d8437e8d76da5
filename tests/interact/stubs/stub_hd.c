// SPDX-License-Identifier: Apache-2.0
// Stands for libHD: y is up, millimetres, and a scheduler with a thread of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "stub_hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef struct HdError {
  unsigned code;
  int internal;
  unsigned device;
} HdError;

static unsigned (*callback)(void*);
static void* callback_user;
static pthread_t thread;
static atomic_int quit;
static int frames;

STUB unsigned hdInitDevice(const char* name) {
  (void)name;
  for (int i = 0; i < 3; ++i) stub_pos[i] = stub_vel[i] = stub_force[i] = 0;
  stub_wish[1] = -0.02;
  return stub_gone ? 0xffffffffu : 7;
}
STUB void hdDisableDevice(unsigned device) { (void)device; }
STUB void hdMakeCurrentDevice(unsigned device) { (void)device; }
STUB void hdEnable(unsigned what) { (void)what; }
STUB void hdBeginFrame(unsigned device) {
  (void)device;
  ++frames;
}
STUB void hdEndFrame(unsigned device) {
  (void)device;
  --frames;
}
STUB void hdGetDoublev(unsigned what, double* v) {
  if (what == 0x2050) {
    if (frames == 1) stub_move();
    for (int i = 0; i < 3; ++i) v[i] = 1e3 * stub_pos[i];
  } else if (what == 0x2051) {
    for (int i = 0; i < 3; ++i) v[i] = 1e3 * stub_vel[i];
  } else if (what == 0x2052) {
    for (int i = 0; i < 16; ++i) v[i] = i % 5 == 0;
  } else if (what == 0x2604) {
    *v = 3.3;
  }
}
STUB void hdGetIntegerv(unsigned what, int* v) { *v = what == 0x2000 ? 1 : 0; }
STUB void hdSetDoublev(unsigned what, const double* v) {
  if (what != 0x2700) return;
  for (int i = 0; i < 3; ++i) stub_force[i] = v[i];
}
STUB HdError hdGetError(void) {
  const HdError e = {stub_gone ? 0x0201 : 0, 0, 7};
  return e;
}
STUB unsigned long hdScheduleAsynchronous(unsigned (*call)(void*), void* user,
                                          unsigned short priority) {
  (void)priority;
  callback = call;
  callback_user = user;
  return 1;
}
STUB void hdUnschedule(unsigned long handle) {
  (void)handle;
  callback = NULL;
}
static void* schedule(void* user) {
  (void)user;
  while (!atomic_load(&quit) && callback(callback_user) == 1) {
    const struct timespec t = {0, 300000};
    nanosleep(&t, NULL);
  }
  return NULL;
}
STUB void hdStartScheduler(void) {
  atomic_store(&quit, 0);
  pthread_create(&thread, NULL, schedule, NULL);
}
STUB void hdStopScheduler(void) {
  atomic_store(&quit, 1);
  pthread_join(thread, NULL);
}
