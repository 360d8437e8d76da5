// SPDX-License-Identifier: Apache-2.0
// A thread of a device, so that the servo never waits for another program. Two kinds:
//   - a driver whose functions are quick is used by the servo itself; the thread opens the device
//     again after a loss, since open() may wait;
//   - a driver that talks to another program (HeftDriver.wait_on) is used only by the thread. It
//     passes the newest sample to the servo and the newest force to the driver.
#ifndef HEFT_SRC_DEVICE_ISOLATION_H
#define HEFT_SRC_DEVICE_ISOLATION_H

#include <heft/device.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/triple_buffer.h"

/// News of the thread.
typedef struct Reading {
  HeftDeviceRead read;
  HeftDeviceSample sample;
  HeftDeviceInfo info;
  int open;
  long losses;  ///< so far
} Reading;

typedef struct Isolation {
  const HeftDriver* driver;
  void* self;
  const char* address;
  double retry;  ///< [s]
  int running;
  int whole;  ///< the thread calls all functions of the driver
  int open;   ///< of the thread while it has the driver
  long losses;
  pthread_t thread;
  int wake[2];  ///< sockets: a byte wakes the thread
  atomic_int quit;
  atomic_int has_driver;  ///< 1: the thread may call functions of the driver; 0: the servo may
  TripleBuffer reading_buffer, force_buffer;
  Reading reading[3];
  HeftDeviceForce force[3];
} Isolation;

/// Starts the thread for an open or lost driver. address must stay valid.
HeftStatus isolation_start(Isolation* isolation, const HeftDriver* driver, void* self,
                           const char* address, double retry, int open, HeftError* error);
/// Ends the thread. Returns 1 if the driver is open. Waits until the driver's open() returns.
int isolation_stop(Isolation* isolation);

// For the servo; these functions do not wait.
/// Gives a lost driver to the thread, which closes it and opens it again.
void isolation_lose(Isolation* isolation);
/// 1: the driver is open again and belongs to the servo.
int isolation_found(const Isolation* isolation);
/// whole: the newest reading; NULL if there is none since the last call.
const Reading* isolation_take(Isolation* isolation);
/// whole: passes a force to the thread.
void isolation_write(Isolation* isolation, const HeftDeviceForce* force);

#endif
